//! The edits of the draft as a list: an edit can be left out, restored or dropped.

use std::path::PathBuf;
use std::sync::Arc;

use crate::answers::compare::CompareReport;
use crate::model::{EditEffects, Model, Pane, Screen, WorkKind};
use crate::ports::ComparisonSides;
use crate::update::{questions, warn, what_if};

const DEPENDENT_EDITS_REASON: &str = "later edits change the same lines (z undoes them first)";

pub(crate) fn toggle(model: &mut Model) {
    let Some(edit) = model.selected_edit().cloned() else { return };
    let name = model.edit_name(&edit);
    let Some(draft) = model.edits.draft.with_edit_toggled(edit.act) else {
        return warn(model, format!("cannot be left out: {DEPENDENT_EDITS_REASON}"));
    };
    model.edits.draft = draft;
    let words = if edit.is_left_out {
        format!("included again: {name}")
    } else {
        format!("left out: {name} (space includes it again)")
    };
    what_if::finish_edit(model, &words);
}

pub(crate) fn drop_edit(model: &mut Model) {
    let Some(edit) = model.selected_edit().cloned() else { return };
    let name = model.edit_name(&edit);
    if !model.edits.draft.drop_edit(edit.act) {
        return warn(model, format!("cannot be dropped: {DEPENDENT_EDITS_REASON}"));
    }
    what_if::finish_edit(model, &format!("dropped: {name} (z restores it)"));
}

/// Reverts the last action: restores a dropped edit, or undoes the last edit.
pub(crate) fn undo(model: &mut Model) {
    if undo_drop(model).is_none() {
        what_if::undo(model);
    }
}

/// Restores the edit that was dropped last, and selects it; `None` if the last action was another
/// one.
fn undo_drop(model: &mut Model) -> Option<()> {
    let act = model.edits.draft.restore_dropped_edit()?;
    let edits = model.edits.draft.edits();
    let at = edits.iter().position(|edit| edit.act == act)?;
    let words = format!("restored: {}", model.edit_name(&edits[at]));
    what_if::finish_edit(model, &words);
    model.list_mut(Pane::Edits).selected = at;
    Some(())
}

/// Requests the comparison of the next edit without a result, beginning with the selected edit.
pub(crate) fn request_edit_effect(model: &mut Model) {
    if model.screen != Screen::Change {
        return;
    }
    let of = model.edits.draft.revision();
    if model.edits.effects.of != of {
        model.edits.effects = EditEffects { of, ..EditEffects::default() };
        model.work.cancel(WorkKind::EditEffect);
    }
    // Only one comparison runs at a time, and the comparison of the complete draft has priority.
    if model.work.is_running(WorkKind::EditEffect) || model.work.is_running(WorkKind::Reach) {
        return;
    }
    loop {
        let known = &model.edits.effects.by_edit;
        let selected = model.selected_edit().into_iter();
        let mut edits = selected.chain(&model.edits.list);
        let Some(edit) = edits.find(|edit| !known.contains_key(&edit.act)) else { return };
        let (act, is_left_out) = (edit.act, edit.is_left_out);
        let Some(other) = model.edits.draft.with_edit_toggled(act) else {
            model.edits.effects.by_edit.insert(act, Err(DEPENDENT_EDITS_REASON.to_owned()));
            continue;
        };
        let draft = &model.edits.draft;
        let mut sides = [other.changes(), draft.changes()];
        if is_left_out {
            sides.reverse();
        } else if (model.builds.recording.error.is_some() || model.reach.has_failing_targets())
            && let Some(until) = draft.up_to_edit(act)
            && let Some(before) = until.with_edit_toggled(act)
        {
            // A failure belongs to the edit that adds it, and not to every edit of the draft.
            sides = [before.changes(), until.changes()];
        }
        model.start_comparison(WorkKind::EditEffect, ComparisonSides::Edit(sides), 0);
        model.edits.effects.asked = Some(act);
        return;
    }
}

pub(crate) fn handle_report(model: &mut Model, result: Result<Arc<CompareReport>, String>) {
    if let Some(act) = model.edits.effects.asked.take() {
        model.edits.effects.by_edit.insert(act, result);
    }
}

pub(crate) fn derive_diff(model: &mut Model) {
    let of = model.selected_edit().map(|edit| (model.edits.draft.revision(), edit.act));
    if model.edits.shown.of == of {
        return;
    }
    let files = model.selected_edit().map(|edit| edit.files.clone()).unwrap_or_default();
    model.edits.shown.files =
        files.iter().map(|change| questions::change_item(model, change, "")).collect();
    model.edits.shown.of = of;
}

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let change = model.selected_edit()?.files.first()?;
    Some((change.path.clone(), change.first_changed_line()))
}
