//! The selected pair or combination in full.

use crate::keymap::Command;
use crate::layout::layout;
use crate::model::derived::VariedKey;
use crate::model::{Model, Pane, Screen};
use crate::screens::experiments::state::{case_detail, pair_detail};

/// Updates the text about the selected row.
pub(crate) fn derive(model: &mut Model) {
    let pane = match model.screen {
        Screen::Order => Pane::Pairs,
        Screen::Combinations => Pane::Cases,
        _ => return,
    };
    let at = model.list(pane).selected.min(model.rows(pane).saturating_sub(1));
    let room = layout(model).pane(Pane::Varied).map_or(80, |placed| placed.inner.width);
    let edition = model.varied.edition;
    let key = VariedKey { edition, pane, selected: at, columns: room };
    if model.derived.varied == Some(key) {
        return;
    }
    model.derived.varied = Some(key);
    let space = model.look.keymap.keys(Command::Toggle).first().cloned().unwrap_or_default();
    let detail = match pane {
        Pane::Pairs => model.pair(at).map(|pair| pair_detail(pair, &space)),
        _ => model.varied.cases.get(at).copied().and_then(|case| {
            let answer = model.varied.combinations.answer()?;
            Some(case_detail(&answer.report, case, &space))
        }),
    };
    let detail = detail.unwrap_or_default().into_iter();
    model.varied.detail =
        detail.flat_map(|row| row.wrapped(usize::from(room).saturating_sub(2))).collect();
    let list = model.list_mut(Pane::Varied);
    (list.selected, list.offset) = (0, 0);
}
