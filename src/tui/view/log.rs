//! The log of earlier writes.

use ratatui::layout::Position;

use super::super::model::{LogState, Model, shown_edit_words};
use super::super::text::{sanitize, to_u16};
use super::super::theme::StyleRole;
use super::dialog::DialogPainter;
use super::line::LineBuilder;
use crate::display::counted;
use crate::draft::PastWrite;

pub(crate) fn draw(painter: &mut DialogPainter<'_, '_>, log: &LogState) -> Position {
    let model = painter.model;
    let all = log.operations.len();
    let title =
        format!("Log  {} (UTC; enter: revert in a draft, esc: close)", counted(all, "write"));
    let inner = painter.dialog(&title, 110, to_u16(all + 2));
    let rows = log.operations.iter().map(|operation| {
        let mut line = LineBuilder::new(model, inner.width.into());
        line.put(StyleRole::Text, " ")
            .put(StyleRole::Dim, &minute(&operation.at))
            .put(StyleRole::Text, "  ");
        line.put(StyleRole::Text, &write_summary(operation)).put(StyleRole::Dim, "  ");
        line.put(StyleRole::Place, &sanitize(&files(model, operation)));
        line.finish()
    });
    painter.list(inner, log.selected, &rows.collect::<Vec<_>>())
}

/// An RFC 3339 time shortened to `2026-11-22 23:40`.
pub(super) fn minute(at: &str) -> String {
    at.get(..16).unwrap_or(at).replace('T', " ")
}

/// The first edit of a write, and the number of further edits.
fn write_summary(operation: &PastWrite) -> String {
    match operation.words.as_slice() {
        [] => "write".to_owned(),
        [only] => shown_edit_words(only),
        [first, rest @ ..] => format!("{}, and {} more", shown_edit_words(first), rest.len()),
    }
}

fn files(model: &Model, operation: &PastWrite) -> String {
    let name = |path: &std::path::Path| model.shown_file(path);
    let names: Vec<String> = operation.files.iter().map(|file| name(&file.path)).collect();
    names.join(", ")
}
