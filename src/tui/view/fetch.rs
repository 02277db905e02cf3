//! The question whether to fetch: lists each remote by its exact name.

use ratatui::layout::{Position, Rect};

use super::super::model::FetchQuestion;
use super::super::text::{sanitize, to_u16, wrap};
use super::super::theme::StyleRole;
use super::dialog::DialogPainter;

const MAX_DIALOG_COLUMNS: u16 = 100;

pub(crate) fn question(painter: &mut DialogPainter<'_, '_>, asked: &FetchQuestion) -> Position {
    let columns = MAX_DIALOG_COLUMNS.min(painter.frame.area().width.saturating_sub(2));
    let lines = words(asked, usize::from(columns).saturating_sub(4));
    let rows = to_u16(lines.len() + 4);
    let title = match asked.remotes().as_slice() {
        [(thing, _)] => format!("Fetch this from {}?", thing.from()),
        remotes => format!("Fetch these {}?", remotes.len()),
    };
    let inner = painter.dialog(&title, MAX_DIALOG_COLUMNS, rows);
    let room = usize::from(inner.height).saturating_sub(2);
    let last = lines.len().saturating_sub(room);
    let bottom = inner.bottom().saturating_sub(1);
    for (y, (role, text)) in
        (inner.y..bottom.saturating_sub(1)).zip(lines.iter().skip(asked.offset.min(last)))
    {
        painter.text(inner, y, *role, text);
    }
    let keys = [("y", "fetch"), ("n", "cancel"), ("j k", "scroll")];
    let keys = if last > 0 { &keys[..] } else { &keys[..2] };
    painter.keys(keys, Rect { y: bottom, height: 1, ..inner });
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
