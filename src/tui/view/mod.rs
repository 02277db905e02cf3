//! Draws the model without changing it: drawing twice draws the same.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub(crate) mod actions;
pub(crate) mod chrome;
pub(crate) mod dialog;
pub(crate) mod dialogs;
pub(crate) mod form;
pub(crate) mod line;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Borders, Widget as _};

use super::layout::{PaneArea, ScreenLayout, layout};
use super::message::ClickArea;
use super::model::{LongLines, Model, Pane, PaneContent};
use super::rows::{RowLine, placed_rows, selected_line};
use super::text::{
    DiffRowKind, TextLine, fit_location, fit_title, is_unsafe, sanitize, to_u16, width, wrap,
};
use super::theme::StyleRole;
use super::update::{header_rows, row_text};
use crate::header::{self, ChipRow, chips, position};
use crate::screen::{MIN_DIALOG_SIZE, SizeClass};
use crate::screens::{compared, component_table, diff, resource, tree};
use dialog::DialogPainter;
pub(crate) use dialogs::edited_files_text as words_of_draft;
use line::LineBuilder;

type DrawLine = fn(&Model, Rect, &mut Buffer);

/// Draws all parts of the screen; returns the areas that answer a click.
pub fn view(model: &Model, frame: &mut Frame<'_>) -> Vec<ClickArea> {
    let mut clicks = Vec::new();
    let area = frame.area();
    frame.buffer_mut().set_style(area, model.look.theme.style(StyleRole::Text));
    let placed = layout(model);
    for pane in &placed.panes {
        draw_pane(model, &placed, pane, frame.buffer_mut());
        if pane.pane == Pane::ComponentTable {
            clicks.extend(component_table::view::cell_areas(model, pane.inner));
        }
        clicks.extend(header::click_areas(model, pane));
    }
    let lines: [(DrawLine, Rect); 5] = [
        (chrome::title, placed.title),
        (chrome::tabs, placed.tabs),
        (chrome::tour, placed.tour),
        (chrome::timeline, placed.timeline),
        (chrome::hints, placed.hints),
    ];
    for (draw, area) in lines.into_iter().filter(|(_, area)| area.height > 0) {
        draw(model, area, frame.buffer_mut());
    }
    clicks.extend(chrome::click_areas(model, &placed));
    if model.overlay.is_some() {
        clicks.clear();
    }
    let selected = cursor(model, &placed);
    let areas = (placed.body, placed.hints);
    actions::continuations(model, areas, selected, frame.buffer_mut(), &mut clicks);
    let cursor = match &model.overlay {
        Some(overlay) if !model.hides_overlay() => {
            let mut painter = DialogPainter { model, frame, clicks: &mut clicks };
            dialogs::overlay(&mut painter, overlay, &placed)
        }
        Some(_) => {
            let style = model.look.theme.style(StyleRole::Warning);
            let needed = format!("needs {}x{} cells", MIN_DIALOG_SIZE.0, MIN_DIALOG_SIZE.1);
            frame.buffer_mut().set_stringn(area.x, area.y, needed, area.width.into(), style);
            None
        }
        None => selected,
    };
    replace_unsafe_symbols(model, frame.buffer_mut());
    if let Some(cursor) = cursor.filter(|cursor| area.contains(*cursor)) {
        frame.set_cursor_position(cursor);
    }
    clicks
}

/// The position of the hardware cursor: the selected row, for screen readers and magnifiers.
fn cursor(model: &Model, layout: &ScreenLayout) -> Option<Position> {
    let pane = layout.pane(model.focused())?;
    let height = usize::from(pane.inner.height).saturating_sub(header_rows(model, pane.pane));
    let columns = usize::from(pane.inner.width.saturating_sub(1));
    let above = selected_line(model, pane.pane, columns, height);
    let row = u16::try_from(above + header_rows(model, pane.pane)).ok()?;
    let y = pane.inner.y.checked_add(row)?;
    (row < pane.inner.height).then_some(Position::new(pane.inner.x, y))
}

