//! The table of overlays and components: its request, its result, and switching a component on or
//! off in any overlay.

use std::sync::Arc;

use crate::answers::ComponentMatrix;
use crate::engine::load::clean;
use crate::experiment::{Variation, WhatIfAnswer};
use crate::model::{Model, Screen, TableKey, common_folder, edit_words};
use crate::screens::{experiments, targets};
use crate::update::{note, warn, what_if};

/// Requests the table if it is shown and the draft or the files have changed since the last
/// request.
pub(crate) fn request_table(model: &mut Model) {
    if model.screen != Screen::ComponentTable || model.board.repository.is_none() {
        return;
    }
    let is_masked = model.look.secrets.are_masked();
    let is_known =
        |(changes, masked, _): &&TableKey| *changes == model.edits.changes && *masked == is_masked;
    let known = model.table.of.as_ref().filter(is_known);
    let tries = match known {
        None => false,
        // Components that are off are tried after the table is shown.
        Some((.., false)) if !model.table.is_asked && model.table.table().is_some() => true,
        Some(_) => return,
    };
    model.table.of = Some((model.edits.changes.clone(), is_masked, tries));
    (model.table.is_asked, model.table.stopped) = (true, None);
    let components = if tries { Variation::TriedComponents } else { Variation::Components };
    experiments::keys::request(model, components);
}

pub(crate) fn handle_table(model: &mut Model, result: Result<WhatIfAnswer, String>) {
    model.varied.asked = None;
    model.table.is_asked = false;
    let edit = model.table.reported_edit.take();
    match result {
        Ok(WhatIfAnswer::Components(table)) => {
            if let Some(edit) = edit
                && let Some(after) = table.overlays.iter().find(|row| row.file == edit.before.file)
            {
                note(model, edit_words(&edit, after));
            }
            show_table(model, Arc::new(table));
        }
        Ok(_) => {}
        Err(reason) => {
            model.table.edition += 1;
            model.table.result = Some(Err(reason));
        }
    }
}

pub(crate) fn show_table(model: &mut Model, table: Arc<ComponentMatrix>) {
    model.table.drafted = model.drafted_cells(&table);
    model.table.folder = common_folder(table.components.iter().map(String::as_str));
    model.table.edition += 1;
    model.table.result = Some(Ok(table));
}

pub(crate) fn toggle(model: &mut Model) {
    let Some(edit) = model.cell_edit() else {
        return warn(model, "no component selected");
    };
    what_if::apply(model, &edit);
}

pub(crate) fn open(model: &mut Model) {
    let Some(overlay) = model.selected_overlay() else { return };
    let folder = clean(&model.board.scope.join(&overlay.overlay));
    targets::keys::open_path(model, &folder);
}
