//! The diff of the selected edit.

use ratatui::text::Line;

use crate::model::Model;
use crate::theme::StyleRole;
use crate::view::dialog::diff_line;
use crate::view::line::of_texts;

pub(crate) fn diff_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    match model.edits.shown.row(index) {
        Some(Ok((diff, row))) => diff_line(model, diff, row, columns),
        Some(Err(name)) => of_texts(model, columns, &[(StyleRole::Title, &format!(" {name}"))]),
        None => Line::default(),
    }
}
