//! Rows as text, the rows that a filter keeps, and search patterns: a text, `r:` before a regular
//! expression, `!` for rows that do not match. Opens and closes the rows of both lists of problems.

use regex::RegexBuilder;

use crate::model::{FindingRows, Model, Pane};
use crate::text::TextLine;

/// The predicate of a pattern; `None` for an empty or invalid pattern.
pub(crate) fn matcher(pattern: &str) -> Option<impl Fn(&str) -> bool> {
    let (inverse, pattern) = match pattern.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    if pattern.is_empty() {
        return None;
    }
    let regex = match pattern.strip_prefix("r:") {
        Some(regex) => RegexBuilder::new(regex),
        None => RegexBuilder::new(&regex::escape(pattern)),
    }
    .case_insensitive(!pattern.contains(char::is_uppercase))
    .size_limit(1 << 20)
    .build()
    .ok()?;
    Some(move |text: &str| regex.is_match(text) != inverse)
}

pub(crate) fn row_text(model: &Model, pane: Pane, row: usize) -> String {
    let view = crate::pane_view(pane);
    let text = match view.lines(model, pane) {
        Some(lines) => lines.get(row).map(TextLine::text),
        None => (view.text)(model, row),
    };
    text.unwrap_or_default()
}

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

pub(crate) fn retain<T>(rows: &mut Vec<T>, kept: Option<&[bool]>) {
    let Some(kept) = kept else { return };
    let mut kept = kept.iter();
    rows.retain(|_| kept.next().is_none_or(|kept| *kept));
}

/// Shows the rows of a list of problems that match its filter, which also finds the places in closed
/// rows.
pub(crate) fn show_findings(model: &mut Model, pane: Pane) {
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
pub(crate) fn open_finding_row(model: &mut Model, pane: Pane) -> bool {
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
pub(crate) fn close_finding_row(model: &mut Model, pane: Pane) -> bool {
    let row = model.list(pane).selected;
    let rows = rows_of(model, pane);
    let is_open = rows.depth(row) > 0 || rows.is_open(row) == Some(true);
    if is_open {
        model.list_mut(pane).selected = rows_of(model, pane).toggle(row);
    }
    is_open
}
