//! The file of the selected step.

use std::path::PathBuf;

use crate::engine::load::{FileKind, clean};
use crate::model::Model;

/// The file and line of the selected step: those of its patch, or of its entry.
pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let recording = &model.builds.recording;
    let step = recording.step(model.cursor)?;
    if step.field.starts_with("patches")
        && let Some(layer) = recording.trace.layer(step.layer)
    {
        // The patch may have a separate file.
        let path = clean(&PathBuf::from(&*layer.path).join(&*step.argument));
        if let Ok((_, FileKind::File)) = model.opened.disk.resolve(&path) {
            return Some((path, 1));
        }
    }
    Some((PathBuf::from(recording.file(step.mark)?), step.mark.line))
}
