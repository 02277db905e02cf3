//! The problems of all targets.

use ratatui::text::Line;

use super::super::model::{Model, Pane, Severity, targets_of_finding};
use super::super::text::{fit_distinct, fit_location_distinct, sanitize};
use super::super::theme::StyleRole;
use super::line::LineBuilder;
use super::problems::{counts_title, put_row_start, sign};

/// The title of the list, with the number of problems.
pub(super) fn title(model: &Model) -> String {
    let findings = &model.board.findings;
    let Some(rows) = &findings.rows else { return "Problems of all targets".to_owned() };
    let count = |severity| rows.iter().filter(|row| row.severity == severity).count();
    counts_title(count(Severity::Error), count(Severity::Warning), count(Severity::Note))
}

/// The line of a problem: its location, its message, the number of its targets, and whether it has
/// a fix.
///
/// If `whole` contains the wrapped message, this line shows the first line of the message.
pub(super) fn row(
    model: &Model,
    index: usize,
    columns: usize,
    whole: Option<&[String]>,
) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(found) = model.finding(index) else { return line.finish() };
    let (role, sign) = sign(model, found.severity);
    let around = || {
        let rows = (index.saturating_sub(12)..index).chain(index + 1..index + 13);
        rows.filter_map(|row| model.finding(row))
    };
    let places: Vec<String> = around().map(|other| model.board.place_of(other)).collect();
    let place = model.board.place_of(found);
    let cells = model.location_cells(Pane::Findings, columns);
    let shown = fit_location_distinct(&place, cells, places.iter().map(String::as_str));
    put_row_start(&mut line, (role, sign), found.code.as_str(), &shown, cells);
    let role = if found.severity == Severity::Note { StyleRole::Dim } else { StyleRole::Text };
    let targets = model.targets_cells(Pane::Findings, columns);
    let room = line.room().saturating_sub(targets);
    if let Some(lines) = whole {
        line.column(role, lines.first().map_or("", String::as_str), room);
    } else {
        let message = sanitize(&found.message);
        let others: Vec<_> = around().map(|other| sanitize(&other.message)).collect();
        let message = fit_distinct(&message, room, others.iter().map(|text| &**text));
        line.column(role, &message, room);
    }
    if targets > 0 {
        line.push_right_aligned(StyleRole::Dim, &targets_of_finding(found), targets - 2);
        line.put(StyleRole::Key, if found.has_fix() { " f" } else { "  " });
    }
    line.finish()
}

/// One line of the selected problem.
pub(super) fn detail(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    if let Some((role, text)) = model.finding_lines().get(index) {
        line.put(StyleRole::Text, " ").put(*role, text);
    }
    line.finish()
}

/// The text of a list of problems without rows: an error, the progress, or the reason.
pub(super) fn empty(model: &Model) -> String {
    match &model.board.findings.rows {
        _ if model.board.error.is_some() => "not known: the repository cannot be read".to_owned(),
        None => format!("checking all targets… {}", super::board::progress(model).1),
        Some(rows) if rows.is_empty() => format!("{} no problems", model.glyphs().applied),
        Some(_) => "no match".to_owned(),
    }
}
