//! A question about files, with their diffs.

use super::super::message::Effect;
use super::super::model::{ChangedRow, Confirm, Confirmation, Model, Overlay, short_path};
use super::super::text::{DiffRow, LineDiff, Split};
use super::super::theme::StyleRole;
use super::say;
use crate::draft::FileChange;

/// The name under which the file of a change is shown.
pub(super) fn name_of(model: &Model, change: &FileChange) -> String {
    // Before the first build, the root directory of the build is not known.
    let around = model.opened.dir.ancestors().skip(1).find(|dir| change.path.starts_with(dir));
    match around.filter(|_| model.builds.recording.is_unbuilt() && model.board.repository.is_none())
    {
        Some(around) => short_path(&change.path.to_string_lossy(), around),
        None => model.shown_file(&change.path),
    }
}

/// The name of a changed file for a question, its diff, and the rows of the diff.
pub(super) fn change_item(
    model: &Model,
    change: &FileChange,
    what: &str,
) -> (String, LineDiff, Vec<DiffRow>) {
    let name = name_of(model, change);
    let diff = ChangedRow::file(change, name.clone()).diff(&model.look.secrets);
    let rows = diff.rows(Split::Unified, 2);
    let gone = if change.draft.is_none() { "  (removed)" } else { "" };
    (format!("{name}{what}{gone}"), diff, rows)
}

/// Opens a question with the diffs of its files.
pub(super) fn open_question(
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
pub(super) fn name_answers(model: &mut Model, confirm: Box<Confirm>) -> Vec<Effect> {
    let answers = confirm.asked.keys().iter().map(|(key, effect)| format!("{key}: {effect}"));
    let words = format!("not an answer ({})", answers.collect::<Vec<_>>().join(", "));
    say(model, StyleRole::Dim, words);
    repeat_question(model, confirm)
}

/// Keeps a question open.
pub(super) fn repeat_question(model: &mut Model, confirm: Box<Confirm>) -> Vec<Effect> {
    model.overlay = Some(Overlay::Confirm(confirm));
    Vec::new()
}