fn draw_pane(model: &Model, layout: &ScreenLayout, placed: &PaneArea, buffer: &mut Buffer) {
    let focused = model.focused() == placed.pane;
    let inside = draw_frame(model, layout.class, placed, focused, buffer);
    // The last column stays free, so that text does not touch the frame.
    let columns = inside.width.saturating_sub(1);
    let list = model.list(placed.pane);
    let rows = model.rows(placed.pane);
    let mut y = inside.y;
    let height = usize::from(inside.height).saturating_sub(header_rows(model, placed.pane));
    let (header, shown) = pane_lines(model, placed.pane, columns, height);
    for header in header.into_iter().take(inside.height.into()) {
        buffer.set_line(inside.x, y, &header, inside.width);
        y += 1;
    }
    if rows == 0 {
        let text = crate::pane_view(placed.pane).empty_text(model, placed.pane).unwrap_or_default();
        let room = usize::from(inside.width.saturating_sub(2));
        let lines = text.lines().flat_map(|line| wrap(&sanitize(line), room));
        let failed = text.starts_with(model.glyphs().failed) && placed.pane == Pane::Changed;
        let style = model.look.theme.style(if failed { StyleRole::Error } else { StyleRole::Dim });
        for (y, line) in (y..inside.bottom()).zip(lines) {
            buffer.set_stringn(inside.x + 1, y, line, room, style);
        }
        return;
    }
    for (index, lines) in shown {
        let is_selected = index == list.selected && !placed.pane.is_text();
        for line in lines {
            if y >= inside.bottom() {
                return;
            }
            buffer.set_line(inside.x, y, &line, inside.width);
            if focused {
                highlight(model, Rect { y, height: 1, ..inside }, buffer);
            }
            if is_selected {
                let role = if focused { StyleRole::Selected } else { StyleRole::SelectedElsewhere };
                let area = Rect { y, height: 1, ..inside };
                buffer.set_style(area, model.look.theme.style(role));
            }
            y += 1;
        }
    }
    if placed.pane == Pane::Effect {
        let lines = tree::view::effect_diffs(model, columns.into());
        for (y, line) in (y..inside.bottom()).zip(lines) {
            buffer.set_line(inside.x, y, &line, inside.width);
        }
    }
}

type RowLines = Vec<(usize, Vec<Line<'static>>)>;

/// The lines above the rows of a pane, and those of the visible rows, each with the index of its row.
fn pane_lines(
    model: &Model,
    pane: Pane,
    columns: u16,
    height: usize,
) -> (Vec<Line<'static>>, RowLines) {
    let list = model.list(pane);
    if let Some(placed) = placed_rows(model, pane, columns.into(), height) {
        let cells = usize::from(columns) + list.left;
        let line = |line: RowLine| {
            line::without(line::of_pieces(model, &line, cells), placed.fixed, list.left)
        };
        let header = match placed.header {
            Some(names) => vec![line(names)],
            None => (crate::pane_view(pane).header)(model, columns),
        };
        let rows = placed.rows.into_iter();
        let rows = rows.map(|(row, lines)| (row, lines.into_iter().map(line).collect()));
        return (header, rows.collect());
    }
    let header = (crate::pane_view(pane).header)(model, columns);
    (header, text_lines(model, pane, columns, height))
}

/// The lines of the visible rows of a pane without cells.
fn text_lines(model: &Model, pane: Pane, columns: u16, height: usize) -> RowLines {
    let list = model.list(pane);
    let shown = list.offset..(list.offset + height).min(model.rows(pane));
    // Text is wrapped as long as the pane has free lines; changed lines in any case.
    let is_folded = model.panes.long_lines == LongLines::Folded;
    let mut free = if is_folded { usize::MAX } else { height.saturating_sub(shown.len()) };
    let can_wrap = pane.can_wrap() && (is_folded || list.left == 0);
    let wide = columns.saturating_add(to_u16(list.left));
    let lines = |index: usize| {
        let is_changed = model.is_changed_line(pane, index);
        if can_wrap && (free > 0 || is_changed) {
            let lines = folded_lines(model, pane, index, columns);
            if lines.len() - 1 <= free || is_changed {
                free = free.saturating_sub(lines.len() - 1);
                return (index, lines);
            }
        }
        (index, vec![line::without(row(model, pane, index, wide), 0, list.left)])
    };
    shown.map(lines).collect()
}

/// The width at which a line is laid out before it is wrapped: more columns than any line needs.
pub(crate) const UNWRAPPED_COLUMNS: usize = 4_000;

/// The lines of a row in full, the last one with the location where it is written.
fn folded_lines(model: &Model, pane: Pane, index: usize, columns: u16) -> Vec<Line<'static>> {
    if pane == Pane::Diff && model.diff.whole.is_side_by_side() {
        return diff::view::split_lines(model, index, columns.into());
    }
    let whole = match pane {
        Pane::Diff => diff::view::row_for_pane(model, index, UNWRAPPED_COLUMNS, columns.into()),
        _ => row(model, pane, index, to_u16(UNWRAPPED_COLUMNS)),
    };
    let mut lines = line::folded(&whole, columns.into(), text_column(model, pane, index, &whole));
    let place = match pane {
        Pane::Diff => diff::view::written_at(model, index, columns.into()),
        Pane::Resource => resource::view::written_at(model, index, columns.into()),
        _ => None,
    };
    if let Some(place) = place {
        add_location(model, &mut lines, &place, columns.into());
    }
    lines
}

