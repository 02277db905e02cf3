//! The edits of the draft.

use ratatui::text::Line;

use super::super::model::Model;
use super::super::text::{fit_location, fit_middle, sanitize, width};
use super::super::theme::StyleRole;
use super::line::LineBuilder;

/// The title of the list, with the name of the draft.
pub(super) fn title(model: &Model) -> String {
    match model.edits.name.as_deref() {
        Some(name) => format!("Edits of the draft {}", sanitize(name)),
        None => "Edits of the draft".to_owned(),
    }
}

/// The least cells in which a file is shown.
const PLACE_MIN_CELLS: usize = 16;

/// One edit: its words and its file.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(edit) = model.edits.list.get(index) else { return line.finish() };
    line.put(StyleRole::Text, " ");
    let files: Vec<String> = edit
        .files
        .iter()
        .map(|file| model.builds.recording.shorten(&file.to_string_lossy()))
        .collect();
    let files = sanitize(&files.join(", ")).into_owned();
    let words = sanitize(&edit.words);
    // The file gets the cells that the words leave, if it can be recognized in them.
    let longest = model.edits.list.iter().map(|edit| width(&edit.words)).max().unwrap_or(0);
    let place = line.room().saturating_sub(longest + 2).min(width(&files));
    let place = if place < PLACE_MIN_CELLS { 0 } else { place };
    let room = line.room().saturating_sub(place + usize::from(place > 0) * 2);
    line.column(StyleRole::Text, &fit_middle(&words, room), room);
    if place > 0 {
        line.put(StyleRole::Text, "  ").put(StyleRole::Place, &fit_location(&files, place));
    }
    line.finish()
}

/// The text of an empty list.
pub(super) fn empty(_: &Model) -> String {
    "no edits: space in a target's tree switches an entry off or on".to_owned()
}
