//! The widths of the columns of the list of targets.

use super::super::super::text::width;
use super::super::Model;
use super::{BoardRow, TargetCounts};

/// Width of the column with the numbers of objects.
pub(crate) const OBJECTS_CELLS: usize = 8;
/// The most cells that the counts of problems take from the names of targets.
const MAX_COUNT_CELLS: usize = 20;
/// Width of the column with the changes of the draft.
const DRAFT_CELLS: usize = 14;
/// Width of the column with the changes of the branch.
const BRANCH_CELLS: usize = 14;

/// The widths in cells of the columns target, problems, draft and branch. The target column is as
/// wide as its longest row, if the problems column keeps the cells for its longest counts.
pub(crate) fn target_columns(model: &Model, columns: usize) -> (usize, usize, usize, usize) {
    let draft = if model.has_draft() { DRAFT_CELLS } else { 0 };
    let branch = if model.branch.is_asked() { BRANCH_CELLS } else { 0 };
    let rest = columns.saturating_sub(OBJECTS_CELLS + draft + branch + 5);
    let rows = &model.board.rows;
    let wanted = rows.iter().map(name_cells).max().unwrap_or(0);
    let problems = rows.iter().map(|row| count_cells(row.counts)).max().unwrap_or(0);
    let problems = problems.max(width("problems")).min(MAX_COUNT_CELLS);
    let least = 14.min(rest);
    let name = wanted.clamp(least, rest.saturating_sub(problems).max(least));
    (name, rest - name, draft, branch)
}

/// The cells for the longest row of the list of targets.
pub(crate) fn targets_width(model: &Model) -> usize {
    let name = model.board.rows.iter().map(name_cells).max().unwrap_or(0);
    let draft = if model.has_draft() { DRAFT_CELLS } else { 0 };
    let branch = if model.branch.is_asked() { BRANCH_CELLS } else { 0 };
    name + OBJECTS_CELLS + MAX_COUNT_CELLS + draft + branch + 5
}

/// The cells for the name of a row, with its indentation, fold sign and number of targets.
fn name_cells(row: &BoardRow) -> usize {
    let fold = if row.open.is_some() { 2 } else { 0 };
    let count = if row.open == Some(false) { digits(row.counts.targets) + 3 } else { 0 };
    width(&row.label) + 2 * row.depth + fold + count + 1
}

/// The cells for the counts of a row, as in `2 errors, 1 warning`. An error message has more.
fn count_cells(counts: TargetCounts) -> usize {
    let TargetCounts { errors, warnings, notes, fails, waits, .. } = counts;
    let parts = [(errors, " errors, "), (warnings, " warnings, "), (waits, " pending, ")];
    let cells = |(count, word): (usize, &str)| match count {
        0 => 0,
        count => digits(count) + width(word),
    };
    match parts.map(cells).into_iter().sum() {
        _ if fails > 0 => MAX_COUNT_CELLS,
        0 => cells((notes, " notes")),
        all => all,
    }
}

/// The cells of a number, with its separators of thousands.
fn digits(count: usize) -> usize {
    width(&with_thousands(count))
}

/// A number with separators between groups of thousands.
pub(crate) fn with_thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
