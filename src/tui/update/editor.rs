//! Edits a file: in the user's editor, or in the built-in one, which updates the draft while the
//! user types.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_textarea::{CursorMove, TextArea};

use super::super::message::Effect;
use super::super::model::{InnerEditor, Model, Overlay};
use super::super::theme::StyleRole;
use super::{answers, say_error, say_file_error, time, warn, what_if};
use crate::draft::Edit;
use crate::engine::load::{FileError, FileKind, clean};

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    (crate::pane_view(model.focused()).place)(model)
}

pub(crate) fn open_user_editor(model: &mut Model) {
    if let Some((path, line)) = place(model) {
        model.request(Effect::OpenEditor(path, line));
    }
}

pub(crate) fn open_builtin_editor(model: &mut Model) {
    let Some((file, line)) = place(model) else { return };
    open_builtin_editor_at(model, file, line);
}

pub(crate) fn open_builtin_editor_at(model: &mut Model, file: PathBuf, line: u32) {
    if let Err(reason) = model.edits.draft.scope().check(&file, &*model.opened.disk) {
        return warn(model, format!("not editable here: {reason}; e opens it in your editor"));
    }
    let files = model.edits.draft.files(model.opened.disk.clone());
    let text = match files.read(&file).map(|bytes| String::from_utf8(bytes.to_vec())) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => {
            return say_error(model, "the file is not UTF-8: e opens it in your editor");
        }
        // An entry may name a file that does not exist yet.
        Err(FileError::Missing { .. })
            if matches!(
                file.parent().map(|folder| model.opened.disk.resolve(folder)),
                Some(Ok((_, FileKind::Directory)))
            ) =>
        {
            String::new()
        }
        Err(error) => {
            say_file_error(model, &file, &error);
            return;
        }
    };
    let is_new = files.read(&file).is_err();
    select_step_at_line(model, &file, line);
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut area = TextArea::new(text.lines().map(str::to_owned).collect());
    area.set_style(model.look.theme.style(StyleRole::Text));
    area.set_cursor_line_style(model.look.theme.style(StyleRole::SelectedElsewhere));
    area.set_line_number_style(model.look.theme.style(StyleRole::Dim));
    let row = u16::try_from(line.saturating_sub(1)).unwrap_or(u16::MAX);
    area.move_cursor(CursorMove::Jump(row, 0));
    let editor = InnerEditor {
        title: model.builds.recording.shorten(&file.to_string_lossy())
            + if is_new { " (new)" } else { "" },
        ends_with_line: is_new || text.ends_with('\n'),
        file,
        area,
        line_end,
        edited: false,
    };
    model.overlay = Some(Overlay::Editor(Box::new(editor)));
}

/// Selects the step that belongs to the edited line: the one that the line configures, or else the
/// first step that the file configures or that applies the file. If the current step is one of
/// these, it stays selected.
fn select_step_at_line(model: &mut Model, file: &std::path::Path, line: u32) {
    let recording = &model.builds.recording;
    // The line of the file that configures a step; 0 for a step that only applies the file.
    let written_at = |index: usize| -> Option<u32> {
        let step = recording.step(index)?;
        let written = recording.file(step.mark).map(std::path::Path::new) == Some(file);
        let layer = recording.trace.layer(step.layer);
        let named = layer.map(|layer| clean(&PathBuf::from(&*layer.path).join(&*step.argument)));
        let applied = (named.as_deref() == Some(file)).then_some(0);
        if written { Some(step.mark.line) } else { applied }
    };
    let steps = || (0..recording.len()).filter_map(|index| Some((index, written_at(index)?)));
    let nearest = steps().map(|(_, at)| at).filter(|at| (1..=line).contains(at)).max();
    let is_it = |at: u32| nearest.is_none_or(|nearest| at == nearest || at == 0);
    if written_at(model.cursor).is_some_and(is_it) {
        return;
    }
    let found = || steps().filter(|(_, at)| is_it(*at)).map(|(index, _)| index);
    let acts = |index: &usize| recording.acts(*index);
    if let Some(step) = found().find(acts).or_else(|| found().next()) {
        time::jump_to(model, step);
    }
}

/// Handles a key while the built-in editor is open. Esc keeps the changes in the draft; ctrl-c
/// discards them.
pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Editor(editor)) = &mut model.overlay else { return };
    match (key.code, key.modifiers) {
        (KeyCode::Esc, _) => {
            model.overlay = None;
            return;
        }
        (KeyCode::Char('c'), KeyModifiers::CONTROL) => {
            let edited = editor.edited;
            model.overlay = None;
            if edited {
                what_if::undo(model);
            }
            return;
        }
        _ => {}
    }
    if editor.area.input(key) {
        changed(model);
    }
}

pub(crate) fn handle_paste(model: &mut Model, text: &str) {
    let Some(Overlay::Editor(editor)) = &mut model.overlay else { return };
    if editor.area.insert_str(text.replace("\r\n", "\n").replace('\r', "\n")) {
        changed(model);
    }
}

/// Updates the draft. All changes from opening to closing the editor are one edit: the previous
/// state of this edit is reverted first.
fn changed(model: &mut Model) {
    let Some(Overlay::Editor(editor)) = &mut model.overlay else { return };
    let mut text = editor.area.lines().join(editor.line_end);
    if editor.ends_with_line {
        text.push_str(editor.line_end);
    }
    let edit = Edit::SetText { file: editor.file.clone(), text: Arc::from(text.into_bytes()) };
    let again = std::mem::replace(&mut editor.edited, true);
    if again {
        model.edits.draft.undo();
    }
    let disk = model.opened.disk.clone();
    if let Err(error) = model.edits.draft.apply(&edit, &*disk) {
        say_file_error(model, edit.file(), &error);
    }
    answers::refresh_draft(model);
    answers::evaluate(model);
}
