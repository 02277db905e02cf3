//! Lists show only those rows that a search fits, until esc.

use super::super::model::{Model, Pane};
use super::derive;

/// True for the lists that a search filters; in the others it only goes from match to match.
pub(super) fn filters(pane: Pane) -> bool {
    matches!(
        pane,
        Pane::Tree | Pane::Steps | Pane::Problems | Pane::Catalogs | Pane::Targets | Pane::Findings
    )
}

/// Shows only the rows that fit; all of them for an empty text.
pub(super) fn set(model: &mut Model, pane: Pane, text: &str) {
    if !filters(pane) {
        return;
    }
    if text.is_empty() {
        model.panes.filters.remove(&pane);
    } else {
        model.panes.filters.insert(pane, text.to_owned());
    }
    derive::refill(model, pane);
}

/// Shows all rows again; false when all of them are shown.
pub(super) fn clear(model: &mut Model, pane: Pane) -> bool {
    let was = model.panes.filters.contains_key(&pane);
    if was {
        set(model, pane, "");
    }
    was
}
