//! A question about files, with their diffs.

use super::super::model::{ChangedRow, Confirm, Confirmation, Model, Overlay};
use super::super::text::{DiffRow, LineDiff, Split};
use super::note;
use crate::draft::FileChange;

/// The name of a changed file for a question, its diff, and the rows of the diff.
pub(crate) fn change_item(
    model: &Model,
    change: &FileChange,
    what: &str,
) -> (String, LineDiff, Vec<DiffRow>) {
    let name = model.shown_file(&change.path);
    let diff = ChangedRow::file(change, name.clone()).diff(&model.look.secrets);
    let rows = diff.rows(Split::Unified, 2);
    let gone = if change.draft.is_none() { "  (removed)" } else { "" };
    (format!("{name}{what}{gone}"), diff, rows)
}

pub(crate) fn open_question(
    model: &mut Model,
    question: String,
    asked: Confirmation,
    changes: Vec<FileChange>,
    files: Vec<(String, LineDiff, Vec<DiffRow>)>,
) {
    let confirm = Confirm { question, asked, changes, files, offset: 0 };
    model.overlay = Some(Overlay::Confirm(Box::new(confirm)));
}

/// Keeps a question open after a key that is not an answer, and names the answers.
pub(crate) fn name_answers(model: &mut Model, confirm: Box<Confirm>) {
    let answers = confirm.asked.keys().iter().map(|(key, effect)| format!("{key}: {effect}"));
    note(model, format!("not an answer ({})", answers.collect::<Vec<_>>().join(", ")));
    model.overlay = Some(Overlay::Confirm(confirm));
}
