//! The Compare screen: differences and their causes.

use ratatui::text::Line;

use super::super::model::Model;
use super::super::text::{fit, fit_location_distinct, fit_middle_distinct, near, sanitize, width};
use super::super::theme::StyleRole;
use super::line::LineBuilder;
use crate::answers::compare::summary;

/// The title of the list of differences.
pub(super) fn title(model: &Model) -> String {
    let state = &model.compared;
    match &state.report {
        Some(report) => format!("{}  {}", state.by.word(), sanitize(&summary(report))),
        None => format!("{}  {}", state.by.word(), sanitize(&state.title)),
    }
}

/// The line of a cause, a target or a resource.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.compared.rows.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    let (role, sign) = match row.danger.as_deref() {
        Some("error") => (StyleRole::Error, glyphs.failed),
        Some("warning") => (StyleRole::Warning, glyphs.warning),
        Some(_) => (StyleRole::Dim, glyphs.warning),
        None => (StyleRole::Text, " "),
    };
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    line.put(StyleRole::Text, &"  ".repeat(row.depth));
    let detail = width(&row.detail);
    let room = line.room().saturating_sub(if detail > 0 { detail + 1 } else { 0 });
    let role = if row.depth == 0 { StyleRole::Text } else { StyleRole::Dim };
    let place = place(model, index, room);
    let left = room.saturating_sub(width(&place));
    let label = sanitize(&row.label).into_owned();
    let label = match row.place {
        Some(_) if left < 12 => String::new(),
        Some(_) => format!("  {}", fit(&label, left - 2)),
        None => {
            let near = near(index, &model.compared.rows).filter(|other| other.place.is_none());
            fit_middle_distinct(&label, left, near.map(|other| &*other.label))
        }
    };
    line.column(role, &(place + &label), room).put(StyleRole::Text, " ");
    line.put(StyleRole::Modified, &row.detail);
    line.finish()
}

/// The location of the edits of a row, with the complete line number; uncut if the effect of the
/// edits fits after it.
fn place(model: &Model, index: usize, room: usize) -> String {
    let row = model.compared.rows.get(index);
    let Some((row, (place, more))) = row.and_then(|row| Some((row, row.place.as_ref()?))) else {
        return String::new();
    };
    let more = if *more == 0 { String::new() } else { format!(" +{more}") };
    let is_whole = width(place) + width(&more) + 2 + width(&row.label) <= room;
    let most = if is_whole || room < 48 { room } else { room * 3 / 5 };
    let near = near(index, &model.compared.rows).filter_map(|other| other.place.as_ref());
    let near = near.map(|(place, _)| &**place);
    let place = sanitize(place).into_owned();
    fit_location_distinct(&place, most.saturating_sub(width(&more)), near) + &more
}

/// A line of the details of the selected difference.
pub(super) fn hunk(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    if let Some(hunk) = model.compared.hunk.get(index) {
        line.put(StyleRole::Text, " ").put(hunk.role, &hunk.text);
    }
    line.finish()
}

/// The text of a list without rows: an error, the progress, or the reason.
pub(super) fn empty(model: &Model) -> String {
    let state = &model.compared;
    match (&state.error, &state.report) {
        (Some(error), _) => format!("{} {error}", model.glyphs().failed),
        (None, Some(report)) if report.targets.is_empty() => {
            format!("{} {}", model.glyphs().applied, summary(report))
        }
        (None, Some(_)) => "no dangerous change (X: list everything)".to_owned(),
        (None, None) if state.title.is_empty() => {
            "no comparison yet: `:compare A B` compares folders, git references, `draft` or rendered files".to_owned()
        }
        (None, None) => match state.progress {
            Some((done, all)) => format!("{done} of {all} targets compared… (esc: cancel)"),
            None => "building both sides… (esc: cancel)".to_owned(),
        },
    }
}
