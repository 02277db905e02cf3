//! The edits of the draft, with their effect.

pub(crate) mod keys;
pub(crate) mod state;

use ratatui::text::Line;

use crate::model::{EmptyText, Model, Pane, PaneContent, PaneView, shown_edit_words};
use crate::rows::{Cell, Keep, ListRow};
use crate::text::sanitize;
use crate::theme::StyleRole;
use crate::update::selection;
use crate::view::dialog::diff_line;
use crate::view::line::of_texts;

pub(crate) static EDITS: PaneView = PaneView {
    title: |model| match model.edits.name.as_deref() {
        Some(name) => format!("Edits of the draft {}", sanitize(name)),
        None => "Edits of the draft".to_owned(),
    },
    count: |model| model.edits.list.len(),
    content: PaneContent::Cells(|model, index, _| edit(model, index)),
    text: |model, row| model.edits.list.get(row).map(|edit| edit.words.clone()),
    empty: EmptyText::Repository(|_| {
        "no edits: space in a target's tree switches an entry off or on".to_owned()
    }),
    place: keys::place,
    open: |model| selection::focus(model, Pane::EditDiff),
    ..PaneView::LIST
};

pub(crate) static EDIT_EFFECT: PaneView = PaneView {
    title: |_| "Effect of the selected edit".to_owned(),
    content: PaneContent::Effects(|model| model.edit_effect_lines().into()),
    place: keys::place,
    ..PaneView::TEXT
};

pub(crate) static EDIT_DIFF: PaneView = PaneView {
    title: |_| "Diff of the selected edit".to_owned(),
    count: |model| model.edits.shown.len(),
    content: PaneContent::Drawn(diff_row),
    text: |model, row| match model.edits.shown.row(row)? {
        Ok((diff, row)) => diff.line(row).map(|(text, _)| text.text()),
        Err(name) => Some(name.to_owned()),
    },
    place: keys::place,
    ..PaneView::TEXT
};

fn edit(model: &Model, index: usize) -> Option<ListRow> {
    let edit = model.edits.list.get(index)?;
    let glyphs = model.glyphs();
    let (role, sign, text) = if edit.is_left_out {
        (StyleRole::Dim, glyphs.off, StyleRole::Dim)
    } else {
        (StyleRole::Draft, glyphs.on, StyleRole::Text)
    };
    let (effect_role, effect) = model.effect_of_edit(edit);
    let cells = vec![
        Cell::new(text, Keep::Ends, shown_edit_words(&edit.words)),
        Cell::new(StyleRole::Place, Keep::Place, model.folder_of_edit(edit)),
        Cell::counts(effect_role, Keep::Begin, effect),
    ];
    Some(ListRow::new(vec![(role, format!(" {sign} "))], cells))
}

fn diff_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    match model.edits.shown.row(index) {
        Some(Ok((diff, row))) => diff_line(model, diff, row, columns),
        Some(Err(name)) => of_texts(model, columns, &[(StyleRole::Title, &format!(" {name}"))]),
        None => Line::default(),
    }
}
