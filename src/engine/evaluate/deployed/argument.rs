//! The argument that names a deployment object, and the files that may contain the object.

use std::path::{Path, PathBuf};

use crate::load::{FileKind, Files, clean};

use super::super::deployments::is_yaml;
use super::super::target::target_file_names;

/// The name of one object of a file: `NAME`, or `NAME@PARENT`.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectSelector {
    pub(super) name: Option<String>,
    pub(super) parent: Option<String>,
}

/// Splits a target of the form `file#name`, unless the full text names a file.
pub(super) fn split(target: &str, current: &Path, files: &dyn Files) -> (PathBuf, ObjectSelector) {
    let whole = clean(&current.join(target));
    if files.resolve(&whole).is_ok() {
        return (whole, ObjectSelector::default());
    }
    let is_file = |at: &usize| {
        let file = target.get(..*at).unwrap_or_default();
        files.resolve(&clean(&current.join(file))).is_ok()
    };
    let Some(at) = target.match_indices('#').map(|(at, _)| at).find(is_file) else {
        return (whole, ObjectSelector::default());
    };
    let (file, rest) = target.split_at(at);
    let rest = rest.get(1..).unwrap_or_default();
    let (name, parent) = match rest.split_once('@') {
        Some((name, parent)) => (name, Some(parent.to_owned())),
        None => (rest, None),
    };
    (clean(&current.join(file)), ObjectSelector { name: Some(name.to_owned()), parent })
}

/// The YAML files at a path that may contain the object; `None` if the path is a target or no YAML
/// file.
pub(super) fn candidate_files(place: &Path, files: &dyn Files) -> Option<Vec<PathBuf>> {
    let (place, kind) = files.resolve(place).ok()?;
    if kind == FileKind::File {
        return is_yaml(&place).then(|| vec![place]);
    }
    if target_file_names().any(|name| files.resolve(&place.join(name)).is_ok()) {
        return None;
    }
    let names = files.list(&place).ok()?.into_iter();
    Some(names.map(|name| place.join(name)).filter(|path| is_yaml(path)).collect())
}
