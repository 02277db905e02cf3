//! Writes the draft: shown first, confirmed once, never over a file that changed meanwhile.

use std::path::Path;

use crossterm::event::{KeyCode, KeyEvent};

use super::super::message::Effect;
use super::super::model::{
    Confirm, Confirmation, KeptDraftState, Model, Overlay, RunningBuild, Screen,
};
use super::super::ports::{StoreOrder, WriteError};
use super::super::text::sanitize;
use super::super::theme::StyleRole;
use super::questions::{change_item, name_answers, open_question};
use crate::display::counted;
use crate::draft::{DiskChange, FileChange, StoredDraft};
use crate::screens::{change, compared, targets};
use crate::update::{
    answers, drafts, note, questions, say, say_error, selection, user_commands, warn, what_if,
};

/// Shows the exact difference of every file and asks for confirmation; a file in conflict is
/// resolved first.
pub(crate) fn ask(model: &mut Model, then_quit: bool) {
    if model.edits.changes.is_empty() {
        if then_quit {
            model.request(Effect::Quit);
        }
        return;
    }
    if conflict(model) {
        return;
    }
    let changes = model.edits.changes.clone();
    let files: Vec<_> = changes.iter().map(|change| change_item(model, change, "")).collect();
    let question = match (files.as_slice(), changes.as_slice()) {
        (_, [gone @ FileChange { draft: None, .. }]) => {
            format!("remove {}?", model.shown_file(&gone.path))
        }
        ([(name, ..)], _) => format!("write {name}?"),
        (files, _) => format!("write {} files?", files.len()),
    };
    open_question(model, question, Confirmation::Write { then_quit }, changes, files);
}

/// Asks about the first file in conflict; false without one.
fn conflict(model: &mut Model) -> bool {
    let found = model.edits.changes.iter().find_map(|change| {
        let disk = model.edits.draft.conflicting_disk_text(&change.path)?;
        Some((change.clone(), disk))
    });
    let Some((change, disk)) = found else { return false };
    let theirs = FileChange { draft: disk, ..change.clone() };
    let files = vec![
        change_item(model, &theirs, ": change on disk"),
        change_item(model, &change, ": change of the draft"),
    ];
    let name = model.shown_file(&change.path);
    let question = format!("{name} conflicts with the file on disk");
    let asked = Confirmation::Conflict(change.path.clone());
    open_question(model, question, asked, vec![change], files);
    true
}

pub(crate) fn offer(model: &mut Model, kept: StoredDraft) {
    if model.is_read_only() {
        // In read-only mode the draft is neither restored nor discarded.
        return;
    }
    if model.has_draft() {
        // The user has begun another draft meanwhile; the stored draft stays kept.
        return model.request(Effect::Store(StoreOrder::LeaveDraft));
    }
    if model.overlay.is_some() {
        model.edits.keeping = KeptDraftState::Undecided(Box::new(kept));
        return;
    }
    let files: Vec<_> = kept.files.iter().map(|change| change_item(model, change, "")).collect();
    let name = kept.name.as_deref().map(|name| format!(" `{}`", sanitize(name)));
    let name = name.unwrap_or_default();
    let question = match files.as_slice() {
        [(file, ..)] => format!("restore the draft{name} from last time ({file})?"),
        [] => {
            let edits = counted(kept.left_out.len(), "edit");
            format!("restore the draft{name} from last time ({edits} left out)?")
        }
        files => format!("restore the draft{name} from last time ({} files)?", files.len()),
    };
    let changes = kept.files.clone();
    open_question(model, question, Confirmation::Resume(Box::new(kept)), changes, files);
}

pub(crate) fn offer_undecided_draft(model: &mut Model) {
    if model.overlay.is_none()
        && let KeptDraftState::Undecided(kept) = &mut model.edits.keeping
    {
        let kept = std::mem::take(&mut **kept);
        model.edits.keeping = KeptDraftState::default();
        offer(model, kept);
    }
}

pub(crate) fn handle_unkept_draft(model: &mut Model, reason: &str) {
    model.edits.keeping = KeptDraftState::Impossible;
    // The earlier message stays valid; this one is appended.
    let said = model.status.take().map(|status| format!("{}; but ", status.text));
    let what = if model.has_draft() {
        "the draft was not saved for the next time"
    } else {
        "the saved draft cannot be removed and will be offered again"
    };
    warn(model, format!("{}{what}: {reason}", said.unwrap_or_default()));
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Confirm(confirm)) = &mut model.overlay else { return };
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => confirm.offset += 1,
        KeyCode::Up | KeyCode::Char('k') => confirm.offset = confirm.offset.saturating_sub(1),
        code => {
            let Some(Overlay::Confirm(confirm)) = model.overlay.take() else { return };
            match confirm.asked.clone() {
                Confirmation::Write { then_quit } => {
                    handle_write_key(model, confirm, then_quit, code);
                }
                Confirmation::Conflict(path) => handle_conflict_key(model, confirm, &path, code),
                Confirmation::Resume(kept) => handle_resume_key(model, confirm, *kept, code),
                Confirmation::Run { index } => match code {
                    KeyCode::Char('y') => user_commands::run(model, index),
                    KeyCode::Char('n') | KeyCode::Esc => {}
                    _ => name_answers(model, confirm),
                },
                Confirmation::Restore { number } => {
                    questions::handle_restore_key(model, confirm, number, code);
                }
            }
        }
    }
}

