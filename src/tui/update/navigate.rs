//! Commands that move: within a list, from pane to pane, from screen to screen.

use super::super::layout::layout;
use super::super::model::{Model, Pane, Screen};
use super::super::rows::shows_whole_rows;
use super::derive::derive_resources;
use super::places::{clear_step_filter, leave_pane};
use super::selection::{focus, go_to_problem, select, show_focused_list, show_screen};
use crate::screens::targets;
use crate::update::{compare_all_resources, header_rows, matching, note, selection, time};

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
