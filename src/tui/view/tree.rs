//! The text of the selected row's file.

use ratatui::text::Line;

use super::super::model::Model;
use super::super::theme::StyleRole;
use super::line::LineBuilder;

/// A line of the selected row's file.
pub(super) fn preview(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(text) = model.detail.preview.lines.get(index) else { return line.finish() };
    let here = model.detail.preview.at == Some(index);
    let mark = if here { model.glyphs().cursor } else { " " };
    line.put(StyleRole::Focus, mark);
    line.push_right_aligned(
        if here { StyleRole::Step } else { StyleRole::Dim },
        &(index + 1).to_string(),
        4,
    );
    line.put(StyleRole::Text, "  ").text_line(text);
    line.finish()
}
