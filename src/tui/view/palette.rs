//! The palette: the typed text, the matching items, and the reasons why items are unavailable.

use ratatui::layout::{Position, Rect};

use super::super::model::{PaletteItem, PaletteState};
use super::super::text::{sanitize, to_u16, width, wrap};
use super::super::theme::StyleRole;
use super::super::update::cli_equivalent;
use super::dialog::{DialogPainter, add_row};
use super::line::{LineBuilder, of_texts};

/// A description is not wrapped in fewer cells.
const MIN_DETAIL_CELLS: usize = 24;
/// The descriptions of items with a longer label begin further to the right.
const MAX_LABEL_CELLS: usize = 22;

pub(crate) fn draw(painter: &mut DialogPainter<'_, '_>, state: &PaletteState) -> Option<Position> {
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
