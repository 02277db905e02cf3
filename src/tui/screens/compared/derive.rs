//! The rows of the Compare screen.

use crate::layout::layout;
use crate::model::derived::HunkKey;
use crate::model::{ComparedSubject, Model, Pane, Screen, compared_rows, subject_detail};

/// Updates the list of differences, and the details of the selected one.
pub(crate) fn derive(model: &mut Model) {
    if model.screen != Screen::Compared {
        return;
    }
    if model.derived.compared != Some(model.compared.edition) {
        model.derived.compared = Some(model.compared.edition);
        model.derived.hunk = None;
        model.compared.rows = compared_rows(&model.compared);
    }
    let at = model.list(Pane::Differences).selected;
    let at = at.min(model.compared.rows.len().saturating_sub(1));
    let columns = layout(model).pane(Pane::Hunk).map_or(80, |placed| placed.inner.width);
    let columns = usize::from(columns).saturating_sub(2);
    let key = HunkKey { edition: model.compared.edition, selected: at, columns };
    if model.derived.hunk != Some(key) {
        model.derived.hunk = Some(key);
        let subject: Option<ComparedSubject> =
            model.compared.rows.get(at).map(|row| row.subject.clone());
        (model.compared.hunk_title, model.compared.hunk) = match (&model.compared.report, subject) {
            (Some(report), Some(subject)) => subject_detail(report, &subject),
            _ => (String::new(), Vec::new()),
        };
        let lines = std::mem::take(&mut model.compared.hunk).into_iter();
        model.compared.hunk = lines.flat_map(|line| line.wrapped(columns)).collect();
        let list = model.list_mut(Pane::Hunk);
        (list.selected, list.offset) = (0, 0);
    }
}
