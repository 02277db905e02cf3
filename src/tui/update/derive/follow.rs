//! Synchronizes the panes: a selection in one pane applies to all panes.

use super::super::super::model::{Compare, Model, Pane, Screen};
use super::super::time;

/// Selects the chosen resource in the list of the screen. A list without it shows its first
/// resource; the next list with the chosen resource selects it again.
pub(crate) fn resource(model: &mut Model) {
    let Some(pane) = model.screen.resource_list() else { return };
    if pane == Pane::Changed && model.compared() == Compare::Files {
        return;
    }
    let rows = match pane {
        Pane::Effect => &model.detail.effect,
        Pane::Changed => &model.diff.changed,
        _ => &model.components.effect,
    };
    let at = model.resources.chosen_index(rows).unwrap_or(0);
    let Some(key) = rows.get(at).and_then(|row| row.key.clone()) else { return };
    model.resources.key = Some(key);
    model.list_mut(pane).selected = at;
}

/// Selects the tree row of the current step. After a move in the tree, `selection::select` moves
/// the step; here the step has moved, and the tree follows.
pub(crate) fn step(model: &mut Model) {
    let now @ (generation, _) = super::moment_key(model);
    let before = model.derived.tree_time.replace(now);
    if before == Some(now) {
        return;
    }
    let at = model.list(Pane::Tree).selected.min(model.tree.rows.len().saturating_sub(1));
    let Some(row) = model.tree.rows.get(at) else { return };
    let is_rebuilt = before.is_none_or(|(before, _)| before != generation);
    let belongs = row.steps.contains(&model.cursor);
    if is_rebuilt && (belongs || row.steps.is_empty()) {
        return;
    }
    if is_rebuilt && model.screen == Screen::Tree && model.builds.recording.error.is_none() {
        // A toggled row stays selected; after the build it has steps, and the cursor moves to them.
        if let Some(step) = time::last_step_in_row(model, at) {
            model.cursor = step;
            model.derived.tree_time = Some((generation, step));
        }
        return;
    }
    let rows = model.tree.rows.iter().enumerate();
    let around = rows.filter(|(_, row)| row.steps.contains(&model.cursor));
    // If several rows are equally deep, the first is selected.
    let found = around.max_by_key(|(at, row)| (row.depth, std::cmp::Reverse(*at)));
    if let Some((at, _)) = found {
        model.list_mut(Pane::Tree).selected = at;
    }
}
