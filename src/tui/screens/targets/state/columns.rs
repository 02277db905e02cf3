//! The widths of the columns of the list of targets.

use crate::answers::compare::{TargetState, state_count_words};
use crate::glyphs::Glyphs;
use crate::model::Model;
use crate::screens::targets::state::{BoardRow, ChangeCounts, TargetCounts};
use crate::text::width;

/// The cells of the column with the numbers of objects, and of the space before it.
const OBJECTS_CELLS: usize = 9;
/// The cells of counts of problems, as in `2 errors, 1 warning`. An error message has more.
const COUNT_CELLS: usize = 20;

/// The changes in a row, in few cells: a sign for dangers, removed, added and changed resources, and
/// `?` for a part that is not known: `△ −1 ~3 ?`. If the state of targets changes, it is named, with
/// the number of targets of the row.
pub(crate) fn changes_text(counts: ChangeCounts, of: usize, glyphs: &Glyphs) -> String {
    let ChangeCounts { targets, broken, mended, new, .. } = counts;
    let ChangeCounts { unknown, partly_known, errors, warnings, .. } = counts;
    match () {
        () if targets == 0 => String::new(),
        () if broken > 0 => state_count_words(TargetState::FailsNow, [broken, of]),
        () if new == targets => state_count_words(TargetState::Added, [new, of]),
        () if mended == targets => state_count_words(TargetState::BuildsNow, [mended, of]),
        () if unknown == targets => "?".to_owned(),
        () => {
            let danger = match () {
                () if errors > 0 => Some(glyphs.failed.to_owned()),
                () if warnings > 0 => Some(glyphs.warning.to_owned()),
                () => None,
            };
            let signed = ['−', '+', '~'].into_iter();
            let signed = signed.zip([counts.removed, counts.added, counts.changed]);
            let signed = signed.filter(|(_, count)| *count > 0);
            let mut words: Vec<String> = danger.into_iter().collect();
            words.extend(signed.map(|(sign, count)| format!("{sign}{}", with_thousands(count))));
            words.extend((unknown + partly_known > 0).then(|| "?".to_owned()));
            words.join(" ")
        }
    }
}

pub(crate) fn targets_width(model: &Model) -> usize {
    let longest =
        |cells: &dyn Fn(&BoardRow) -> usize| model.board.rows.iter().map(cells).max().unwrap_or(0);
    let changes = |counts: fn(&TargetCounts) -> ChangeCounts, least: &str| {
        let text =
            |row: &BoardRow| changes_text(counts(&row.counts), row.counts.targets, model.glyphs());
        longest(&|row| width(&text(row))).max(width(least)) + 2
    };
    let draft = if model.has_draft() { changes(|it| it.draft, "draft") } else { 0 };
    let branch = if model.shows_branch() { changes(|it| it.branch, "branch") } else { 0 };
    let has_problems = |row: &BoardRow| {
        let TargetCounts { errors, warnings, fails, waits, .. } = row.counts;
        errors + warnings + fails + waits > 0
    };
    let is_long = model.board.rows.iter().any(has_problems);
    let problems = if is_long { COUNT_CELLS } else { width("problems") };
    let fixed = OBJECTS_CELLS + problems + 5;
    longest(&name_cells) + fixed + draft + branch
}

/// The cells for the name of a row, with its indentation, fold sign and number of targets.
fn name_cells(row: &BoardRow) -> usize {
    let fold = if row.open.is_some() { 2 } else { 0 };
    let count = width(&with_thousands(row.counts.targets));
    let count = if row.open == Some(false) { count + 3 } else { 0 };
    width(&row.label) + 2 * row.depth + fold + count + 1
}

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
