//! Two sides, compared.

pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Model, Pane, PaneContent, PaneView, TextAbout, subject_detail};
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;
use crate::update::selection;

pub(crate) static DIFFERENCES: PaneView = PaneView {
    title: view::title,
    count: |model| model.compared.rows.len(),
    content: PaneContent::Cells(|model, index, _| difference(model, index)),
    text: |model, row| {
        model.compared.rows.get(row).map(|row| format!("{} {}", row.label, row.detail))
    },
    empty: EmptyText::Repository(view::empty),
    open: |model| selection::focus(model, Pane::Hunk),
    ..PaneView::LIST
};

pub(crate) static HUNK: PaneView = PaneView {
    title: |model| match model.text_in(Pane::Hunk).title.as_str() {
        "" => "Edit".to_owned(),
        title => title.to_owned(),
    },
    content: PaneContent::About(TextAbout {
        list: |_| Pane::Differences,
        edition: |model| (model.compared.edition, 0),
        make: |model, row, _| {
            let row = model.compared.rows.get(row)?;
            Some(subject_detail(model.compared.report.as_deref()?, &row.subject))
        },
    }),
    ..PaneView::TEXT
};

/// A cause, a target or a resource of a comparison.
fn difference(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.compared.rows.get(index)?;
    let glyphs = model.glyphs();
    let (role, sign) = match row.danger.as_deref() {
        Some("error") => (StyleRole::Error, glyphs.failed),
        Some("warning") => (StyleRole::Warning, glyphs.warning),
        Some(_) => (StyleRole::Dim, glyphs.warning),
        None => (StyleRole::Text, " "),
    };
    let lead = vec![(role, format!(" {sign} {}", "  ".repeat(row.depth)))];
    let role = if row.depth == 0 { StyleRole::Text } else { StyleRole::Dim };
    let place = match &row.place {
        Some((place, 0)) => place.clone(),
        Some((place, more)) => format!("{place} +{more}"),
        None => String::new(),
    };
    if row.depth > 0 {
        let label = Cell::new(role, Keep::Ends, &row.label);
        let detail = Cell::right(StyleRole::Modified, Keep::All, &row.detail);
        return Some(ListRow { lead, cells: vec![label, detail], is_alone: true });
    }
    let cells = vec![
        Cell::new(role, Keep::Begin, &row.label),
        Cell::new(StyleRole::Place, Keep::End, place),
        Cell::right(StyleRole::Modified, Keep::All, &row.detail),
    ];
    Some(ListRow::new(lead, cells))
}
