//! Lists show only those rows that a search fits, until esc.

use super::super::model::{Model, Pane};
use super::{derive, search};

/// True for the lists that a search filters; in the others it only goes from match to match.
pub(super) fn filters(pane: Pane) -> bool {
    matches!(pane, Pane::Tree | Pane::Steps | Pane::Problems | Pane::Catalogs | Pane::Targets)
}

/// Shows only the rows that fit; all of them for an empty text.
pub(super) fn set(model: &mut Model, pane: Pane, text: &str) {
    if !filters(pane) {
        return;
    }
    if text.is_empty() {
        model.filters.remove(&pane);
    } else {
        model.filters.insert(pane, text.to_owned());
    }
    derive::refill(model, pane);
}

/// Shows all rows again; false when all of them are shown.
pub(super) fn clear(model: &mut Model, pane: Pane) -> bool {
    let was = model.filters.contains_key(&pane);
    if was {
        set(model, pane, "");
    }
    was
}

/// For each row of a list that holds all of its rows, whether it is shown: those that fit, and in a tree those that
/// they belong to. `None` without a filter.
pub(super) fn kept(model: &Model, pane: Pane, depth: impl Fn(usize) -> usize) -> Option<Vec<bool>> {
    let fits = search::matcher(model.filters.get(&pane)?)?;
    let rows = model.rows(pane);
    let mut kept: Vec<bool> =
        (0..rows).map(|row| fits(&search::row_text(model, pane, row))).collect();
    let mut inside = 0;
    for row in (0..rows).rev() {
        kept[row] |= depth(row) < inside;
        if kept[row] {
            inside = depth(row);
        }
    }
    Some(kept)
}

/// Takes away the rows that are not kept.
pub(super) fn retain<T>(rows: &mut Vec<T>, kept: Option<&[bool]>) {
    let Some(kept) = kept else { return };
    let mut kept = kept.iter();
    rows.retain(|_| kept.next().is_none_or(|kept| *kept));
}
