//! Edits of the draft: toggles, moves, undo. Every edit starts a build at once.

use std::path::{Path, PathBuf};

use super::super::model::{
    ComponentStatus, Model, Pane, Screen, TreeSubject, WorkbenchPlace, shown_edit_words,
};
use super::{answers, note, say_file_error, warn};
use crate::answers::Offer;
use crate::draft::{Edit, FileChange};
use crate::model::deployed::step_outline_entry;
use crate::screens::experiments::state::entry_of_step;

/// The edit that switches the entry or field of the selected row on or off, or that lists its
/// component.
pub(crate) fn selected_toggle(model: &Model) -> Option<Edit> {
    let add = |file: &PathBuf, text: &String| Edit::AddEntry {
        file: file.clone(),
        field: "components".to_owned(),
        text: text.clone(),
    };
    match model.focused() {
        Pane::Components | Pane::ComponentEffect => {
            let row = model.components.rows.get(model.list(Pane::Components).selected)?;
            Some(match (&row.entry, row.state) {
                (Some(entry), ComponentStatus::On | ComponentStatus::Off) => {
                    Edit::ToggleEntry(entry.clone())
                }
                _ => add(&row.file, &row.text),
            })
        }
        Pane::Tree | Pane::Preview | Pane::Effect => {
            let row = model.tree.rows.get(model.list(Pane::Tree).selected)?;
            match &row.subject {
                TreeSubject::Entry { entry, .. } => Some(Edit::ToggleEntry(entry.clone())),
                TreeSubject::Scalar { file, field, .. } => {
                    Some(Edit::ToggleField { file: file.clone(), field: field.clone() })
                }
                TreeSubject::Unlisted { file, text, .. } => Some(add(file, text)),
                _ => None,
            }
        }
        Pane::Functions | Pane::Results | Pane::Invocation => {
            let row = model.functions.rows.get(model.list(Pane::Functions).selected)?;
            step_toggle(model, row.step)
        }
        Pane::Problems | Pane::Explanation => {
            let row = model.problem(model.list(Pane::Problems).selected)?;
            step_toggle(model, row.step?)
        }
        _ => step_toggle(model, model.cursor),
    }
}

/// The edit of the entry that configures a step, or of the field if no single entry does.
fn step_toggle(model: &Model, step: usize) -> Option<Edit> {
    if let Some(entry) = entry_of_step(model, step) {
        return Some(Edit::ToggleEntry(entry));
    }
    let step = model.builds.recording.step(step)?;
    if let Some((file, field, _)) = step_outline_entry(model, step) {
        return Some(Edit::ToggleField { file: file.to_owned(), field: field.name.clone() });
    }
    let file = PathBuf::from(&*model.builds.recording.trace.layer(step.layer)?.file);
    let source = model.opened.sources.get(&file)?;
    let field = source.outline.fields.iter().find(|field| field.name == step.field)?;
    let is_whole = step.entry.is_none() || field.entries.is_empty();
    is_whole.then(|| Edit::ToggleField { file, field: field.name.clone() })
}

pub(crate) fn toggle(model: &mut Model) {
    if let Some(edit) = selected_toggle(model) {
        apply(model, &edit);
    }
}

pub(crate) fn move_entry(model: &mut Model, by: isize) {
    if let Some(Edit::ToggleEntry(entry)) = selected_toggle(model) {
        return apply(model, &Edit::MoveEntry { entry, by });
    }
    warn(model, "only entries of a list can be moved");
}

pub(crate) fn fix_of(model: &Model) -> Option<&Offer> {
    let row = model.list(Pane::Problems).selected;
    let mut offers = model.problems_of_row(row).filter_map(|problem| model.offer(problem));
    offers.next().filter(|_| model.screen == Screen::Problems)
}

pub(crate) fn fix(model: &mut Model) {
    let Some(offer) = fix_of(model).cloned() else { return };
    apply_fix(model, &offer.words, &offer.changes);
}

