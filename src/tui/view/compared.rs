//! The Compare screen: what differs, and why.

use ratatui::text::Line;

use super::super::model::Model;
use super::super::text::{fit_middle_apart, near, sanitize, width};
use super::super::theme::Role;
use super::line::LineBuilder;
use crate::answers::compare::summary;

/// The title of the list.
pub(super) fn title(model: &Model) -> String {
    let state = &model.compared;
    let only = if state.only_dangers { "  only dangers" } else { "" };
    match &state.report {
        Some(report) => format!("{}{only}  {}", state.by.word(), sanitize(&summary(report))),
        None => format!("{}  {}", state.by.word(), sanitize(&state.title)),
    }
}

/// One cause, target or resource.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.compared.rows.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    let (role, sign) = match row.danger.as_deref() {
        Some("error") => (Role::Error, glyphs.failed),
        Some("warning") => (Role::Warning, glyphs.warning),
        Some(_) => (Role::Dim, glyphs.warning),
        None => (Role::Text, " "),
    };
    line.put(Role::Text, " ").put(role, sign).put(Role::Text, " ");
    line.put(Role::Text, &"  ".repeat(row.depth));
    let detail = width(&row.detail);
    let room = line.room().saturating_sub(detail + 2);
    let label = sanitize(&row.label).into_owned();
    let role = if row.depth == 0 { Role::Text } else { Role::Dim };
    let near = near(index, &model.compared.rows).map(|other| &*other.label);
    line.column(role, &fit_middle_apart(&label, room, near), room).put(Role::Text, " ");
    line.put(Role::Modified, &row.detail);
    line.finish()
}

/// One line of the selected row in full.
pub(super) fn hunk(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    if let Some(hunk) = model.compared.hunk.get(index) {
        line.put(Role::Text, " ").put(hunk.role, &hunk.text);
    }
    line.finish()
}

/// What the empty list says.
pub(super) fn empty(model: &Model) -> String {
    let state = &model.compared;
    match (&state.error, &state.report) {
        (Some(error), _) => format!("{} {error}", model.glyphs().failed),
        (None, Some(report)) if report.is_same() => {
            format!("{} {}", model.glyphs().applied, summary(report))
        }
        (None, Some(_)) => "nothing here is dangerous: X lists everything".to_owned(),
        (None, None) if state.title.is_empty() => {
            "nothing is compared: `:compare A B` compares folders, git references, `draft`, rendered files".to_owned()
        }
        (None, None) => "building both sides…".to_owned(),
    }
}