/// Adds a location at the right edge: in full, or cut if the text leaves fewer cells.
fn add_location(model: &Model, lines: &mut Vec<Line<'static>>, place: &str, columns: usize) {
    let free = lines.last().map_or(0, |line| columns.saturating_sub(line.width() + 2));
    if free < MIN_PLACE_CELLS.min(width(place)) {
        lines.push(Line::default());
    }
    let Some(line) = lines.last_mut() else { return };
    let used = line.width();
    let place = fit_location(place, columns.saturating_sub(used + 2));
    let mut tail = LineBuilder::new(model, columns.saturating_sub(used));
    tail.pad_to(columns.saturating_sub(used + width(&place))).put(StyleRole::Place, &place);
    line.spans.extend(tail.finish().spans);
}

/// A location is not cut to fewer cells.
pub(crate) const MIN_PLACE_CELLS: usize = 14;

/// The column at which the wrapped lines of a row begin: two cells to the right of the text in its
/// first line.
fn text_column(model: &Model, pane: Pane, index: usize, whole: &Line<'_>) -> usize {
    let text = row_text(model, pane, index);
    let indent = text.len() - text.trim_start().len();
    // The location of a line of a resource follows the text.
    if pane == Pane::Resource {
        return 5 + indent + 2;
    }
    whole.width().saturating_sub(width(text.trim_end())) + indent + 2
}

fn highlight(model: &Model, area: Rect, buffer: &mut Buffer) {
    // Capital letters match only themselves, as in the search.
    let is_exact = model.input.search.contains(char::is_uppercase);
    let fold = |text: &str| if is_exact { text.to_owned() } else { text.to_lowercase() };
    let needle = &model.input.search;
    let is_text = !(needle.is_empty() || needle.starts_with('!') || needle.starts_with("r:"));
    if !is_text || model.input.searched_on != Some(model.screen) {
        return;
    }
    let cells =
        (area.x..area.right()).filter_map(|x| buffer.cell((x, area.y)).map(|cell| (x, cell)));
    let mut text = String::new();
    let mut columns = Vec::new();
    for (x, cell) in cells {
        let symbol = fold(cell.symbol());
        columns.extend(std::iter::repeat_n(x, symbol.len()));
        text.push_str(&symbol);
    }
    for (at, found) in text.match_indices(needle) {
        let (first, last) = (columns[at], columns[at + found.len() - 1]);
        let area = Rect { x: first, width: last - first + 1, ..area };
        buffer.set_style(area, model.look.theme.style(StyleRole::Match));
    }
}

fn draw_frame(
    model: &Model,
    class: SizeClass,
    placed: &PaneArea,
    focused: bool,
    buffer: &mut Buffer,
) -> Rect {
    let role = if focused { StyleRole::Focus } else { StyleRole::Border };
    let style = model.look.theme.style(role);
    let chips = chips(model, placed);
    let title = |room: usize| title_in(model, placed.pane, room.saturating_sub(chips.width()));
    let position = position(model, placed.pane);
    let area = placed.area;
    match class {
        SizeClass::Tiny => {}
        SizeClass::Compact => {
            let line = model.glyphs().line;
            let lead = if focused {
                format!("{line}{} ", model.glyphs().cursor)
            } else {
                line.repeat(2) + " "
            };
            let room = usize::from(area.width).saturating_sub(width(&position) + 6);
            let mut text = format!("{lead}{} ", title(room));
            while width(&text) + width(&position) < usize::from(area.width) {
                text.push_str(line);
            }
            text.push_str(&position);
            if area.height > 0 {
                buffer.set_stringn(area.x, area.y, text, area.width.into(), style);
            }
        }
        SizeClass::Standard | SizeClass::Wide => {
            let mark = if focused { format!("{} ", model.glyphs().cursor) } else { String::new() };
            let room = usize::from(area.width).saturating_sub(6);
            let block = Block::new()
                .borders(Borders::ALL)
                .border_style(style)
                .title(Line::styled(format!(" {mark}{} ", title(room)), style))
                .title_bottom(Line::styled(position, style).right_aligned());
            let border = if focused { BorderType::Double } else { BorderType::Plain };
            block.border_type(border).render(area, buffer);
        }
    }
    draw_chips(model, &chips, style, buffer);
    placed.inner
}

