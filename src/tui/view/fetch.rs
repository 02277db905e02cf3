//! The question whether to fetch: lists each remote by its exact name.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use super::super::message::ClickArea;
use super::super::model::{FetchQuestion, Model};
use super::super::text::{sanitize, wrap};
use super::super::theme::StyleRole;
use super::dialog::{dialog, key_line};
use super::line::LineBuilder;

/// The maximum width of the dialog in columns.
const MAX_DIALOG_COLUMNS: u16 = 100;

/// Draws the question with everything that would be fetched.
pub(crate) fn question(
    model: &Model,
    asked: &FetchQuestion,
    frame: &mut Frame<'_>,
    clicks: &mut Vec<ClickArea>,
) -> Position {
    let columns =
        usize::from(MAX_DIALOG_COLUMNS.min(frame.area().width.saturating_sub(2))).saturating_sub(4);
    let lines = words(asked, columns);
    let rows = u16::try_from(lines.len() + 4).unwrap_or(u16::MAX);
    let title = match asked.remotes().as_slice() {
        [(thing, _)] => format!("Fetch this from {}?", thing.from()),
        remotes => format!("Fetch these {}?", remotes.len()),
    };
    let inner = dialog(model, &title, MAX_DIALOG_COLUMNS, rows, frame);
    let room = usize::from(inner.height).saturating_sub(2);
    let last = lines.len().saturating_sub(room);
    let bottom = inner.bottom().saturating_sub(1);
    for (y, (role, text)) in
        (inner.y..bottom.saturating_sub(1)).zip(lines.iter().skip(asked.offset.min(last)))
    {
        let mut line = LineBuilder::new(model, inner.width.into());
        line.put(StyleRole::Text, " ").put(*role, text);
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
    }
    let keys = [("y", "fetch"), ("n", "cancel"), ("j k", "scroll")];
    let keys = if last > 0 { &keys[..] } else { &keys[..2] };
    key_line(model, keys, Rect { y: bottom, height: 1, ..inner }, frame, clicks);
    Position::new(inner.x + 1, bottom)
}

fn words(asked: &FetchQuestion, columns: usize) -> Vec<(StyleRole, String)> {
    let mut lines = Vec::new();
    for (first, otherwise) in asked.remotes() {
        for part in wrap(&sanitize(&first.request()), columns) {
            lines.push((StyleRole::Title, part));
        }
        lines.push((StyleRole::Dim, format!("  {}", first.protocol())));
        if let Some(other) = otherwise {
            let words = format!("  if it is none, {} by {}", other.request(), other.protocol());
            let parts = wrap(&sanitize(&words), columns).into_iter();
            lines.extend(parts.map(|part| (StyleRole::Dim, part)));
        }
    }
    lines.push((StyleRole::Text, String::new()));
    let kept = "Fetching caches the content; it runs no code and does not trust it.";
    lines.extend(wrap(kept, columns).into_iter().map(|part| (StyleRole::Text, part)));
    lines
}
