//! The rows that a filter keeps.

use super::super::model::{Model, Pane};
use super::matching::{matcher, row_text};

/// For each row of a complete list, true if it is shown: rows that match and, in a tree, their
/// parents. `None` without a filter.
pub(crate) fn visible_row_mask(
    model: &Model,
    pane: Pane,
    depth: impl Fn(usize) -> usize,
) -> Option<Vec<bool>> {
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

/// Removes the rows that the filter does not keep.
pub(crate) fn retain<T>(rows: &mut Vec<T>, kept: Option<&[bool]>) {
    let Some(kept) = kept else { return };
    let mut kept = kept.iter();
    rows.retain(|_| kept.next().is_none_or(|kept| *kept));
}
