//! The menu of actions, the list of messages, and the keys after a prefix.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget as _};

use super::super::keymap::{Binding, name};
use super::super::layout::dialog_area;
use super::super::message::ClickArea;
use super::super::model::{ActionMenu, CommandOutput, MenuItem, Model, Screen, WorkbenchPlace};
use super::super::text::{fit, fit_middle, sanitize, to_u16, width, wrap};
use super::super::theme::StyleRole;
use super::super::update::{disabled, row_text};
use super::dialog::{DialogPainter, add_key, add_row};
use super::line::LineBuilder;

fn menu_words(model: &Model, item: MenuItem) -> Option<(String, String)> {
    match item {
        MenuItem::UserCommand(index) => {
            let own = model.look.commands.get(index)?;
            let words = sanitize(&format!("{}: {}", own.name, own.run)).into_owned();
            Some((own.key.clone().unwrap_or_default(), words))
        }
        MenuItem::Command(command) => {
            let row = command.row()?;
            let key = model.shown_key(command).to_owned();
            Some((key, words_on_screen(row, model.screen)))
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
pub(crate) fn menu(painter: &mut DialogPainter<'_, '_>, menu: &ActionMenu) -> Position {
    const COLUMNS: u16 = 110;
    let model = painter.model;
    let mut lines: Vec<Option<usize>> = (0..menu.items.len()).map(Some).collect();
    // A rule is below the items about the row.
    if (1..menu.items.len()).contains(&menu.row_items) {
        lines.insert(menu.row_items, None);
    }
    let area = dialog_area(painter.frame.area(), COLUMNS, to_u16(lines.len() + 2));
    let columns = usize::from(area.width.saturating_sub(2));
    let keys = "(enter or the key: run, esc: close)";
    let lead = "Actions  ";
    let pane = model.focused();
    let row = row_text(model, pane, model.list(pane).selected);
    let room = columns.saturating_sub(width(lead) + width(keys) + 4);
    let title = format!("{lead}{}  {keys}", fit_middle(row.trim(), room));
    let inner = painter.framed(&title, area);
    let mut cursor = Position::new(inner.x, inner.y);
    let at = lines.iter().position(|line| *line == Some(menu.selected)).unwrap_or(0);
    let first = (at + 1).saturating_sub(usize::from(inner.height).max(1));
    for (y, item) in (inner.y..inner.bottom()).zip(lines.into_iter().skip(first)) {
        let mut line = LineBuilder::new(model, columns);
        match item.and_then(|at| menu_words(model, *menu.items.get(at)?)) {
            Some((key, words)) => {
                line.put(StyleRole::Text, " ").column(StyleRole::Key, &key, 10);
                let words = fit(&words, line.room());
                line.put(StyleRole::Text, &words);
            }
            None => {
                line.put(StyleRole::Border, &model.glyphs().line.repeat(columns));
            }
        }
        painter.line(inner, y, &line.finish());
        let area = Rect { y, height: 1, ..inner };
        if let Some(item) = item {
            add_row(painter.clicks, item, area);
        }
        if item == Some(menu.selected) {
            painter.mark(area);
            cursor.y = y;
        }
    }
    cursor
}

pub(crate) fn command_output(
    painter: &mut DialogPainter<'_, '_>,
    output: &CommandOutput,
) -> Position {
    let state = output.status.as_deref().unwrap_or("running…");
    let title = format!("{}  {state}  (esc: close)", sanitize(&output.name));
    let Rect { width, height, .. } = painter.frame.area();
    let inner = painter.dialog(&title, width.saturating_sub(4), height.saturating_sub(4));
    let text = output.wrapped(inner.width);
    let mut lines: Vec<_> = text.map(|line| (StyleRole::Text, line)).collect();
    if lines.is_empty() && output.status.is_some() {
        lines.push((StyleRole::Dim, "no output".to_owned()));
    }
    scrolled_texts(painter, &lines, output.offset, inner)
}

/// Draws lines of text from the line `offset` on, or the last ones; returns the position of the
/// first.
fn scrolled_texts(
    painter: &mut DialogPainter<'_, '_>,
    lines: &[(StyleRole, String)],
    offset: usize,
    inner: Rect,
) -> Position {
    let first = offset.min(lines.len().saturating_sub(usize::from(inner.height)));
    for (y, (role, text)) in (inner.y..inner.bottom()).zip(&lines[first..]) {
        painter.text(inner, y, *role, text);
    }
    Position::new(inner.x, inner.y)
}

pub(crate) fn messages(painter: &mut DialogPainter<'_, '_>, offset: usize) -> Position {
    let columns = painter.frame.area().width.saturating_sub(6).clamp(1, 110);
    let messages = painter.model.messages.all.iter().rev().flat_map(|status| {
        let pieces = wrap(&status.text, usize::from(columns.saturating_sub(3)).max(1)).into_iter();
        let pieces = pieces.enumerate();
        pieces.map(|(at, text)| (status.role, if at == 0 { text } else { format!("  {text}") }))
    });
    let mut lines: Vec<(StyleRole, String)> = messages.collect();
    if lines.is_empty() {
        lines.push((StyleRole::Dim, "no messages".to_owned()));
    }
    let rows = to_u16(lines.len() + 2);
    let inner = painter.dialog("Messages  (esc: close)", columns + 4, rows);
    scrolled_texts(painter, &lines, offset, inner)
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
    let height = to_u16(lines + 1);
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
                let start = to_u16(1 + column * cells);
                let x = below.x.saturating_add(start);
                let area = Rect { x, y, width: to_u16(cells), height: 1 };
                add_key(clicks, key, area.intersection(Rect { y, height: 1, ..below }));
                line.pad_to(1 + column * cells);
                line.put(StyleRole::Key, key).put(StyleRole::Text, &format!(" {words}"));
            }
        }
        buffer.set_line(below.x, y, &line.finish(), below.width);
    }
}
