//! Commands that move: within a list, from pane to pane, from screen to screen, to a place and up.

use crate::header;
use crate::layout::layout;
use crate::model::{Model, Pane, Screen, WorkbenchPlace};
use crate::rows::shows_whole_rows;
use crate::screens::{component_table, targets};
use crate::update::derive::derive_resources;
use crate::update::selection::{focus, go_to_problem, select, show_focused_list, show_screen};
use crate::update::{compare_all_resources, header_rows, matching, note, selection, time, warn};

/// Selects a row of the focused pane, or the last row if the pane has fewer.
pub(crate) fn select_focused_row(model: &mut Model, row: usize) {
    let pane = model.focused();
    if pane == Pane::Diff {
        compare_all_resources(model);
    }
    select(model, pane, row);
}

pub(crate) fn scroll_right(model: &mut Model, by: isize) {
    const MAX_SCROLL_COLUMNS: usize = 10_000;
    let pane = model.focused();
    if pane == Pane::ComponentTable {
        // The columns of the table follow the selected component.
        let at = model.list(Pane::TableComponents).selected.saturating_add_signed(by.signum());
        return select(model, Pane::TableComponents, at);
    }
    let columns = layout(model).pane(pane).map_or(0, |placed| placed.inner.width.saturating_sub(1));
    if by > 0 && shows_whole_rows(model, pane, columns.into()) {
        return note(model, "all rows are shown in full");
    }
    let list = model.list_mut(pane);
    list.left = list.left.saturating_add_signed(by).min(MAX_SCROLL_COLUMNS);
    let left = list.left;
    if left > 0 {
        note(model, format!("scrolled to column {} (alt-left: back)", left + 1));
    }
}

/// Moves the focus by a number of panes, from the last pane to the first.
pub(crate) fn focus_by(model: &mut Model, by: isize) {
    let panes = model.panes();
    let count = isize::try_from(panes.len()).unwrap_or(1);
    let at = isize::try_from(model.panes.focus[model.screen as usize]).unwrap_or(0);
    model.panes.focus[model.screen as usize] =
        usize::try_from((at + by).rem_euclid(count)).unwrap_or(0);
    show_focused_list(model);
}

/// Half the visible rows of the pane with the focus, at least one.
pub(crate) fn half_page(model: &Model) -> isize {
    let pane = model.focused();
    let height = layout(model).pane(pane).map_or(10, |placed| usize::from(placed.inner.height));
    isize::try_from((height.saturating_sub(header_rows(model, pane)) / 2).max(1)).unwrap_or(1)
}

/// Opens the selection; `esc` then leads back to the current screen.
pub(crate) fn open(model: &mut Model) {
    let from = model.screen;
    (crate::pane_view(model.focused()).open)(model);
    model.jumps.opened_from = (model.screen != from).then_some(from);
}

/// Selects a row of the tree, and opens the nodes that hide it.
pub(crate) fn show_row(model: &mut Model, key: &str) {
    let all = super::super::model::all_tree_rows(model);
    let Some(at) = all.iter().position(|row| &*row.key == key) else { return };
    let mut depth = all[at].depth;
    for row in all[..at].iter().rev() {
        if row.depth < depth {
            depth = row.depth;
            model.tree.open(row);
        }
    }
    selection::clear_filter(model, Pane::Tree);
    show_screen(model, Screen::Tree);
    focus(model, Pane::Tree);
    let rows = super::super::model::tree_rows(model);
    model.tree.set_rows(rows);
    select(model, Pane::Tree, model.tree.position(key).unwrap_or(0));
}

pub(crate) fn back(model: &mut Model) {
    if leave_pane(model) {
        return;
    }
    if model.focused() == Pane::Targets {
        return targets::keys::close_or_select_parent(model);
    }
    if model.focused() == Pane::Tree {
        let at = model.list(Pane::Tree).selected;
        let Some(row) = model.tree.rows.get(at).cloned() else { return };
        if row.open && row.depth > 0 {
            model.tree.toggle(&row);
            model.derived.invalidate(&[Pane::Tree]);
        } else if let Some(parent) = model.tree.parent(at) {
            select(model, Pane::Tree, parent);
        }
        return;
    }
    if matches!(model.focused(), Pane::Problems | Pane::Findings)
        && matching::close_finding_row(model, model.focused())
    {
        return;
    }
    if !clear_step_filter(model) {
        time::jump_back(model, false);
    }
}

/// Goes to the next or previous block of changed lines, if necessary in another changed resource.
pub(crate) fn change(model: &mut Model, forward: bool) {
    if next_change(model, forward).is_none() {
        // Resources that are far from the visible lines are not compared yet.
        compare_all_resources(model);
    }
    match next_change(model, forward) {
        Some(row) => select(model, Pane::Diff, row),
        None => note(model, "no more changes"),
    }
}

fn next_change(model: &Model, forward: bool) -> Option<usize> {
    let rows = &model.diff.whole.rows;
    let starts = |at: &usize| rows[*at].differs() && (*at == 0 || !rows[*at - 1].differs());
    let at = model.list(Pane::Diff).offset;
    if forward { (at + 1..rows.len()).find(starts) } else { (0..at).rev().find(starts) }
}

