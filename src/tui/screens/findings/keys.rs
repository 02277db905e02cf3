//! The file of the selected problem.

use std::path::PathBuf;

use crate::model::Model;

/// The file and line of the selected problem.
pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let found = model.selected_finding()?;
    Some((found.file.clone()?, found.mark.line.max(1)))
}
