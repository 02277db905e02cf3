//! Deployment objects by name alone: `web` instead of `argocd/app.yaml#web`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::load::{Files, relative_path};

use super::{Listing, LocatedDeploymentObject, Repository};

/// The only deployment object below `root` with a name, as `FILE#NAME`; `None` if no object has it.
/// The message of an error lists the objects relative to `current`.
pub fn object_with_name(
    name: &str,
    (root, current): (&Path, &Path),
    listing: &dyn Listing,
    files: &Arc<dyn Files>,
) -> Result<Option<PathBuf>, String> {
    if !may_be_object_name(name) {
        return Ok(None);
    }
    let Ok(repository) = Repository::read(root, listing, &**files) else { return Ok(None) };
    let objects = repository.managers(files);
    let objects = objects.iter().filter(|object| object.name == name);
    let mut found: Vec<PathBuf> = objects.map(LocatedDeploymentObject::object_name).collect();
    found.sort_unstable();
    found.dedup();
    if found.len() > 1 {
        let names: Vec<String> = found.iter().map(|it| relative_path(current, it)).collect();
        let count = found.len();
        let names = names.join(", ");
        return Err(format!("{count} deployment objects are named {name}: name one: {names}"));
    }
    Ok(found.pop())
}

/// True for a text that Kubernetes accepts as a name.
pub fn may_be_object_name(word: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    let is_end = |end: Option<char>| end.is_some_and(|c| c.is_ascii_alphanumeric());
    is_end(word.chars().next())
        && is_end(word.chars().next_back())
        && word.chars().all(allowed)
        && !word.contains("..")
}
