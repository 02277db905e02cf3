//! The file of a line of the resource, and the step of a write of its field.

use std::path::PathBuf;

use crate::model::{Model, Pane};
use crate::update::time;

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let mark = model.resources.lines.get(model.list(Pane::Resource).selected)?.mark;
    Some((PathBuf::from(model.builds.recording.file(mark)?), mark.line))
}

pub(crate) fn open_write(model: &mut Model) {
    let row = model.resources.history.get(model.list(Pane::History).selected);
    if let Some(step) = row.map(|row| row.step) {
        time::jump_to(model, step);
    }
}
