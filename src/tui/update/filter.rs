//! Filters lists: only rows that match a search are shown, until esc clears the filter.

use super::super::model::{Model, Pane};
use super::derive;

/// True for the lists that a search filters; in other lists it only jumps from match to match.
pub(super) fn is_filtered_by_search(pane: Pane) -> bool {
    matches!(
        pane,
        Pane::Tree | Pane::Steps | Pane::Problems | Pane::Catalogs | Pane::Targets | Pane::Findings
    )
}

/// Shows only matching rows; all rows for an empty text.
pub(super) fn set(model: &mut Model, pane: Pane, text: &str) {
    if !is_filtered_by_search(pane) {
        return;
    }
    if text.is_empty() {
        model.panes.filters.remove(&pane);
    } else {
        model.panes.filters.insert(pane, text.to_owned());
    }
    derive::update_pane_rows(model, pane);
}

/// Shows all rows again; false if no filter was set.
pub(super) fn clear(model: &mut Model, pane: Pane) -> bool {
    let was = model.panes.filters.contains_key(&pane);
    if was {
        set(model, pane, "");
    }
    was
}
