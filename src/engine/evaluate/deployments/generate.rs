//! The kustomization file that Flux generates for a directory without one: it lists every manifest
//! below the directory, and subdirectories with a kustomization file as directories.

use std::path::Path;

use crate::load::{FileKind, Files};
use crate::yaml::{Mark, Node};

use super::super::FILE_NAMES;

/// Nesting limit for directories, above that of real repositories.
const MAX_DEPTH: usize = 64;

/// The kustomization file that Flux generates for a directory, as a tree. `files` are the files of
/// the source; `mark` is the location of the directory in the deployment object, and becomes the
/// location of each entry.
pub(in crate::evaluate) fn generated_kustomization(
    directory: &Path,
    files: &dyn Files,
    mark: Mark,
) -> Node {
    let found = manifests_below(directory, files);
    let mut root = Node::mapping();
    if let Some(mapping) = root.as_mapping_mut() {
        if found.is_empty() {
            mapping.set("namespace", Node::string("_placeholder"));
        } else {
            let items = found.iter().map(|path| Node::string(path.as_str())).collect();
            mapping.set("resources", Node::sequence(items));
        }
    }
    root.mark_all(mark);
    root
}

/// The entries of the generated kustomization file, relative to the directory.
pub(in crate::evaluate) fn manifests_below(directory: &Path, files: &dyn Files) -> Vec<String> {
    let mut found = Vec::new();
    scan(directory, ".", 0, files, &mut found);
    found
}

fn scan(directory: &Path, shown: &str, depth: usize, files: &dyn Files, found: &mut Vec<String>) {
    let Ok(names) = files.list(directory) else { return };
    for name in names {
        let (path, shown) = (directory.join(&name), format!("{shown}/{name}"));
        let Ok((_, kind)) = files.resolve(&path) else { continue };
        let is_target =
            |file: &&str| matches!(files.resolve(&path.join(file)), Ok((_, FileKind::File)));
        match kind {
            FileKind::Directory if FILE_NAMES.iter().any(|file| is_target(&&**file)) => {
                found.push(shown);
            }
            FileKind::Directory if depth < MAX_DEPTH => {
                scan(&path, &shown, depth + 1, files, found);
            }
            FileKind::File if is_manifest(&name) => found.push(shown),
            _ => {}
        }
    }
}

fn is_manifest(name: &str) -> bool {
    matches!(Path::new(name).extension().and_then(|it| it.to_str()), Some("yaml" | "yml"))
}
