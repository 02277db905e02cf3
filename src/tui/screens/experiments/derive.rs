//! The selected pair or combination in full.

use crate::keymap::Command;
use crate::model::{Model, Pane, Screen};
use crate::screens::experiments::state::{case_detail, pair_detail};
use crate::update::derive::renew_text;

pub(crate) fn derive(model: &mut Model) {
    let pane = match model.screen {
        Screen::Order => Pane::Pairs,
        Screen::Combinations => Pane::Cases,
        _ => return,
    };
    let key = renew_text(model, model.varied.edition, pane, Pane::Varied);
    let Some(key) = key else { return };
    let (at, cells) = (key.selected, usize::from(key.columns).saturating_sub(2));
    let space = model.look.keymap.first_key(Command::Toggle);
    let detail = match pane {
        Pane::Pairs => model.pair(at).map(|pair| pair_detail(pair, space)),
        _ => model.varied.cases.get(at).copied().and_then(|case| {
            let answer = model.varied.combinations.answer()?;
            Some(case_detail(answer, case, space))
        }),
    };
    let detail = detail.unwrap_or_default().into_iter();
    model.varied.detail = detail.flat_map(|row| row.wrapped(cells)).collect();
    let list = model.list_mut(Pane::Varied);
    (list.selected, list.offset) = (0, 0);
}
