//! Opens the selected row, its file, and the resources that it changes.

use std::path::PathBuf;

use crate::model::{Model, Pane, TreeSubject};
use crate::update::selection::{focus, select, show_resource};
use crate::update::time;

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let row = model.tree.rows.get(model.list(Pane::Tree).selected)?;
    match &row.subject {
        TreeSubject::Layer { file } => Some((file.clone(), 1)),
        TreeSubject::Field { file, line } | TreeSubject::Scalar { file, line, .. } => {
            Some((file.clone(), *line))
        }
        TreeSubject::Entry { entry, line, names } => match names {
            Some(path) if model.opened.sources.keys().all(|file| file.parent() != Some(path)) => {
                Some((path.clone(), 1))
            }
            _ => Some((entry.file.clone(), *line)),
        },
        TreeSubject::Unlisted { path, .. } => Some((path.join("kustomization.yaml"), 1)),
        TreeSubject::Step => {
            let step = model.builds.recording.step(*row.steps.first()?)?;
            Some((PathBuf::from(model.builds.recording.file(step.mark)?), step.mark.line))
        }
        TreeSubject::Heading => None,
    }
}

/// Opens or closes a node; for a leaf, shows its step.
pub(crate) fn open_row(model: &mut Model) {
    let Some(row) = model.tree.rows.get(model.list(Pane::Tree).selected).cloned() else { return };
    if row.has_children && row.open {
        // As in other trees, only `h` closes a row.
        select(model, Pane::Tree, model.list(Pane::Tree).selected + 1);
    } else if row.has_children {
        model.tree.toggle(&row);
        model.derived.tree = None;
    } else if let Some(step) = time::last_step_in_row(model, model.list(Pane::Tree).selected) {
        time::show_step(model, step);
    } else if let TreeSubject::Entry { .. } | TreeSubject::Unlisted { .. } = row.subject {
        focus(model, Pane::Preview);
    }
}

pub(crate) fn open_effect(model: &mut Model) {
    let row = model.detail.effect.get(model.list(Pane::Effect).selected);
    if let Some(key) = row.and_then(|row| row.key.clone()) {
        show_resource(model, key);
    }
}
