//! The palette, the menu of actions, the list of messages, and the keys after a prefix.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget as _};

use crate::keymap::{Binding, name};
use crate::layout::dialog_area;
use crate::message::ClickArea;
use crate::model::{
    ActionMenu, CommandOutput, MenuItem, Model, PaletteItem, PaletteState, Screen, WorkbenchPlace,
};
use crate::text::{fit, fit_middle, sanitize, to_u16, width, wrap};
use crate::theme::StyleRole;
use crate::update::{cli_equivalent, disabled, row_text};
use crate::view::dialog::{DialogPainter, add_key, add_row};
use crate::view::line::{LineBuilder, of_texts};

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
pub(crate) fn scrolled_texts(
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

/// A description is not wrapped in fewer cells.
const MIN_DETAIL_CELLS: usize = 24;
/// The descriptions of items with a longer label begin further to the right.
const MAX_LABEL_CELLS: usize = 22;

pub(crate) fn draw_palette(
    painter: &mut DialogPainter<'_, '_>,
    state: &PaletteState,
) -> Option<Position> {
    let model = painter.model;
    let title = format!("Palette  {} of {}", state.matches.len(), state.items.len());
    let inner = painter.dialog(&title, 140, 27);
    if inner.height < 2 {
        return None;
    }
    let columns = usize::from(inner.width);
    let (text, cursor) = state.input.window(columns.saturating_sub(3));
    let texts = [(StyleRole::Key, " :"), (StyleRole::Text, &*text)];
    painter.line(inner, inner.y, &of_texts(model, columns, &texts));
    // The last row shows the command line that is equivalent to the selected item.
    let has_twin = inner.height > 4;
    let room = usize::from(inner.height) - 1 - usize::from(has_twin);
    let first = (state.selected + 1).saturating_sub(room);
    let rows = state.matches.iter().enumerate().skip(first).take(room);
    // Descriptions are wrapped as long as there are free lines.
    let mut free = room.saturating_sub(state.matches.len());
    let labels = state.matches.iter().filter_map(|item| state.items.get(*item));
    let label = labels.map(|item| width(&item.label)).max().unwrap_or(0).min(MAX_LABEL_CELLS);
    let mut y = inner.y + 1;
    for (index, item) in rows {
        let Some(item) = state.items.get(*item) else { continue };
        let area = Rect { y, height: to_u16(free + 1), ..inner };
        let lines = draw_item(painter, item, index == state.selected, label, area);
        free = free.saturating_sub(usize::from(lines) - 1);
        add_row(painter.clicks, index, Rect { height: lines, ..area });
        y += lines;
    }
    if state.matches.is_empty() {
        let words = format!("  no such command: `{}`", sanitize(state.input.text().trim()));
        let keys = "   esc: close, ctrl-u: clear the line";
        let texts = [(StyleRole::Warning, &*words), (StyleRole::Dim, keys)];
        painter.line(inner, inner.y + 1, &of_texts(model, columns, &texts));
    }
    if has_twin
        && let Some(twin) = state.marked().and_then(|item| cli_equivalent(model, &item.action))
    {
        let (twin, space) = (sanitize(&twin), (StyleRole::Text, " "));
        let sign = (StyleRole::Key, "$");
        let line = of_texts(model, columns, &[space, sign, space, (StyleRole::Dim, &twin)]);
        painter.line(inner, inner.bottom() - 1, &line);
    }
    let cells = to_u16(cursor);
    Some(Position::new((inner.x + 2 + cells).min(inner.right()), inner.y))
}

/// Draws an item of the palette: its label, its detail and its keys. The detail is wrapped if the
/// area has the lines; returns the number of drawn lines. The labels of other items need
/// `least_label` cells.
fn draw_item(
    painter: &mut DialogPainter<'_, '_>,
    item: &PaletteItem,
    selected: bool,
    least_label: usize,
    area: Rect,
) -> u16 {
    let model = painter.model;
    // The last cell stays free: keys do not touch the frame.
    let mut line = LineBuilder::new(model, area.width.saturating_sub(1).into());
    line.put(StyleRole::Focus, if selected { model.glyphs().cursor } else { " " })
        .put(StyleRole::Text, " ");
    let role = if item.disabled.is_some() { StyleRole::Dim } else { StyleRole::Text };
    let keys = width(&item.keys).min(16);
    let label = width(&item.label).max(least_label).min(line.room().saturating_sub(keys + 2));
    line.column(role, &item.label, label).put(StyleRole::Text, "  ");
    let detail = sanitize(item.disabled.unwrap_or(&item.detail));
    let room = line.room().saturating_sub(keys + 1);
    let mut wrapped = wrap(&detail, room.max(1));
    if wrapped.len() > usize::from(area.height) || room < MIN_DETAIL_CELLS {
        wrapped = vec![detail.into_owned()];
    }
    let lines = to_u16(wrapped.len());
    for (y, detail) in (area.y..).zip(wrapped) {
        line.pad_to(label + 4);
        line.column(StyleRole::Dim, &detail, room).put(StyleRole::Text, " ");
        line.put(StyleRole::Key, if y == area.y { &item.keys } else { "" });
        painter.line(area, y, &line.finish());
        line = LineBuilder::new(model, area.width.saturating_sub(1).into());
    }
    if selected {
        painter.mark(Rect { height: lines, ..area });
    }
    lines
}
