//! The components of the target.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{ChangedRow, EmptyText, PaneContent, PaneView};
use crate::screens::diff;

pub(crate) static COMPONENTS: PaneView = PaneView {
    title: |model| match model.components.folder.as_str() {
        "" => "Components".to_owned(),
        folder => format!("Components in {}", crate::text::sanitize(folder)),
    },
    count: |model| model.components.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::of_target(model, index)),
    text: |model, row| model.components.rows.get(row).map(|row| row.text.clone()),
    empty: EmptyText::Target(|model| {
        let is_composition = model.composition().is_some();
        let composition = "a Composition has no components (gm: its entries)";
        let none = "no components in this build or repository";
        if is_composition { composition } else { none }.to_owned()
    }),
    place: keys::place,
    open: keys::open,
    ..PaneView::LIST
};

pub(crate) static COMPONENT_EFFECT: PaneView = PaneView {
    title: |model| match model.components.title.as_str() {
        "" => "Effect".to_owned(),
        title => title.to_owned(),
    },
    count: |model| model.components.effect.len(),
    content: PaneContent::Cells(|model, index, _| {
        diff::rows::resource(model, &model.components.effect, index)
    }),
    text: |model, row| model.components.effect.get(row).map(ChangedRow::text),
    empty: EmptyText::Build(view::empty_effect),
    place: keys::place,
    open: keys::open_effect,
    ..PaneView::LIST
};
