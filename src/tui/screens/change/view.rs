//! The diff of the selected edit.

use ratatui::text::Line;

use crate::model::Model;
use crate::theme::StyleRole;
use crate::view::dialog::diff_line;
use crate::view::line::LineBuilder;

pub(crate) fn diff_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    match model.edits.shown.row(index) {
        Some(Ok((diff, row))) => diff_line(model, diff, row, columns),
        Some(Err(name)) => {
            let mut line = LineBuilder::new(model, columns);
            line.put(StyleRole::Title, &format!(" {name}"));
            line.finish()
        }
        None => Line::default(),
    }
}