fn draw_chips(model: &Model, row: &ChipRow, border: Style, buffer: &mut Buffer) {
    let role = model.look.theme.style(StyleRole::Modified);
    for chip in &row.chips {
        buffer.set_string(chip.area.x, chip.area.y, &chip.text, role);
        buffer.set_string(chip.area.right(), chip.area.y, " ", border);
    }
    if let Some(last) = row.chips.last() {
        buffer.set_string(last.area.right() + 1, last.area.y, row.hint, border);
    }
    if let Some(first) = row.chips.first() {
        buffer.set_string(first.area.x.saturating_sub(1), first.area.y, " ", border);
    }
}

/// The title of a pane in `cells`. The sides of a comparison are left out before its result.
fn title_in(model: &Model, pane: Pane, cells: usize) -> String {
    let whole = title(model, pane);
    if pane == Pane::Differences && width(&whole) > cells {
        return fit_title(&compared::view::short_title(model), cells);
    }
    fit_title(&whole, cells)
}

pub(crate) fn title(model: &Model, pane: Pane) -> String {
    (crate::pane_view(pane).title)(model)
}

fn row(model: &Model, pane: Pane, index: usize, columns: u16) -> Line<'static> {
    match crate::pane_view(pane).content {
        PaneContent::Drawn(row) => row(model, index, columns.into()),
        // Their rows are cells.
        PaneContent::Cells(_) | PaneContent::Effects(_) => Line::default(),
        PaneContent::Text(_) | PaneContent::About(_) => {
            let lines = crate::pane_view(pane).lines(model, pane).unwrap_or_default();
            lines.get(index).map(|text| text_row(model, text, columns.into())).unwrap_or_default()
        }
    }
}

fn text_row(model: &Model, text: &TextLine, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let kind = match text.role() {
        StyleRole::Added if !text.wraps => DiffRowKind::Added,
        StyleRole::Removed if !text.wraps => DiffRowKind::Removed,
        role => {
            let lead = if role == StyleRole::Text && !text.wraps { "  " } else { " " };
            line.put(StyleRole::Text, lead).text_line(text);
            return line.finish();
        }
    };
    let whole = text.text();
    let sign = whole.chars().next().map_or(0, char::len_utf8);
    let rest = TextLine::plain(&whole[sign..]);
    diff::view::draw_side(&mut line, model, kind, &rest, &text.words);
    line.finish()
}

/// Replaces symbols that must not reach the terminal: control characters of any input, and, if the
/// terminal shows only ASCII, all others. This is the last check before drawing.
fn replace_unsafe_symbols(model: &Model, buffer: &mut Buffer) {
    let ascii = model.look.icons == super::Icons::Ascii;
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        // Of an emoji, the selector of its form is not harmful.
        if symbol.contains(is_unsafe) && sanitize(symbol) != symbol {
            cell.set_symbol(if ascii { "?" } else { "\u{fffd}" });
        } else if ascii && !cell.symbol().is_ascii() {
            let plain = match cell.symbol() {
                "…" => "^",
                "−" | "─" | "═" => "-",
                "│" | "║" | "├" => "|",
                "┌" | "┐" | "┘" | "╔" | "╗" | "╚" | "╝" => "+",
                "└" => "`",
                "▐" => "[",
                "▌" => "]",
                "›" | "→" => ">",
                "·" => ".",
                "×" => "x",
                "●" => "*",
                _ => "?",
            };
            cell.set_symbol(plain);
        }
    }
}
