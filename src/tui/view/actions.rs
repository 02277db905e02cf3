//! The menu of actions, the list of messages, and the keys after a prefix.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget as _};

use super::super::keymap::{BINDINGS, Command, name};
use super::super::model::{ActionMenu, CommandOutput, MenuItem, Model};
use super::super::text::{fit, sanitize, width, wrap};
use super::super::theme::StyleRole;
use super::super::update::disabled;
use super::dialog::dialog;
use super::line::LineBuilder;

/// The key of a command, for display.
fn key_of(model: &Model, command: Command) -> String {
    let glyphs = model.glyphs();
    match model.look.keymap.keys(command).first().map(String::as_str) {
        Some("enter") => glyphs.enter.to_owned(),
        Some("space") => glyphs.space.to_owned(),
        Some(key) => key.to_owned(),
        None => String::new(),
    }
}

/// Draws the menu; returns the position of the cursor.
pub(super) fn menu(model: &Model, menu: &ActionMenu, frame: &mut Frame<'_>) -> Position {
    let rows = u16::try_from(menu.items.len() + 2).unwrap_or(u16::MAX);
    let inner = dialog(model, "Actions  (enter or the key: run, esc: close)", 100, rows, frame);
    let room = usize::from(inner.height).max(1);
    let first = (menu.selected + 1).saturating_sub(room);
    for (y, (index, command)) in
        (inner.y..inner.bottom()).zip(menu.items.iter().enumerate().skip(first))
    {
        let (key, role, words) = match command {
            MenuItem::UserCommand(index) => {
                let Some(own) = model.look.commands.get(*index) else { continue };
                let words = sanitize(&format!("{}: {}", own.name, own.run)).into_owned();
                (own.key.clone().unwrap_or_default(), StyleRole::Text, words)
            }
            MenuItem::Command(command) => {
                let row = BINDINGS.iter().find(|row| row.command == *command);
                let Some(row) = row else { continue };
                let off = disabled(model, *command);
                let role = if off.is_some() { StyleRole::Dim } else { StyleRole::Text };
                let words =
                    off.map_or_else(|| row.words.to_owned(), |why| format!("{} ({why})", row.hint));
                (key_of(model, *command), role, words)
            }
        };
        let mut line = LineBuilder::new(model, inner.width.into());
        line.put(StyleRole::Text, " ").column(StyleRole::Key, &key, 10);
        let words = fit(&words, line.room());
        line.put(role, &words);
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
        if index == menu.selected {
            let area = Rect { y, height: 1, ..inner };
            frame.buffer_mut().set_style(area, model.look.theme.style(StyleRole::Selected));
        }
    }
    let y = inner.y + u16::try_from(menu.selected - first).unwrap_or(0);
    Position::new(inner.x, y)
}

/// Draws the output of one of the user's own commands.
pub(super) fn command_output(
    model: &Model,
    output: &CommandOutput,
    frame: &mut Frame<'_>,
) -> Position {
    let state = output.status.as_deref().unwrap_or("running…");
    let title = format!("{}  {state}  (esc: close)", sanitize(&output.name));
    let (columns, rows) = (frame.area().width, frame.area().height);
    let inner = dialog(model, &title, columns.saturating_sub(4), rows.saturating_sub(4), frame);
    let cells = usize::from(inner.width.saturating_sub(2)).max(1);
    let room = usize::from(inner.height);
    let lines: Vec<String> = output.lines.iter().flat_map(|line| wrap(line, cells)).collect();
    let first = output.offset.min(lines.len().saturating_sub(room));
    let style = model.look.theme.style(StyleRole::Text);
    for (y, line) in (inner.y..inner.bottom()).zip(lines.iter().skip(first)) {
        frame.buffer_mut().set_stringn(inner.x + 1, y, line, cells, style);
    }
    if lines.is_empty() {
        let words = if output.status.is_some() { "no output" } else { "" };
        let style = model.look.theme.style(StyleRole::Dim);
        frame.buffer_mut().set_stringn(inner.x + 1, inner.y, words, cells, style);
    }
    Position::new(inner.x, inner.y)
}

/// Draws all messages, the last first.
pub(super) fn messages(model: &Model, offset: usize, frame: &mut Frame<'_>) -> Position {
    let columns = usize::from(frame.area().width.saturating_sub(6).min(110)).max(1);
    let lines: Vec<(StyleRole, String)> = model
        .messages
        .all
        .iter()
        .rev()
        .flat_map(|status| {
            let pieces = wrap(&status.text, columns.saturating_sub(3).max(1)).into_iter();
            pieces.enumerate().map(|(at, piece)| {
                (status.role, if at == 0 { piece } else { format!("  {piece}") })
            })
        })
        .collect();
    let rows = u16::try_from(lines.len().max(1) + 2).unwrap_or(u16::MAX);
    let title = "Messages  (esc: close)";
    let inner = dialog(model, title, u16::try_from(columns + 4).unwrap_or(u16::MAX), rows, frame);
    let room = usize::from(inner.height);
    let first = offset.min(lines.len().saturating_sub(room));
    for (y, (role, text)) in (inner.y..inner.bottom()).zip(lines.iter().skip(first)) {
        let mut line = LineBuilder::new(model, inner.width.into());
        line.put(StyleRole::Text, " ").put(*role, text);
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
    }
    if lines.is_empty() {
        let style = model.look.theme.style(StyleRole::Dim);
        let cells = inner.width.saturating_sub(1).into();
        frame.buffer_mut().set_stringn(inner.x + 1, inner.y, "no messages", cells, style);
    }
    Position::new(inner.x, inner.y)
}

/// Draws the keys that may follow the typed ones, above the hints.
pub(super) fn continuations(model: &Model, below: Rect, buffer: &mut Buffer) {
    let all = model.look.keymap.continuations(&model.input.keys);
    if model.input.keys.is_empty() || all.is_empty() || below.y < 2 {
        return;
    }
    let words: Vec<(&str, String)> =
        all.into_iter().map(|(key, command)| (key, name(command).replace('-', " "))).collect();
    let cells = words.iter().map(|(key, words)| width(key) + width(words) + 4).max().unwrap_or(1);
    let per_line = (usize::from(below.width.saturating_sub(1)) / cells).max(1);
    let lines = words.len().div_ceil(per_line).min(usize::from(below.y - 1));
    let height = u16::try_from(lines + 1).unwrap_or(1);
    let top = below.y - height;
    let area = Rect { y: top, height, ..below };
    Clear.render(area, buffer);
    buffer.set_style(area, model.look.theme.style(StyleRole::Text));
    for y in top..below.y {
        let mut line = LineBuilder::new(model, below.width.into());
        if y == top {
            line.put(StyleRole::Border, &model.glyphs().line.repeat(2));
            line.put(StyleRole::Title, &format!(" {} … ", model.input.keys));
            let rest = line.room();
            line.put(StyleRole::Border, &model.glyphs().line.repeat(rest));
        } else {
            // The keys fill one column after the other, in their order.
            let at = usize::from(y - top - 1);
            for column in 0..per_line {
                let Some((key, words)) = words.get(column * lines + at) else { break };
                line.pad_to(1 + column * cells);
                line.put(StyleRole::Key, key).put(StyleRole::Text, &format!(" {words}"));
            }
        }
        buffer.set_line(below.x, y, &line.finish(), below.width);
    }
}
