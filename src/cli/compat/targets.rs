//! The kustomizations and Compositions of a tree of folders.

use std::path::{Path, PathBuf};

use crate::engine::evaluate::{makes_target, target_file_names};
use crate::engine::load::{FileKind, Files};
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

/// Limit of searched directory levels.
const DEEPEST: usize = 64;

/// The directories at and below this one with a kustomization or a Composition, without components.
pub(super) fn below(directory: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let start = files.resolve(directory).map_or_else(|_| directory.to_owned(), |(path, _)| path);
    look(&start, 0, files, &mut found);
    found
}

fn look(directory: &Path, depth: usize, files: &dyn Files, found: &mut Vec<PathBuf>) {
    let names = files.list(directory).unwrap_or_default();
    let mut known = target_file_names().filter(|known| names.iter().any(|name| name == known));
    if known.next().is_some_and(|name| is_target(directory, name, files)) {
        found.push(directory.to_owned());
    }
    if depth == DEEPEST {
        return;
    }
    for name in names.iter().filter(|name| !name.starts_with('.')) {
        let path = directory.join(name);
        // The destination of a link is visited under its own path, or is outside.
        let is_own =
            |(resolved, kind): (PathBuf, FileKind)| kind == FileKind::Directory && resolved == path;
        if files.resolve(&path).is_ok_and(is_own) {
            look(&path, depth + 1, files, found);
        }
    }
}

/// True for a target's file: neither a Component nor a foreign object in a file named like a
/// Composition.
fn is_target(directory: &Path, name: &str, files: &dyn Files) -> bool {
    let Ok(bytes) = files.read(&directory.join(name)) else { return false };
    if !makes_target(name, &bytes) {
        return false;
    }
    let Ok(parsed) = parse_documents(&bytes, SourceId::NONE, Limits::default()) else {
        return true;
    };
    let kind = parsed.documents.first().and_then(|document| document.node.get("kind"));
    kind.and_then(Node::text) != Some("Component")
}
