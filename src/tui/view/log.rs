//! The log of earlier writes.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use super::super::message::ClickArea;
use super::super::model::{LogState, Model, shown_edit_words};
use super::super::text::sanitize;
use super::super::theme::StyleRole;
use super::dialog::{add_row, dialog};
use super::line::LineBuilder;
use crate::display::counted;
use crate::draft::PastWrite;

/// Draws the list; returns the position of the cursor.
pub(crate) fn draw(
    model: &Model,
    log: &LogState,
    frame: &mut Frame<'_>,
    clicks: &mut Vec<ClickArea>,
) -> Position {
    let all = log.operations.len();
    let title =
        format!("Log  {} (UTC; enter: revert in a draft, esc: close)", counted(all, "write"));
    let inner = dialog(model, &title, 110, u16::try_from(all + 2).unwrap_or(u16::MAX), frame);
    let room = usize::from(inner.height);
    let first = (log.selected + 1).saturating_sub(room);
    for (y, (number, operation)) in
        (inner.y..inner.bottom()).zip(log.operations.iter().enumerate().skip(first))
    {
        let mut line = LineBuilder::new(model, inner.width.into());
        line.put(StyleRole::Text, " ")
            .put(StyleRole::Dim, &minute(&operation.at))
            .put(StyleRole::Text, "  ");
        line.put(StyleRole::Text, &write_summary(operation)).put(StyleRole::Dim, "  ");
        line.put(StyleRole::Place, &sanitize(&files(model, operation)));
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
        let row = Rect { y, height: 1, ..inner };
        add_row(clicks, number, row);
        if number == log.selected {
            frame.buffer_mut().set_style(row, model.look.theme.style(StyleRole::Selected));
        }
    }
    let y = inner.y + u16::try_from(log.selected - first).unwrap_or(0);
    Position::new(inner.x, y)
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
