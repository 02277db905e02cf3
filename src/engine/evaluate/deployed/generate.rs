//! The kustomization file that Flux generates for a directory without one: it lists every manifest
//! below the directory, and subdirectories with a kustomization file as directories.

use std::path::Path;

use crate::load::{FileKind, Files};
use crate::yaml::{Mark, Node};

use super::super::FILE_NAMES;
use super::ignore::Ignored;

/// Nesting limit for directories, above that of real repositories.
const DEEPEST: usize = 64;

/// The tree of that file; the location of its entries is that of the directory in the object.
pub(super) fn generated(
    repository: &Path,
    directory: &Path,
    files: &dyn Files,
    mark: Mark,
) -> Node {
    let mut found = Vec::new();
    let ignored = Ignored::read(repository, files);
    let below = directory.strip_prefix(repository).unwrap_or(Path::new(""));
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let mut scan = Scan { ignored, files, path: parts.collect() };
    scan.folder(directory, ".", 0, &mut found);
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

struct Scan<'f> {
    ignored: Ignored,
    files: &'f dyn Files,
    /// The path of the current folder from the root of the repository.
    path: Vec<String>,
}

impl Scan<'_> {
    fn folder(&mut self, directory: &Path, shown: &str, depth: usize, found: &mut Vec<String>) {
        let Ok(names) = self.files.list(directory) else { return };
        for name in names {
            let (path, shown) = (directory.join(&name), format!("{shown}/{name}"));
            let Ok((_, kind)) = self.files.resolve(&path) else { continue };
            let is_folder = kind == FileKind::Directory;
            self.path.push(name);
            let parts: Vec<&str> = self.path.iter().map(String::as_str).collect();
            if !self.ignored.leaves_out(&parts, is_folder) {
                let is_target = |file: &&str| {
                    matches!(self.files.resolve(&path.join(file)), Ok((_, FileKind::File)))
                };
                match kind {
                    FileKind::Directory if FILE_NAMES.iter().any(|file| is_target(&&**file)) => {
                        found.push(shown);
                    }
                    FileKind::Directory if depth < DEEPEST => {
                        self.folder(&path, &shown, depth + 1, found);
                    }
                    FileKind::File if parts.last().is_some_and(|name| is_manifest(name)) => {
                        found.push(shown);
                    }
                    _ => {}
                }
            }
            self.path.pop();
        }
    }
}

fn is_manifest(name: &str) -> bool {
    matches!(Path::new(name).extension().and_then(|it| it.to_str()), Some("yaml" | "yml"))
}