fn handle_write_key(model: &mut Model, confirm: Box<Confirm>, then_quit: bool, code: KeyCode) {
    match code {
        KeyCode::Char('y') if model.needs_second_confirmation() => {
            let words = "the draft does not build or deletes data: Y writes anyway, n cancels";
            say_error(model, words);
            model.overlay = Some(Overlay::Confirm(confirm));
        }
        KeyCode::Char('y' | 'Y') => {
            model.edits.writing = confirm.changes.len();
            model.edits.written = (0, 0);
            model.edits.quit_after_write = then_quit;
            let words = model.edits.draft.unwritten();
            model.request(Effect::Store(StoreOrder::Write(confirm.changes, words)));
        }
        KeyCode::Char('t') => {
            note(model, "not written yet (:w asks again)");
            compared::keys::show_draft_by_target(model);
            targets::keys::request_draft_effects_now(model);
        }
        KeyCode::Char('w') => {
            note(model, "not written yet (:w asks again)");
            selection::show_screen(model, Screen::Problems);
        }
        KeyCode::Char('z') => change::keys::undo(model),
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => note(model, "not written"),
        _ => name_answers(model, confirm),
    }
}

fn handle_conflict_key(model: &mut Model, confirm: Box<Confirm>, path: &Path, code: KeyCode) {
    match code {
        KeyCode::Char('d') => {
            // The diff against the changed file is shown before the write.
            model.edits.draft.keep_draft(path);
            answers::refresh_draft(model);
            ask(model, false);
        }
        KeyCode::Char('f') => {
            model.edits.draft.discard_file(path);
            what_if::finish_edit(model, "kept the file on disk");
        }
        KeyCode::Char('n' | 'q') | KeyCode::Esc => note(model, "not decided (:w asks again)"),
        _ => name_answers(model, confirm),
    }
}

fn handle_resume_key(model: &mut Model, confirm: Box<Confirm>, kept: StoredDraft, code: KeyCode) {
    match code {
        KeyCode::Char('y' | 'Y') => {
            model.edits.name.clone_from(&kept.name);
            let met = drafts::restore_kept_draft(model, kept);
            let words = match () {
                () if met.contains(&DiskChange::Conflict) => {
                    "draft restored; conflicts with files on disk (:w shows both and asks)"
                }
                () if met.contains(&DiskChange::Rebased) => {
                    "draft restored and rebased on changed files"
                }
                () => "draft restored",
            };
            what_if::finish_edit(model, words);
        }
        KeyCode::Char('n' | 'N') => {
            note(model, "draft discarded");
            model.request(Effect::Store(StoreOrder::KeepDraft(StoredDraft::default())));
        }
        KeyCode::Char('q') | KeyCode::Esc => {
            note(model, "draft kept (`:draft` lists it)");
            model.request(Effect::Store(StoreOrder::LeaveDraft));
        }
        _ => name_answers(model, confirm),
    }
}

/// Keeps the draft for the next start if it differs from the kept one.
pub(crate) fn keep(model: &mut Model) {
    let revision = model.edits.draft.revision();
    let KeptDraftState::Kept(files, kept) = &model.edits.keeping else { return };
    if model.is_read_only() || (*kept == revision && *files == model.edits.changes) {
        return;
    }
    let draft = model.edits.draft.to_stored(model.edits.name.as_deref());
    let was_nothing = files.is_empty() && !model.edits.keeps_left_out;
    model.edits.keeps_left_out = !draft.left_out.is_empty();
    model.edits.keeping = KeptDraftState::Kept(draft.files.clone(), revision);
    // Store no draft if both the kept draft and the current one are empty.
    if !(was_nothing && draft.is_empty()) {
        model.request(Effect::Store(StoreOrder::KeepDraft(draft)));
    }
}

pub(crate) fn handle_write_end(model: &mut Model, path: &Path, result: Result<(), WriteError>) {
    model.edits.writing = model.edits.writing.saturating_sub(1);
    // The report of the write must not be replaced by a later build.
    model.edits.last_edit = None;
    let name = model.shown_file(path);
    match result {
        Ok(()) => {
            let removed =
                model.edits.changes.iter().any(|it| it.path == path && it.draft.is_none());
            model.edits.draft.mark_written(path);
            answers::refresh_draft(model);
            if !model.has_draft() && model.builds.running == RunningBuild::Idle {
                model.builds.saved = Some(model.builds.recording.clone());
            }
            let (files, gone) = &mut model.edits.written;
            *files += 1;
            *gone += usize::from(removed);
            let words = match (*files, *gone) {
                (1, 0) => format!("wrote {name}"),
                (1, _) => format!("removed {name}"),
                (files, gone) if files == gone => format!("removed {files} files"),
                (files, 0) => format!("wrote {files} files"),
                (files, gone) => format!("wrote {} and removed {gone} files", files - gone),
            };
            say(model, StyleRole::Ok, words);
        }
        Err(error) => {
            model.edits.quit_after_write = false;
            let words = match error {
                WriteError::Conflict(disk) => {
                    model.edits.draft.disk_changed(path, disk);
                    answers::refresh_draft(model);
                    if conflict(model) {
                        format!("{name} changed on disk meanwhile: not written")
                    } else {
                        format!(
                            "{name} changed on disk meanwhile: not written; :w shows the draft on its new content"
                        )
                    }
                }
                WriteError::NotAlone(cause) => {
                    format!("{name}: not written, because {cause} was not written")
                }
                WriteError::Io(reason) => format!("{name}: {reason}"),
            };
            say_error(model, words);
        }
    }
    if model.edits.quit_after_write && model.edits.writing == 0 {
        model.request(Effect::Quit);
    }
}
