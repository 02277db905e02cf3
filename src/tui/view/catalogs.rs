//! Catalogs and their functions, and the question whether to trust one.

use ratatui::Frame;
use ratatui::layout::Position;
use ratatui::text::Line;

use super::super::model::{Model, Standing, TrustQuestion};
use super::super::text::{fit_place, sanitize, width, wrap};
use super::super::theme::Role;
use super::dialog::dialog;
use super::line::LineBuilder;

/// One catalog or function.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.catalogs.rows.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    let (role, sign) = match row.standing {
        Standing::Trusted => (Role::Ok, glyphs.applied),
        Standing::Same => (Role::Dim, glyphs.applied),
        Standing::New => (Role::Added, "+"),
        Standing::Changed => (Role::Warning, glyphs.warning),
        Standing::Untrusted | Standing::Unread => (Role::Error, glyphs.failed),
        Standing::Away => (Role::Warning, glyphs.waiting),
        Standing::Shadowed => (Role::Dim, glyphs.no_change),
    };
    let indent = if row.entry.is_some() { "     " } else { " " };
    line.put(Role::Text, indent).put(role, sign).put(Role::Text, " ");
    let words = row.standing.word();
    // The name is cut before the location.
    let room = line.room().saturating_sub(words.len() + 2);
    let detail = if room >= width(&row.label) + 12 { 11 } else { 0 };
    let name = room.saturating_sub(detail).max(12);
    let label = if row.entry.is_some() { Role::Text } else { Role::Title };
    line.column(label, &fit_place(&row.label, name), name).put(Role::Text, " ");
    line.column(Role::Dim, &row.detail, detail);
    line.put(role, words);
    line.finish()
}

/// The question whether to trust a catalog.
pub(super) fn question(model: &Model, asked: &TrustQuestion, frame: &mut Frame<'_>) -> Position {
    let wide = asked.widened.as_ref();
    let inner = dialog(model, "Trust this catalog?", 84, 14, frame);
    let columns = usize::from(inner.width);
    let mut lines = Vec::new();
    let mut text = |role: Role, text: &str| {
        for part in wrap(&sanitize(text), columns.saturating_sub(2)) {
            let mut line = LineBuilder::new(model, columns);
            line.put(Role::Text, " ").put(role, &part);
            lines.push(line.finish());
        }
    };
    text(Role::Title, &asked.reference);
    text(Role::Dim, &asked.digest);
    text(Role::Text, "");
    if let Some(function) = wide {
        text(
            Role::Error,
            "It requests more permissions than before. To agree, type the function's name:",
        );
        text(Role::Text, function);
        text(Role::Key, &format!("> {}", asked.typed.text()));
        text(Role::Text, "");
        text(Role::Dim, "enter trust this digest   ctrl-r trust the reference   esc cancel");
    } else {
        text(Role::Text, "d  trust this digest: changed content needs a new decision");
        text(Role::Text, "r  trust this reference: any content, now and later");
        text(Role::Text, "n  cancel");
        text(Role::Text, "");
        if !asked.runs.is_empty() {
            let names = asked.runs.join(", ");
            text(Role::Text, &format!("Trusting runs no function. R runs: {names}"));
        }
        text(Role::Dim, &format!("for CI: {}", asked.flag));
    }
    for (y, line) in (inner.y..inner.bottom()).zip(lines) {
        frame.buffer_mut().set_line(inner.x, y, &line, inner.width);
    }
    Position::new(inner.x + 1, inner.y)
}
