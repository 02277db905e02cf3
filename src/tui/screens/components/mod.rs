//! The components of the target.

pub(crate) mod rows;
pub(crate) mod state;

use std::path::PathBuf;

use crate::model::{
    ChangedRow, Compare, EmptyText, Model, Pane, PaneContent, PaneView, Screen, trial_row,
};
use crate::screens::experiments::state::component_trial;
use crate::screens::{composition, diff, steps};
use crate::update::selection::show_screen;
use crate::update::{note, time};

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
    place,
    open,
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
    empty: EmptyText::Build(empty_effect),
    place,
    open: open_effect,
    ..PaneView::LIST
};

fn empty_effect(model: &Model) -> Option<String> {
    if model.has_draft() && !model.selects_component_to_try() {
        return Some(steps::equal_output_text(model));
    }
    match model.screen {
        Screen::Composition => Some(composition::missing_effect_text(model).to_owned()),
        _ if model.components.rows.is_empty() => None,
        _ => {
            let row = model.components.rows.get(model.list(Pane::Components).selected);
            let trial = row.and_then(|row| component_trial(model, &row.path)).and_then(trial_row);
            Some(match trial {
                Some(trial) => format!("off; {}", trial.text()),
                None => "off (space: try it)".to_owned(),
            })
        }
    }
}

fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let row = model.components.rows.get(model.list(Pane::Components).selected)?;
    Some((row.file.clone(), row.line.max(1)))
}

fn open(model: &mut Model) {
    let row = model.components.rows.get(model.list(Pane::Components).selected);
    match row.and_then(|row| row.step) {
        Some(step) => {
            time::jump_to(model, step);
            model.screen = Screen::Steps;
        }
        None => note(model, "switched off (space: switch on)"),
    }
}

fn open_effect(model: &mut Model) {
    model.diff.compare = Compare::Output;
    let row = model.components.effect.get(model.list(Pane::ComponentEffect).selected);
    if let Some(key) = row.and_then(|row| row.key.clone()) {
        model.resources.choose(key);
    }
    show_screen(model, Screen::Diff);
}
