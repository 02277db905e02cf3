//! The problems.

use ratatui::text::Line;

use super::super::model::{CODE_CELLS, Model, Pane, Severity};
use super::super::text::{fit_distinct, fit_location_distinct};
use super::super::theme::StyleRole;
use super::line::LineBuilder;

/// The title of the list.
pub(super) fn title(model: &Model) -> String {
    let count =
        |severity| model.problems.all.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings, notes) =
        (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    let words = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let (errors, warnings) = (words(errors, "error"), words(warnings, "warning"));
    format!("Problems  {errors}  {warnings}  {}", words(notes, "note"))
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
    let place = model.place_cells(pane, columns);
    CODE_CELLS + place + usize::from(place > 0)
}

/// One problem.
///
/// If `whole` contains the wrapped message, this row shows its first line.
pub(super) fn row(
    model: &Model,
    index: usize,
    columns: usize,
    whole: Option<&[String]>,
) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(problem) = model.problem(index) else { return line.finish() };
    let (role, sign) = match problem.severity {
        Severity::Note if problem.decider.is_some() => (StyleRole::Warning, model.glyphs().waiting),
        severity => sign(model, severity),
    };
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    line.column(StyleRole::Dim, problem.code.as_str(), 6);
    let near = || {
        let rows = (index.saturating_sub(12)..index).chain(index + 1..index + 13);
        rows.filter_map(|row| model.problem(row))
    };
    let most = model.place_cells(Pane::Problems, columns);
    if most > 0 {
        let place = fit_location_distinct(&problem.place, most, near().map(|other| &*other.place));
        line.column(StyleRole::Place, &place, most).put(StyleRole::Text, " ");
    }
    if let Some(lines) = whole {
        line.put(StyleRole::Text, lines.first().map_or("", String::as_str));
        return line.finish();
    }
    let room = line.room();
    let message = fit_distinct(&problem.message, room, near().map(|other| &*other.message));
    line.put(StyleRole::Text, &message);
    line.finish()
}
