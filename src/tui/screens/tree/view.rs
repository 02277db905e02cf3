//! The text of the selected row's file, and the diffs of the resources that the row changes.

use ratatui::text::Line;

use crate::model::Model;
use crate::theme::StyleRole;
use crate::view::dialog::folded_diff_line;
use crate::view::line::LineBuilder;

/// A line of the selected row's file.
pub(crate) fn preview(model: &Model, index: usize, columns: usize) -> Line<'static> {
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

/// The diffs of the resources that the selected row changes, below their names.
pub(crate) fn effect_diffs(model: &Model, columns: usize) -> impl Iterator<Item = Line<'static>> {
    model.detail.diffs.iter().flat_map(move |(diff, rows)| {
        let lines = rows.iter().flat_map(move |row| folded_diff_line(model, diff, *row, columns));
        std::iter::once(Line::default()).chain(lines)
    })
}
