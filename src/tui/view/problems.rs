//! The problems.

use ratatui::text::Line;

use super::super::model::{Model, Severity};
use super::super::text::{fit_place, width};
use super::super::theme::Role;
use super::line::LineBuilder;

/// The title of the list.
pub(super) fn title(model: &Model) -> String {
    let count =
        |severity| model.problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings, notes) =
        (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    let words = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let (errors, warnings) = (words(errors, "error"), words(warnings, "warning"));
    format!("Problems  {errors}  {warnings}  {}", words(notes, "note"))
}

/// How bad a problem is, as a sign.
pub(super) fn sign(model: &Model, severity: Severity) -> (Role, &'static str) {
    let glyphs = model.glyphs();
    match severity {
        Severity::Error => (Role::Error, glyphs.failed),
        Severity::Warning => (Role::Warning, glyphs.warning),
        Severity::Note => (Role::Dim, glyphs.no_change),
    }
}

/// One problem.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(problem) = model.problem(index) else { return line.finish() };
    let (role, sign) = match problem.severity {
        Severity::Note if problem.decider.is_some() => (Role::Warning, model.glyphs().waiting),
        severity => sign(model, severity),
    };
    line.put(Role::Text, " ").put(role, sign).put(Role::Text, " ");
    line.column(Role::Dim, problem.code.as_str(), 6);
    let place = match columns {
        0..=59 => 0,
        60..=99 => 26,
        _ => 40,
    };
    let longest = model.problems.iter().map(|problem| width(&problem.place)).max();
    let place = place.min(longest.unwrap_or(0));
    if place > 0 {
        line.column(Role::Place, &fit_place(&problem.place, place), place).put(Role::Text, " ");
    }
    line.put(Role::Text, &problem.message);
    line.finish()
}