pub(crate) fn resource(model: &mut Model, forward: bool) {
    let by = if forward { 1 } else { -1 };
    if matches!(model.screen, Screen::Diff | Screen::Steps) {
        let row = model.list(Pane::Changed).selected.saturating_add_signed(by);
        select(model, Pane::Changed, row);
        return;
    }
    derive_resources(model);
    let at = model.resources.position().unwrap_or(0).saturating_add_signed(by);
    if let Some(row) = model.resources.list.get(at) {
        model.resources.choose(row.key.clone());
        model.list_mut(Pane::Resources).selected = at;
    }
}

pub(crate) fn problem(model: &mut Model, forward: bool) {
    let at = model.list(Pane::Problems).selected;
    let at = at.saturating_add_signed(if forward { 1 } else { -1 });
    let at = if at >= model.problems.rows.len() { 0 } else { at };
    let finding = model.problems.rows.findings(at).first().copied();
    go_to_problem(model, finding.unwrap_or(at));
}

/// Shows the screen of a place that was shown last; if the place is shown already, its first
/// screen.
pub(crate) fn show_place(model: &mut Model, place: WorkbenchPlace) {
    let is_here = model.screen.place() == place;
    let last = model.panes.tabs[place as usize].filter(|_| !is_here);
    show_in_place(model, last.unwrap_or(place.first()));
}

/// Shows a screen. In the place Repository, the names of its tabs mean its own screens.
pub(crate) fn go_to_screen(model: &mut Model, screen: Screen) {
    // The places Repository and Target each have a tab with this name.
    let is_repository = model.screen.place() == WorkbenchPlace::Repository;
    let screen = match screen {
        Screen::Problems if is_repository => Screen::Findings,
        Screen::Components if is_repository => Screen::ComponentTable,
        screen => screen,
    };
    show_in_place(model, screen);
}

/// Shows a screen. A screen of the target opens the selected target if none is open; the screens
/// about the components of a target open the overlay that is selected in the table.
fn show_in_place(model: &mut Model, screen: Screen) {
    let is_of_overlay = matches!(screen, Screen::Order | Screen::Combinations)
        && model.screen == Screen::ComponentTable
        && model.selected_overlay().is_some();
    if is_of_overlay {
        component_table::keys::open(model);
        return selection::show_screen(model, screen);
    }
    let needs_target = screen.place() == WorkbenchPlace::Target && !model.opened.has_target;
    if needs_target {
        targets::keys::open_selected(model);
    }
    if let Some(reason) = header::absence(model, screen).filter(|_| model.opened.has_target) {
        return warn(model, reason);
    }
    if !needs_target || model.opened.has_target {
        model.jumps.opened_from = None;
        selection::show_screen(model, screen);
    }
}

pub(crate) fn next_tab(model: &mut Model, forward: bool) {
    let tabs = header::tabs(model);
    let Some(at) = tabs.iter().position(|tab| tab.to == model.screen) else { return };
    let by = if forward { 1 } else { tabs.len() - 1 };
    let to = tabs[(at + by) % tabs.len()].to;
    model.jumps.opened_from = None;
    selection::show_screen(model, to);
}

/// Goes up one level, in this order: leave the zoom, clear the filter, focus the first pane, clear
/// the filter of steps, return to the screen from which this one was opened, go to the first tab,
/// go to the repository.
pub(crate) fn leave(model: &mut Model) {
    if !leave_pane(model) && !clear_step_filter(model) {
        leave_screen(model);
    }
}

/// Leaves the zoom, the filter, the followed users, or a pane that is not the first; false without
/// any.
pub(crate) fn leave_pane(model: &mut Model) -> bool {
    std::mem::take(&mut model.panes.zoomed)
        || selection::clear_filter(model, model.focused())
        || model.focused() == Pane::Users && targets::keys::unfollow(model)
        || std::mem::take(&mut model.panes.focus[model.screen as usize]) != 0
}

/// Lists all steps; false if they are listed, or are not shown.
pub(crate) fn clear_step_filter(model: &mut Model) -> bool {
    model.screen == Screen::Steps && !std::mem::take(&mut model.steps.filter).is_empty()
}

/// Leaves the screen: to the one before, to the first of the place, or to the place above.
pub(crate) fn leave_screen(model: &mut Model) {
    let place = model.screen.place();
    if let Some(from) = model.jumps.opened_from.take() {
        if model.jumps.back.last().is_some_and(|(screen, ..)| *screen == from) {
            return time::jump_back(model, false);
        }
        return selection::show_screen(model, from);
    }
    let to = match place {
        _ if model.screen != place.first() => place.first(),
        WorkbenchPlace::Change if model.opened.has_target => {
            model.panes.tabs[WorkbenchPlace::Target as usize].unwrap_or(Screen::Tree)
        }
        WorkbenchPlace::Target | WorkbenchPlace::Change => Screen::Board,
        WorkbenchPlace::Repository => return note(model, "top level (q: quit)"),
    };
    selection::show_screen(model, to);
}
