//! The edits of the draft.

use ratatui::text::Line;

use super::super::model::{Model, shown_edit_words};
use super::super::text::{fit_middle_distinct, near, sanitize};
use super::super::theme::StyleRole;
use super::dialog::diff_line;
use super::line::LineBuilder;

/// The title of the list, with the name of the draft.
pub(super) fn title(model: &Model) -> String {
    match model.edits.name.as_deref() {
        Some(name) => format!("Edits of the draft {}", sanitize(name)),
        None => "Edits of the draft".to_owned(),
    }
}

/// The line of an edit: its state, its description and its effect.
///
/// If `whole` contains the wrapped description, this line shows its first line.
pub(super) fn row(
    model: &Model,
    index: usize,
    columns: usize,
    whole: Option<&[String]>,
) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(edit) = model.edits.list.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    let (role, sign) =
        if edit.is_left_out { (StyleRole::Dim, glyphs.off) } else { (StyleRole::Draft, glyphs.on) };
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    let cells = model.edit_effect_cells(columns);
    let room = line.room().saturating_sub(cells + 2);
    let role = if edit.is_left_out { StyleRole::Dim } else { StyleRole::Text };
    let words = shown_edit_words(edit);
    let words = if let Some(lines) = whole {
        lines.first().cloned().unwrap_or_default()
    } else {
        let others: Vec<_> = near(index, &model.edits.list).map(shown_edit_words).collect();
        fit_middle_distinct(&words, room, others.iter().map(|words| &**words))
    };
    line.column(role, &words, room).put(StyleRole::Text, "  ");
    let (role, words) = model.shown_effect_of_edit(edit);
    line.counts(role, &words, cells);
    line.finish()
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
