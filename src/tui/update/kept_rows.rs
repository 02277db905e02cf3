//! Which rows a filter keeps.

use super::super::model::{Model, Pane};
use super::matching::{matcher, row_text};

/// For each row of a list that holds all of its rows, whether it is shown: those that fit, and in a tree those that
/// they belong to. `None` without a filter.
pub(super) fn kept(model: &Model, pane: Pane, depth: impl Fn(usize) -> usize) -> Option<Vec<bool>> {
    let fits = matcher(model.panes.filters.get(&pane)?)?;
    let rows = model.rows(pane);
    let mut kept: Vec<bool> = (0..rows).map(|row| fits(&row_text(model, pane, row))).collect();
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
