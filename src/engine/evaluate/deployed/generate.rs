//! The kustomization file that Flux makes for a directory without one: every manifest below it, and of a directory
//! that has a kustomization file, that directory.

use std::path::Path;

use crate::load::{FileKind, Files};
use crate::yaml::{Mark, Node};

use super::super::FILE_NAMES;

/// What a Flux source leaves out of itself.
const LEFT_OUT: [&str; 15] = [
    ".git",
    ".github",
    ".circleci",
    ".gitlab-ci.yml",
    ".travis.yml",
    ".drone.yml",
    ".goreleaser.yml",
    ".sops.yaml",
    ".flux.yaml",
    "appveyor.yml",
    "cloudbuild.yaml",
    "codeship-services.yml",
    "codeship-steps.yml",
    ".gitmodules",
    ".gitattributes",
];
/// Directories inside each other: more than a repository has.
const DEEPEST: usize = 64;

/// The tree of that file; what it lists stands where the object names the directory.
pub(super) fn generated(directory: &Path, files: &dyn Files, mark: Mark) -> Node {
    let mut found = Vec::new();
    scan(directory, ".", files, 0, &mut found);
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

fn scan(directory: &Path, shown: &str, files: &dyn Files, depth: usize, found: &mut Vec<String>) {
    let Ok(names) = files.list(directory) else { return };
    for name in names.into_iter().filter(|name| !LEFT_OUT.contains(&&**name)) {
        let (path, shown) = (directory.join(&name), format!("{shown}/{name}"));
        match files.resolve(&path) {
            Ok((_, FileKind::Directory)) => {
                let is_target = FILE_NAMES
                    .iter()
                    .any(|file| matches!(files.resolve(&path.join(file)), Ok((_, FileKind::File))));
                if is_target {
                    found.push(shown);
                } else if depth < DEEPEST {
                    scan(&path, &shown, files, depth + 1, found);
                }
            }
            Ok((_, FileKind::File)) if is_manifest(&name) => found.push(shown),
            _ => {}
        }
    }
}

fn is_manifest(name: &str) -> bool {
    matches!(Path::new(name).extension().and_then(|it| it.to_str()), Some("yaml" | "yml"))
}
