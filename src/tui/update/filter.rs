//! Filters lists: only rows that match a search are shown, until esc clears the filter.

use super::super::model::{Model, Pane};
use super::derive;

/// The lists that a search filters; in other lists it only jumps from match to match.
const FILTERED: [Pane; 6] =
    [Pane::Tree, Pane::Steps, Pane::Problems, Pane::Catalogs, Pane::Targets, Pane::Findings];

/// Shows only matching rows; all rows for an empty text.
pub(crate) fn set(model: &mut Model, pane: Pane, text: &str) {
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
pub(crate) fn clear(model: &mut Model, pane: Pane) -> bool {
    let was = model.panes.filters.contains_key(&pane);
    if was {
        if pane == Pane::Tree {
            open_parents(model);
        }
        set(model, pane, "");
    }
    was
}
