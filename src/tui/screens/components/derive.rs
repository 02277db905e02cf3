//! The components, and the effect of the selected one or of the draft.

use crate::model::derived::renew;
use crate::model::{
    Model, Pane, Screen, changed_between, common_folder, component_changes, component_rows,
};
use crate::screens::composition;
use crate::text::sanitize;
use crate::update::derive::build_key;

/// Lists the components; the selection is found by identity.
pub(crate) fn components(model: &mut Model) {
    let key = build_key(model);
    if !renew(&mut model.derived.components, key) {
        return;
    }
    let component = model.components.rows.get(model.list(Pane::Components).selected).cloned();
    model.components.rows = component_rows(model);
    model.components.folder = common_folder(model.components.rows.iter().map(|row| &*row.text));
    let found = component.and_then(|old| {
        model.components.rows.iter().position(|row| row.file == old.file && row.path == old.path)
    });
    model.select_found(Pane::Components, found);
}

/// Updates the list of effects: the changes of the draft in the output; without a draft, the effect
/// of the selected component, or on the Composition screen that of the selected entry.
pub(crate) fn derive_component_effect(model: &mut Model) {
    let is_pipeline = model.screen == Screen::Composition;
    let selected = if is_pipeline {
        model.list(Pane::Pipeline).selected
    } else {
        model.selected_row(Pane::Components)
    };
    // The effect of the draft is only known after its build.
    let key = (model.builds.generation, model.has_draft(), is_pipeline, selected);
    if !renew(&mut model.derived.component, key) {
        return;
    }
    let is_draft_shown = model.has_draft() && !model.selects_component_to_try();
    if let Some(saved) = model.builds.saved.clone().filter(|_| is_draft_shown) {
        model.components.effect = changed_between(&saved, &model.builds.recording);
        "Output: files to draft".clone_into(&mut model.components.title);
        return;
    }
    if is_pipeline {
        composition::derive::effect(model);
        return;
    }
    let row = model.components.rows.get(selected);
    model.components.effect =
        row.map(|row| component_changes(&model.builds.recording, row)).unwrap_or_default();
    model.components.title =
        row.map_or_else(|| "Effect".to_owned(), |row| format!("Effect of {}", sanitize(&row.text)));
}
