//! Selection, focus, filters, and going from one screen to another.

use crate::model::{Model, Pane, ResourceKey, Screen};
use crate::update::derive::derive_resources;
use crate::update::{derive, time};

/// Shows a screen, and remembers the previous position.
pub(crate) fn show_screen(model: &mut Model, screen: Screen) {
    if screen == Screen::Resource
        && let Some(key) = model.resources.key.clone()
    {
        // Visiting the Resource screen chooses the shown resource.
        model.resources.choose(key);
    }
    if model.screen != screen {
        time::remember(model);
        model.screen = screen;
        model.panes.zoomed = false;
    }
}

pub(crate) fn focus(model: &mut Model, pane: Pane) {
    if let Some(index) = model.panes().iter().position(|other| *other == pane) {
        model.panes.focus[model.screen as usize] = index;
    }
    show_focused_list(model);
}

/// Shows the screen of the list with the focus: tree and steps are shown together, and the details
/// beside them belong to the list with the focus.
pub(crate) fn show_focused_list(model: &mut Model) {
    let screen = match (model.screen, model.focused()) {
        (Screen::Tree, Pane::Steps) => Screen::Steps,
        (Screen::Steps, Pane::Tree) => Screen::Tree,
        _ => return,
    };
    model.panes.focus[model.screen as usize] = 0;
    model.screen = screen;
    model.panes.focus[screen as usize] = 0;
}

pub(crate) fn select(model: &mut Model, pane: Pane, row: usize) {
    let row = row.min(model.rows(pane).saturating_sub(1));
    if pane == Pane::Steps {
        // The list of steps is the timeline: the selected step becomes the current step.
        if let Some(step) = model.steps.visible.get(row) {
            model.cursor = *step;
        }
        return;
    }
    if pane == Pane::Diff {
        return select_in_diff(model, row);
    }
    let list = model.list_mut(pane);
    list.selected = row;
    if pane.is_text() {
        list.offset = row;
    }
    let chosen = match pane {
        Pane::Tree => {
            // The cursor moves to the last effective step of the row.
            if let Some(step) = time::last_step_in_row(model, row) {
                model.cursor = step;
                model.derived.tree_time = Some((model.builds.generation, step));
            }
            return;
        }
        Pane::Changed => model.diff.changed.get(row).and_then(|row| row.key.clone()),
        Pane::Effect => model.detail.effect.get(row).and_then(|row| row.key.clone()),
        Pane::ComponentEffect => model.components.effect.get(row).and_then(|row| row.key.clone()),
        Pane::Resources => model.resources.list.get(row).map(|row| row.key.clone()),
        _ => None,
    };
    if let Some(key) = chosen {
        model.resources.choose(key);
    }
}

/// Scrolls the diff to a row, and selects the resource to which that row belongs.
fn select_in_diff(model: &mut Model, row: usize) {
    let most = model.diff.whole.rows.len().saturating_sub(1);
    let list = model.list_mut(Pane::Diff);
    (list.offset, list.selected) = (row.min(most), row.min(most));
    let Some(part) = model.diff.whole.rows.get(row).map(|row| row.part) else { return };
    model.list_mut(Pane::Changed).selected = part;
    if let Some((_, seen)) = &mut model.derived.diff {
        *seen = part;
    }
    if let Some(key) = model.diff.changed.get(part).and_then(|row| row.key.clone()) {
        model.resources.choose(key);
    }
}

pub(crate) fn move_selection_by(model: &mut Model, by: isize) {
    scroll_pane(model, model.focused(), by);
}

/// Scrolls a pane without moving the focus, as the mouse wheel does.
pub(crate) fn scroll_pane(model: &mut Model, pane: Pane, by: isize) {
    let row = model.list(pane).selected.saturating_add_signed(by);
    select(model, pane, row);
}

/// Shows a resource at the current step, or at the last step if it does not exist at the current
/// one.
pub(crate) fn show_resource(model: &mut Model, key: ResourceKey) {
    derive_resources(model);
    let is_there = model.resources.list.iter().any(|row| row.key == key);
    time::remember(model);
    if !is_there {
        model.cursor = model.builds.recording.len().saturating_sub(1);
    }
    model.resources.choose(key);
    model.screen = Screen::Resource;
    focus(model, Pane::Resource);
}

pub(crate) fn go_to_problem(model: &mut Model, at: usize) {
    time::remember(model);
    if model.problems.rows.position(at).is_none() {
        clear_filter(model, Pane::Problems);
    }
    let row = model.problems.rows.show_finding(at);
    model.list_mut(Pane::Problems).selected = row.unwrap_or(0);
    model.screen = Screen::Problems;
    if let Some(step) = model.problems.all.get(at).and_then(|problem| problem.step) {
        model.cursor = step;
    }
}

/// The lists that a search filters; in other lists it only jumps from match to match.
const FILTERED: [Pane; 6] =
    [Pane::Tree, Pane::Steps, Pane::Problems, Pane::Catalogs, Pane::Targets, Pane::Findings];

/// Shows only matching rows; all rows for an empty text.
pub(crate) fn set_filter(model: &mut Model, pane: Pane, text: &str) {
    if !FILTERED.contains(&pane) {
        return;
    }
    if text.is_empty() {
        model.panes.filters.remove(&pane);
    } else {
        model.panes.filters.insert(pane, text.to_owned());
    }
    derive::update_pane_rows(model, pane);
}

/// Opens the rows around the selected row of the tree, so that it stays in view without a filter.
fn open_parents(model: &mut Model) {
    let mut at = model.list(Pane::Tree).selected;
    while let Some(parent) = model.tree.parent(at) {
        let row = model.tree.rows[parent].clone();
        model.tree.open(&row);
        at = parent;
    }
}

/// Shows all rows again; false if no filter was set.
pub(crate) fn clear_filter(model: &mut Model, pane: Pane) -> bool {
    let was = model.panes.filters.contains_key(&pane);
    if was {
        if pane == Pane::Tree {
            open_parents(model);
        }
        set_filter(model, pane, "");
    }
    was
}
