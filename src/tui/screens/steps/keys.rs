//! The file of the selected step.

use std::path::PathBuf;

use crate::engine::load::{FileKind, clean};
use crate::model::Model;

/// The file and line of the selected step: those of its patch, or of its entry.
pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let step = model.builds.recording.step(model.cursor)?;
    patch_file(model)
        .or_else(|| Some((PathBuf::from(model.builds.recording.file(step.mark)?), step.mark.line)))
}

/// The file of the selected step's patch, if the patch has a separate file.
fn patch_file(model: &Model) -> Option<(PathBuf, u32)> {
    let step = model.builds.recording.step(model.cursor)?;
    if !step.field.starts_with("patches") {
        return None;
    }
    let layer = model.builds.recording.trace.layer(step.layer)?;
    let path = clean(&PathBuf::from(&*layer.path).join(&*step.argument));
    let is_file = matches!(model.opened.disk.resolve(&path), Ok((_, FileKind::File)));
    is_file.then_some((path, 1))
}