pub(crate) fn apply_fix(model: &mut Model, words: &str, changes: &[FileChange]) {
    let words = super::super::text::sanitize(words).into_owned();
    // The text in parentheses is the result of the trial and no part of the name.
    let name = words.split(" (").next().unwrap_or(&words);
    draft_changes(model, &format!("fix: {name}"), &words, changes);
}

/// Drafts changes of files as one edit with a name; `words` describe it in the message.
pub(crate) fn draft_changes(model: &mut Model, name: &str, words: &str, changes: &[FileChange]) {
    let disk = model.opened.disk.clone();
    let files = changes.iter().map(|it| (it.path.clone(), it.draft.clone())).collect();
    if !model.edits.draft.restore(files, name, &*disk) {
        return warn(model, "not editable here");
    }
    // The other fixes were verified with the text before this edit.
    model.problems.offers.clear();
    finish_edit(model, &format!("in the draft: {words} (z undoes)"));
}

pub(crate) fn undo(model: &mut Model) {
    let was_written = model.edits.draft.changes().is_empty();
    if let Some(words) = model.edits.draft.undo() {
        let words = shown_edit_words(&words);
        let words = if was_written {
            format!("undone in the draft: {words}; the file still has it (:w writes)")
        } else {
            format!("undone: {words}")
        };
        return finish_edit(model, &words);
    }
    let has_left_out = model.edits.list.iter().any(|edit| edit.is_left_out);
    let more =
        if has_left_out { " (space in Change includes an edit that is left out)" } else { "" };
    note(model, format!("nothing to undo{more}"));
}

pub(crate) fn redo(model: &mut Model) {
    if let Some(words) = model.edits.draft.redo() {
        return finish_edit(model, &format!("redone: {}", shown_edit_words(&words)));
    }
    note(model, "nothing to redo");
}

pub(crate) fn discard(model: &mut Model) {
    model.edits.draft.discard_all();
    // `discard_all` leaves files unchanged that conflict with the disk. Their drafts are discarded
    // here, which cannot be undone.
    for change in model.edits.draft.changes() {
        model.edits.draft.discard_file(&change.path);
    }
    finish_edit(model, "draft discarded (z restores it)");
}

pub(crate) fn apply(model: &mut Model, edit: &Edit) {
    let disk = model.opened.disk.clone();
    match model.edits.draft.apply(edit, &*disk) {
        Ok(()) => finish_edit(model, ""),
        Err(error) => say_file_error(model, edit.file(), &error),
    }
}

/// Updates the displays of the draft after an edit, reports the edit, and requests a build.
pub(crate) fn finish_edit(model: &mut Model, words: &str) {
    let before = std::mem::take(&mut model.edits.changes);
    restore_outlines(model, &before);
    answers::refresh_draft(model);
    if !words.is_empty() {
        note(model, words);
    }
    let edited = edited_files(&before, &model.edits.changes);
    // Outside of the target's screens, the edit may concern other targets than the open one.
    let is_of_target = model.screen.place() == WorkbenchPlace::Target
        || edited.iter().any(|file| model.opened.sources.contains_key(file));
    let is_reported = model.note_table_edit(words, &edited);
    model.edits.last_edit = (is_of_target && !is_reported).then(|| words.to_owned());
    answers::evaluate(model);
}

fn edited_files(before: &[FileChange], after: &[FileChange]) -> Vec<PathBuf> {
    let text = |changes: &[FileChange], path: &Path| {
        changes.iter().find(|change| change.path == path).map(|change| change.draft.clone())
    };
    let files = before.iter().chain(after).map(|change| &change.path);
    files.filter(|path| text(before, path) != text(after, path)).cloned().collect()
}

/// Restores the text and outline of files that the draft no longer changes.
fn restore_outlines(model: &mut Model, before: &[FileChange]) {
    let now = model.edits.draft.changes();
    let gone = before.iter().filter(|old| now.iter().all(|new| new.path != old.path));
    for change in gone {
        if let (Some(source), Some(base)) =
            (model.opened.sources.get_mut(&change.path), &change.base)
        {
            source.draft(base.clone());
        }
    }
}
