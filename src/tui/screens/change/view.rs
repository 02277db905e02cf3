//! The edits of the draft.

use ratatui::text::Line;

use crate::model::Model;
use crate::text::sanitize;
use crate::theme::StyleRole;
use crate::view::dialog::diff_line;
use crate::view::line::LineBuilder;

pub(crate) fn title(model: &Model) -> String {
    match model.edits.name.as_deref() {
        Some(name) => format!("Edits of the draft {}", sanitize(name)),
        None => "Edits of the draft".to_owned(),
    }
}

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

pub(crate) fn empty(_: &Model) -> String {
    "no edits: space in a target's tree switches an entry off or on".to_owned()
}
