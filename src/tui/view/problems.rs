//! Draws the problems of the open target.

use ratatui::text::Line;

use super::super::model::{CODE_CELLS, Model, Pane, Severity};
use super::super::text::{fit_distinct, fit_location_distinct};
use super::super::theme::StyleRole;
use super::line::LineBuilder;
use crate::display::counted;

/// The title of the list of problems, with the number of each severity.
pub(super) fn title(model: &Model) -> String {
    let count =
        |severity| model.problems.all.iter().filter(|problem| problem.severity == severity).count();
    counts_title(count(Severity::Error), count(Severity::Warning), count(Severity::Note))
}

/// The title of a list of problems with these counts.
pub(super) fn counts_title(errors: usize, warnings: usize, notes: usize) -> String {
    let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
    format!("Problems  {errors}  {warnings}  {}", counted(notes, "note"))
}

/// Adds the start of a problem's row: its sign, its code, and its location in a column of `cells`.
pub(super) fn put_row_start(
    line: &mut LineBuilder,
    (role, sign): (StyleRole, &str),
    code: &str,
    place: &str,
    cells: usize,
) {
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    line.column(StyleRole::Dim, code, 6);
    if cells > 0 {
        line.column(StyleRole::Place, place, cells).put(StyleRole::Text, " ");
    }
}

/// The symbol of a severity.
pub(super) fn sign(model: &Model, severity: Severity) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match severity {
        Severity::Error => (StyleRole::Error, glyphs.failed),
        Severity::Warning => (StyleRole::Warning, glyphs.warning),
        Severity::Note => (StyleRole::Dim, glyphs.no_change),
    }
}

/// The column of the messages in wrapped rows.
pub(super) fn message_column(model: &Model, pane: Pane, columns: usize) -> usize {
    let place = model.location_cells(pane, columns);
    CODE_CELLS + place + usize::from(place > 0)
}

/// The line of a problem.
///
/// If `whole` contains the wrapped message, this line shows the first line of the message.
pub(super) fn row(
    model: &Model,
    index: usize,
    columns: usize,
    whole: Option<&[String]>,
) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(problem) = model.problem(index) else { return line.finish() };
    let sign = match problem.severity {
        Severity::Note if problem.decider.is_some() => (StyleRole::Warning, model.glyphs().waiting),
        severity => sign(model, severity),
    };
    let near = || {
        let rows = (index.saturating_sub(12)..index).chain(index + 1..index + 13);
        rows.filter_map(|row| model.problem(row))
    };
    let most = model.location_cells(Pane::Problems, columns);
    let place = fit_location_distinct(&problem.place, most, near().map(|other| &*other.place));
    put_row_start(&mut line, sign, problem.code.as_str(), &place, most);
    if let Some(lines) = whole {
        line.put(StyleRole::Text, lines.first().map_or("", String::as_str));
        return line.finish();
    }
    let room = line.room();
    let message = fit_distinct(&problem.message, room, near().map(|other| &*other.message));
    line.put(StyleRole::Text, &message);
    line.finish()
}
