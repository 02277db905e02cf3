//! The palette: what was typed, what fits, and why some of it cannot be had.

use ratatui::Frame;
use ratatui::layout::Position;

use super::super::model::{Model, PaletteState};
use super::super::text::{sanitize, width};
use super::super::theme::Role;
use super::dialogs::dialog;
use super::line::LineBuilder;

/// Draws the palette; where its cursor is.
pub(super) fn draw(model: &Model, state: &PaletteState, frame: &mut Frame<'_>) -> Option<Position> {
    let title = format!("Palette  {} of {}", state.matches.len(), state.items.len());
    let inner = dialog(model, &title, 96, 26, frame);
    if inner.height < 2 {
        return None;
    }
    let mut line = LineBuilder::new(model, inner.width.into());
    line.put(Role::Key, " :").put(Role::Text, &sanitize(&state.text));
    frame.buffer_mut().set_line(inner.x, inner.y, &line.finish(), inner.width);
    let room = usize::from(inner.height) - 1;
    let first = (state.selected + 1).saturating_sub(room);
    let rows = state.matches.iter().enumerate().skip(first).take(room);
    for (y, (index, item)) in (inner.y + 1..).zip(rows) {
        let Some(item) = state.items.get(*item) else { continue };
        // The last cell stays free: keys do not touch the frame.
        let mut line = LineBuilder::new(model, inner.width.saturating_sub(1).into());
        let selected = index == state.selected;
        line.put(Role::Focus, if selected { model.glyphs().cursor } else { " " })
            .put(Role::Text, " ");
        let role = if item.disabled.is_some() { Role::Dim } else { Role::Text };
        let keys = width(&item.keys).min(16);
        let label = width(&item.label).max(22).min(line.room().saturating_sub(keys + 2));
        line.column(role, &item.label, label).put(Role::Text, "  ");
        let detail = item.disabled.unwrap_or(&item.detail);
        let room = line.room().saturating_sub(keys + 1);
        line.column(Role::Dim, detail, room).put(Role::Text, " ");
        line.put(Role::Key, &item.keys);
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
        if selected {
            let area = ratatui::layout::Rect { y, height: 1, ..inner };
            frame.buffer_mut().set_style(area, model.theme.style(Role::Selected));
        }
    }
    let cells = u16::try_from(width(&state.text)).unwrap_or(0);
    Some(Position::new((inner.x + 2 + cells).min(inner.right()), inner.y))
}
