//! The help and the fix for a path that cannot be loaded.

use std::path::Path;

use crate::diagnostic::{Fault, Fix, Hint, LayerFault, TextChange};
use crate::load::{Files, LoadAdvice, LoadError, clean, made_file_advice, relative_path};

use super::{ErrorCause, FILE_NAMES, StepError};

/// The advice for a folder whose kustomization file is made before a build.
pub(super) fn made_kustomization_advice(
    error: &StepError,
    files: &dyn Files,
) -> Option<LoadAdvice> {
    let ErrorCause::Fault(fault) = &error.cause else { return None };
    let Fault::Layer(LayerFault::NoKustomization(folder)) = fault.innermost() else { return None };
    FILE_NAMES.iter().find_map(|name| made_file_advice(&Path::new(folder).join(name), files))
}

/// The help and the fix for a directory with manifests and without a kustomization file: the fix
/// creates the file.
pub(super) fn new_kustomization(
    directory: &Path,
    files: &dyn Files,
) -> Option<(Option<Hint>, Option<Fix>)> {
    let mut names = files.list(directory).ok()?;
    names.sort();
    names.retain(|name| {
        let file = directory.join(name);
        if file.extension().is_none_or(|ending| ending != "yaml" && ending != "yml") {
            return false;
        }
        let text = files.read(&file).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().any(|line| line.starts_with("kind:"))
    });
    let folder = directory.file_name()?.to_string_lossy();
    if names.is_empty() {
        let text = format!("`{folder}` has no manifests either: correct the path");
        return Some((Some(Hint::Change(text)), None));
    }
    let text = format!(
        "add {folder}/kustomization.yaml with `resources: [{}]`, without the files that are not meant",
        names.join(", ")
    );
    let file = directory.join("kustomization.yaml");
    let with = format!("resources:\n- {}\n", names.join("\n- "));
    let changes = vec![TextChange { file, at: 0, was: String::new(), with }];
    let words = format!("add {folder}/kustomization.yaml");
    // The folder may have files that no target was meant to deploy, such as examples.
    Some((Some(Hint::Change(text)), Some(Fix::SetText { changes, words, is_guess: true })))
}

/// A missing path as an entry of the file writes it, and the path that exists with one `..` more or
/// less; `None` if there is none, or another advice is known.
pub(super) fn path_of_other_depth(
    file: &Path,
    error: &LoadError,
    files: &dyn Files,
) -> Option<(String, String)> {
    let folder = file.parent()?;
    let (missing, advice) = (error.missing()?, error.hint()?);
    if !matches!(advice, LoadAdvice::Missing(_) | LoadAdvice::MissingFolder(_)) {
        return None;
    }
    let written = relative_path(folder, error.path()?);
    let below = written.trim_start_matches("../");
    let up = (written.len() - below.len()) / 3;
    let with_depth = |up: usize| format!("{}{below}", "../".repeat(up));
    let others = [Some(up + 1), up.checked_sub(1)].into_iter().flatten().map(with_depth);
    let is_there = |path: &String| {
        let path = clean(&folder.join(path));
        path != *folder && path != *missing && files.resolve(&path).is_ok()
    };
    let mut found = others.filter(is_there);
    let (Some(other), None) = (found.next(), found.next()) else { return None };
    Some((written, other))
}
