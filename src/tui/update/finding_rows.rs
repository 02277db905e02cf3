//! Opens and closes the rows of both lists of problems.

use super::super::model::{FindingRows, Model, Pane};
use super::matching::{retain, visible_row_mask};

/// Shows the rows of a list of problems that match its filter, which also finds the places in closed
/// rows.
pub(crate) fn show(model: &mut Model, pane: Pane) {
    let is_filtered = model.panes.filters.contains_key(&pane);
    let rows = rows_of(model, pane);
    rows.show_places(is_filtered);
    let depths: Vec<usize> = (0..rows.len()).map(|row| rows.depth(row)).collect();
    let kept = visible_row_mask(model, pane, |row| depths[row]);
    retain(&mut rows_of(model, pane).shown, kept.as_deref());
}

fn rows_of(model: &mut Model, pane: Pane) -> &mut FindingRows {
    match pane {
        Pane::Findings => &mut model.board.findings.rows,
        _ => &mut model.problems.rows,
    }
}

/// Shows the places of the selected row of a list of problems; false if they are shown, or if it has
/// one place.
pub(crate) fn open(model: &mut Model, pane: Pane) -> bool {
    let row = model.list(pane).selected;
    let is_filtered = model.panes.filters.contains_key(&pane);
    let rows = rows_of(model, pane);
    let is_closed = !is_filtered && rows.is_open(row) == Some(false);
    if is_closed {
        rows.toggle(row);
    }
    is_closed
}

/// Closes the row of the selected place; false if it is closed.
pub(crate) fn close(model: &mut Model, pane: Pane) -> bool {
    let row = model.list(pane).selected;
    let rows = rows_of(model, pane);
    let is_open = rows.depth(row) > 0 || rows.is_open(row) == Some(true);
    if is_open {
        model.list_mut(pane).selected = rows_of(model, pane).toggle(row);
    }
    is_open
}
