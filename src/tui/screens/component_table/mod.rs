//! The components of all overlays, as a table.

pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;

use crate::answers::Cell as TableCell;
use crate::answers::ComponentStatus;
use crate::keymap::Command;
use crate::model::{
    EmptyText, Model, Pane, PaneContent, PaneView, Preview, TextAbout, component_detail,
    effect_or_none,
};
use crate::rows::{Cell, Keep, ListRow};
use crate::screens::components::rows::{component_sign, trial_words};
use crate::text::sanitize;
use crate::theme::StyleRole;
use crate::update::selection;

pub(crate) static COMPONENT_TABLE: PaneView = PaneView {
    title: view::title,
    count: |model| model.table.table().map_or(0, |table| table.overlays.len()),
    content: PaneContent::Drawn(view::row),
    text: |model, row| model.overlay_row(row).map(|row| row.overlay.clone()),
    header: view::header,
    empty: EmptyText::Repository(view::empty),
    place: Model::cell_location,
    open: |model| selection::focus(model, Pane::TableComponents),
    ..PaneView::LIST
};

pub(crate) static TABLE_COMPONENTS: PaneView = PaneView {
    title: |model| match model.selected_overlay() {
        Some(row) => format!("Components of {}", sanitize(&row.overlay)),
        None => "Components".to_owned(),
    },
    count: |model| model.selected_overlay().map_or(0, |overlay| overlay.components.len()),
    content: PaneContent::Cells(|model, index, _| component(model, index)),
    text: |model, row| model.overlay_cell(row).map(|cell| cell.component.clone()),
    place: Model::cell_location,
    ..PaneView::LIST
};

pub(crate) static TABLE_DETAIL: PaneView = PaneView {
    title: |_| "The selected component".to_owned(),
    content: PaneContent::About(TextAbout {
        list: |_| Pane::TableComponents,
        edition: |model| (model.table.edition, model.list(Pane::ComponentTable).selected),
        make: |model, row, _| {
            let space = model.look.keymap.first_key(Command::Toggle);
            Some(Preview { lines: component_detail(model, row, space), ..Preview::default() })
        },
    }),
    place: Model::cell_location,
    ..PaneView::TEXT
};

fn component(model: &Model, index: usize) -> Option<ListRow> {
    let cell = model.overlay_cell(index)?;
    let (role, sign) = component_sign(model, cell);
    let is_on = cell.state == ComponentStatus::On;
    let (trial_role, trial) = trial_words(model, cell.trial.as_ref().filter(|_| !is_on));
    let overlay = model.list(Pane::ComponentTable).selected;
    let is_drafted = model.is_cell_drafted(overlay, index);
    let state = if is_on && cell.trial.is_some() { StyleRole::Error } else { StyleRole::Dim };
    let cells = vec![
        Cell::new(
            if is_on { StyleRole::Text } else { StyleRole::Dim },
            Keep::Path,
            cell.component.strip_prefix(&*model.table.folder).unwrap_or(&cell.component),
        ),
        Cell::counts(state, Keep::All, state_words(model, cell)),
        Cell::counts(trial_role, Keep::All, trial),
        Cell::new(StyleRole::Draft, Keep::All, if is_drafted { model.glyphs().draft } else { "" }),
    ];
    Some(ListRow::new(vec![(role, format!(" {sign} "))], cells))
}

fn state_words(model: &Model, cell: &TableCell) -> String {
    match (cell.state, cell.effect) {
        (ComponentStatus::On, Some(effect)) => effect_or_none(model, effect),
        (ComponentStatus::On, None) if cell.trial.is_some() => {
            format!("{} fails", model.glyphs().failed)
        }
        (ComponentStatus::On, None) => "not known".to_owned(),
        (ComponentStatus::Off, _) => "off".to_owned(),
        (ComponentStatus::Absent, _) => "not listed".to_owned(),
    }
}
