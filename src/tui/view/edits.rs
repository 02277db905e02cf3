//! The edits of the draft.

use ratatui::text::Line;

use super::super::model::Model;
use super::super::text::{fit_middle_distinct, near, sanitize, width};
use super::super::theme::StyleRole;
use super::dialog::diff_line;
use super::line::LineBuilder;
use crate::draft::ListedEdit;

/// The title of the list, with the name of the draft.
pub(super) fn title(model: &Model) -> String {
    match model.edits.name.as_deref() {
        Some(name) => format!("Edits of the draft {}", sanitize(name)),
        None => "Edits of the draft".to_owned(),
    }
}

/// The line of an edit: its state, its description and its effect.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(edit) = model.edits.list.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    let (role, sign) =
        if edit.is_left_out { (StyleRole::Dim, glyphs.off) } else { (StyleRole::Draft, glyphs.on) };
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    let effect = |edit| model.effect_of_edit(edit).unwrap_or((StyleRole::Dim, "…".to_owned()));
    // All rows have the same width for the effect, which takes cells from the longest description
    // only up to its share.
    let list = &model.edits.list;
    let effects = list.iter().map(|edit| width(&effect(edit).1)).max().unwrap_or(0);
    let words = list.iter().map(|edit| width(&shown_words(edit))).max().unwrap_or(0);
    let share = line.room() * 2 / 5;
    let cells = effects.min(line.room().saturating_sub(words + 2).max(share));
    let room = line.room().saturating_sub(cells + 2);
    let role = if edit.is_left_out { StyleRole::Dim } else { StyleRole::Text };
    let others: Vec<_> = near(index, list).map(shown_words).collect();
    let words = shown_words(edit);
    let words = fit_middle_distinct(&words, room, others.iter().map(|words| &**words));
    line.column(role, &words, room).put(StyleRole::Text, "  ");
    let (role, words) = effect(edit);
    line.counts(role, &words, cells);
    line.finish()
}

/// The description of an edit; a path in it begins below the folders above.
fn shown_words(edit: &ListedEdit) -> String {
    sanitize(&edit.words).replace("../", "")
}

/// One line of the effect of the selected edit.
pub(super) fn effect_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    if let Some((role, text)) = model.edit_effect_lines().get(index) {
        line.put(StyleRole::Text, " ").put(*role, text);
    }
    line.finish()
}

/// One line of the diff of the selected edit.
pub(super) fn diff_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
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

/// The text in place of an empty list of edits.
pub(super) fn empty(_: &Model) -> String {
    "no edits: space in a target's tree switches an entry off or on".to_owned()
}
