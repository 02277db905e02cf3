//! The dialog for a line of a resource: opens the editor at its origin, or finds the edits that give
//! its field another value.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::message::Effect;
use super::super::model::{FieldEdit, FieldEditState, Model, Overlay, Pane, WorkKind};
use super::super::ports::{Work, WorkAnswer};
use super::super::text::{LineInput, sanitize};
use super::{editor, note, warn, what_if};
use crate::answers::recording::field::{exact_path_text, value_at};
use crate::answers::reverse::{VerifiedProposal, WantedValue, value_from_text};
use crate::engine::resource::PathStep;
use crate::experiment::WantedEdit;

/// Opens the dialog for the selected line of a resource of the output; false for any other row.
pub(crate) fn open(model: &mut Model) -> bool {
    let Some(edit) = selected_field(model) else { return false };
    model.overlay = Some(Overlay::FieldEdit(Box::new(edit)));
    true
}

/// The field on the selected line, if it is a value of the output.
fn selected_field(model: &Model) -> Option<FieldEdit> {
    if model.focused() != Pane::Resource {
        return None;
    }
    // At an earlier step, elements may have other indices than in the output.
    let field = model.field_under_cursor()?.field;
    let resource = model.resources.key.clone()?;
    let recording = &model.builds.recording;
    let output = recording.output_resource(recording.identity.slot(&resource)?)?;
    let path: Vec<PathStep> = field.find(&output.node)?;
    let (value, _) = value_at(&output.node, &path)?;
    value.as_scalar()?;
    let before = value.text().unwrap_or_default();
    if path.is_empty() || before.contains('\n') {
        return None;
    }
    let keys: Vec<&str> = path.iter().filter_map(PathStep::key).collect();
    let shown = model.look.secrets.part(output, &keys, value);
    // The value of a Secret is not shown.
    let text = if shown.same_value(value) { before } else { "" };
    Some(FieldEdit {
        resource,
        name: sanitize(&format!("{}/{}", output.id.gvk.kind, output.id.name)).into_owned(),
        field: exact_path_text(&output.node, &path),
        value: LineInput::new(text),
        place: editor::place(model),
        state: FieldEditState::Typing,
    })
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::FieldEdit(mut edit)) = model.overlay.take() else { return };
    match (key.code, key.modifiers) {
        (KeyCode::Esc, _) => return,
        (KeyCode::Char('e'), KeyModifiers::CONTROL) => {
            let Some((file, line)) = edit.place else {
                return note(model, "no file contains this value: a step creates it");
            };
            return model.request(Effect::OpenEditor(file, line));
        }
        _ => {}
    }
    match &mut edit.state {
        FieldEditState::Found { proposals, selected } => match key.code {
            KeyCode::Enter => {
                if let Some(chosen) = proposals.get(*selected).cloned() {
                    draft(model, &edit, &chosen);
                }
                return;
            }
            KeyCode::Down | KeyCode::Char('j') => {
                *selected = (*selected + 1).min(proposals.len().saturating_sub(1));
            }
            KeyCode::Up | KeyCode::Char('k') => {
                *selected = selected.saturating_sub(1);
            }
            _ => {}
        },
        FieldEditState::Searching => {}
        FieldEditState::Typing | FieldEditState::Refused(_) if key.code == KeyCode::Enter => {
            search(model, &mut edit);
        }
        FieldEditState::Typing | FieldEditState::Refused(_) => {
            edit.value.key(key);
            edit.state = FieldEditState::Typing;
        }
    }
    model.overlay = Some(Overlay::FieldEdit(edit));
}

fn search(model: &mut Model, edit: &mut FieldEdit) {
    let value = match edit.value.text() {
        "" => Ok(WantedValue::Remove),
        text => value_from_text(text).map(WantedValue::Set),
    };
    let value = match value {
        Ok(value) => value,
        Err(reason) => {
            edit.state = FieldEditState::Refused(reason);
            return;
        }
    };
    edit.state = FieldEditState::Searching;
    let (resource, field) = (edit.resource.clone(), edit.field.clone());
    let wanted = model.edit_request(WantedEdit { resource, field, value });
    model.start(WorkKind::FieldEdit, Work::FindEdits(Box::new(wanted)));
}

/// Shows the found edits, or the reason against them, if the dialog still waits for them.
pub(crate) fn handle_found_edits(model: &mut Model, result: Result<WorkAnswer, String>) {
    if let Some(Overlay::FieldEdit(edit)) = &mut model.overlay
        && matches!(edit.state, FieldEditState::Searching)
    {
        edit.state = match result {
            Ok(WorkAnswer::EditsFound(proposals)) => {
                FieldEditState::Found { proposals, selected: 0 }
            }
            Ok(_) => return,
            Err(reason) => FieldEditState::Refused(reason),
        };
    }
}

fn draft(model: &mut Model, edit: &FieldEdit, chosen: &VerifiedProposal) {
    let change = &chosen.proposal.change;
    let files = model.edits.draft.files(model.opened.disk.clone());
    if files.read(&change.path).ok() != change.base {
        return warn(model, "the draft has changed since: search again");
    }
    let words = format!("set {} of {}", sanitize(&edit.field), edit.name);
    what_if::draft_changes(model, &words, &words, std::slice::from_ref(change));
}
