//! The menu of actions, the list of messages, and the keys after a prefix.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::widgets::{Clear, Widget as _};

use super::super::keymap::{Binding, Command, name};
use super::super::layout::{MenuLines, menu_lines};
use super::super::message::ClickArea;
use super::super::model::{ActionMenu, CommandOutput, MenuItem, Model, Screen, WorkbenchPlace};
use super::super::text::{fit, fit_middle, sanitize, width, wrap};
use super::super::theme::StyleRole;
use super::super::update::{disabled, row_text};
use super::dialog::{add_key, dialog, framed};
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

/// The key and the text of an item of the menu.
fn menu_words(model: &Model, item: MenuItem) -> Option<(String, String)> {
    match item {
        MenuItem::UserCommand(index) => {
            let own = model.look.commands.get(index)?;
            let words = sanitize(&format!("{}: {}", own.name, own.run)).into_owned();
            Some((own.key.clone().unwrap_or_default(), words))
        }
        MenuItem::Command(command) => {
            let row = command.row()?;
            Some((key_of(model, command), words_on_screen(row, model.screen)))
        }
    }
}

/// The description of a command on a screen: the part that names the screen or its place, as
/// `in Change: …`, or else the first part.
fn words_on_screen(row: &Binding, screen: Screen) -> String {
    let is_here = |place: &str| match place {
        "in the repository" => screen.place() == WorkbenchPlace::Repository,
        place => {
            let names = place.strip_prefix("in ").or_else(|| place.strip_prefix("on "));
            let is_name = |name| name == screen.name() || name == screen.place().name();
            names.is_some_and(|names| names.split(" and ").any(is_name))
        }
    };
    let mut parts = row.words.split("; ");
    let first = parts.next().unwrap_or_default();
    let here = parts.find_map(|part| {
        let (place, words) = part.split_once(": ")?;
        is_here(place).then_some(words)
    });
    match here {
        // The part shares the verb of the first one.
        Some(words) if words.starts_with("the ") => format!("{} {words}", row.hint),
        Some(words) => words.to_owned(),
        None => first.to_owned(),
    }
}

/// Draws the menu, with the selected row as its title; returns the position of the cursor.
pub(crate) fn menu(model: &Model, menu: &ActionMenu, frame: &mut Frame<'_>) -> Position {
    let size = (frame.area().width, frame.area().height);
    let MenuLines { inner, lines } = menu_lines(menu, size);
    let keys = "(enter or the key: run, esc: close)";
    let lead = "Actions  ";
    let pane = model.focused();
    let row = row_text(model, pane, model.list(pane).selected);
    let room = usize::from(inner.width).saturating_sub(width(lead) + width(keys) + 4);
    let title = format!("{lead}{}  {keys}", fit_middle(row.trim(), room));
    let area = inner.outer(Margin::new(1, 1));
    framed(model, &title, area, frame);
    let mut cursor = Position::new(inner.x, inner.y);
    for (y, item) in (inner.y..).zip(lines) {
        let mut line = LineBuilder::new(model, inner.width.into());
        match item.and_then(|at| menu_words(model, *menu.items.get(at)?)) {
            Some((key, words)) => {
                line.put(StyleRole::Text, " ").column(StyleRole::Key, &key, 10);
                let words = fit(&words, line.room());
                line.put(StyleRole::Text, &words);
            }
            None => {
                line.put(StyleRole::Border, &model.glyphs().line.repeat(inner.width.into()));
            }
        }
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
        if item == Some(menu.selected) {
            let area = Rect { y, height: 1, ..inner };
            frame.buffer_mut().set_style(area, model.look.theme.style(StyleRole::Selected));
            cursor.y = y;
        }
    }
    cursor
}

/// Draws the output of one of the user's own commands.
pub(crate) fn command_output(
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
pub(crate) fn messages(model: &Model, offset: usize, frame: &mut Frame<'_>) -> Position {
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

/// Draws the keys that may follow the typed ones: above the hints, or at the top if they would cover
/// the selected row.
pub(crate) fn continuations(
    model: &Model,
    (body, below): (Rect, Rect),
    selected: Option<Position>,
    buffer: &mut Buffer,
    clicks: &mut Vec<ClickArea>,
) {
    let mut all = model.look.keymap.continuations(&model.input.keys);
    all.retain(|(_, command)| disabled(model, *command).is_none());
    if model.input.keys.is_empty() || all.is_empty() || below.y < 2 {
        return;
    }
    let words: Vec<(&str, String)> =
        all.into_iter().map(|(key, command)| (key, name(command).replace('-', " "))).collect();
    let cells = words.iter().map(|(key, words)| width(key) + width(words) + 4).max().unwrap_or(1);
    let per_line = (usize::from(below.width.saturating_sub(1)) / cells).max(1);
    let lines = words.len().div_ceil(per_line).min(usize::from(below.y - 1));
    let height = u16::try_from(lines + 1).unwrap_or(1);
    let lowest = below.y - height;
    let is_covered = selected.is_some_and(|at| at.y >= lowest && at.y >= body.y + height);
    let top = if is_covered { body.y } else { lowest };
    let area = Rect { y: top, height, ..below };
    Clear.render(area, buffer);
    buffer.set_style(area, model.look.theme.style(StyleRole::Text));
    for y in top..top + height {
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
                let start = u16::try_from(1 + column * cells).unwrap_or(u16::MAX);
                let x = below.x.saturating_add(start);
                let area = Rect { x, y, width: u16::try_from(cells).unwrap_or(1), height: 1 };
                add_key(clicks, key, area.intersection(Rect { y, height: 1, ..below }));
                line.pad_to(1 + column * cells);
                line.put(StyleRole::Key, key).put(StyleRole::Text, &format!(" {words}"));
            }
        }
        buffer.set_line(below.x, y, &line.finish(), below.width);
    }
}
