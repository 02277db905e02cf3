//! The kustomizations of a tree of folders.

use std::path::{Path, PathBuf};

use crate::engine::evaluate::FILE_NAMES;
use crate::engine::load::{FileKind, Files};
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

/// Deeper trees are not looked through.
const DEEPEST: usize = 64;

/// The directories in and below this one that have a kustomization, components left out.
pub(super) fn below(directory: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let start = files.resolve(directory).map_or_else(|_| directory.to_owned(), |(path, _)| path);
    look(&start, 0, files, &mut found);
    found
}

fn look(directory: &Path, depth: usize, files: &dyn Files, found: &mut Vec<PathBuf>) {
    let names = files.list(directory).unwrap_or_default();
    let file = names.iter().find(|name| FILE_NAMES.contains(&name.as_str()));
    if file.is_some_and(|name| is_target(&directory.join(name), files)) {
        found.push(directory.to_owned());
    }
    if depth == DEEPEST {
        return;
    }
    for name in names.iter().filter(|name| !name.starts_with('.')) {
        let path = directory.join(name);
        // Links lead to what is met elsewhere, or outside.
        let is_own =
            |(resolved, kind): (PathBuf, FileKind)| kind == FileKind::Directory && resolved == path;
        if files.resolve(&path).is_ok_and(is_own) {
            look(&path, depth + 1, files, found);
        }
    }
}

/// A component is none by itself.
fn is_target(file: &Path, files: &dyn Files) -> bool {
    let Ok(bytes) = files.read(file) else { return false };
    let Ok(parsed) = parse_documents(&bytes, SourceId::NONE, Limits::default()) else {
        return true;
    };
    let kind = parsed.documents.first().and_then(|document| document.node.get("kind"));
    kind.and_then(Node::text) != Some("Component")
}
