//! The rows of the Compare screen.

use crate::model::derived::renew;
use crate::model::{Model, Pane, Screen, compared_rows, subject_detail};
use crate::update::derive::renew_text;

pub(crate) fn derive(model: &mut Model) {
    if model.screen != Screen::Compared {
        return;
    }
    if renew(&mut model.derived.compared, model.compared.edition) {
        model.compared.rows = compared_rows(&model.compared);
    }
    if let Some(key) = renew_text(model, model.compared.edition, Pane::Differences, Pane::Hunk) {
        let row = model.compared.rows.get(key.selected);
        let (title, lines) = match (&model.compared.report, row) {
            (Some(report), Some(row)) => subject_detail(report, &row.subject),
            _ => (String::new(), Vec::new()),
        };
        model.compared.hunk_title = title;
        let columns = usize::from(key.columns).saturating_sub(2);
        model.compared.hunk = lines.into_iter().flat_map(|line| line.wrapped(columns)).collect();
        let list = model.list_mut(Pane::Hunk);
        (list.selected, list.offset) = (0, 0);
    }
}
