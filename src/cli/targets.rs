//! The targets that words of a command line cover.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::CliPorts;
use crate::draft::{WriteScope, work_tree_root};
use crate::engine::evaluate::{deployed_directory, makes_target, target_file_names};
use crate::engine::load::{FileError, FileKind, Files, clean};
use crate::engine::yaml::{Limits, SourceId, parse_documents};
use crate::repository::{Repository, named_object};

const MAX_DIRECTORY_DEPTH: usize = 64;

/// The targets of a command, by name.
pub(super) struct SelectedTargets {
    /// The paths of the words, links resolved; an object as `FILE#NAME`.
    pub(super) paths: Vec<PathBuf>,
    pub(super) names: BTreeSet<PathBuf>,
    /// The repositories around the paths with their deployment objects; `None` if a repository
    /// cannot be read.
    pub(super) around: Option<Vec<Arc<Repository>>>,
}

/// The targets of these words: folders, files, deployment objects.
pub(super) fn select(
    words: &[String],
    outside: &CliPorts<'_>,
    files: &Arc<dyn Files>,
) -> Result<SelectedTargets, String> {
    let paths: Vec<PathBuf> = words.iter().map(|word| path(word, outside, &**files)).collect();
    let around = repositories_around(&paths, files, outside);
    let mut names = BTreeSet::new();
    for (word, path) in words.iter().zip(&paths) {
        let repositories = around.iter().flatten();
        let found = repositories.filter(|repository| path.starts_with(&repository.root));
        let found = found.flat_map(|it| it.targets_covered_by(std::slice::from_ref(path)));
        let mut found: Vec<PathBuf> = found.collect();
        if found.is_empty() {
            // Git ignores the folder, so that no listing contains its targets: search on disk.
            found = below(path, &**files);
        }
        if found.is_empty() {
            return Err(format!(
                "{word}: no kustomization file in or below it, and not a deployment object"
            ));
        }
        names.extend(found);
    }
    // With several paths, one path may cover a base of a target that another path covers.
    if let Some(repositories) = around.as_deref().filter(|_| paths.len() > 1) {
        for repository in repositories {
            let own: Vec<PathBuf> =
                paths.iter().filter(|it| it.starts_with(&repository.root)).cloned().collect();
            let together: BTreeSet<PathBuf> =
                repository.targets_covered_by(&own).into_iter().collect();
            let is_base =
                |name: &PathBuf| repository.target(name).is_some() && !together.contains(name);
            names.retain(|name| !is_base(name));
        }
    }
    Ok(SelectedTargets { paths, names, around })
}

/// The files that a command may change: those of the git work trees around these paths; without
/// git, those below the paths.
pub(super) fn write_scope(paths: &[PathBuf], files: &dyn Files) -> WriteScope {
    WriteScope::below(paths.iter().filter_map(|path| work_tree_root(path, files)))
}

/// The path of a word, links resolved; an object as `FILE#NAME`.
pub(super) fn path(word: &str, outside: &CliPorts<'_>, files: &dyn Files) -> PathBuf {
    let whole = clean(&outside.current.join(word));
    let resolved = |path: &Path| files.resolve(path).map(|(path, _)| path);
    if let Ok(path) = resolved(&whole) {
        return path;
    }
    let Some((file, name)) = word.rsplit_once('#') else { return whole };
    let Ok(file) = resolved(&clean(&outside.current.join(file))) else { return whole };
    let mut object = file.into_os_string();
    object.push(format!("#{name}"));
    object.into()
}

/// The deployment object that a word names, and the folder of the target: for an object, the folder
/// that it deploys.
pub(super) fn object_and_folder(
    word: &str,
    outside: &CliPorts<'_>,
) -> (Option<PathBuf>, Result<(PathBuf, FileKind), FileError>) {
    let path = clean(&outside.current.join(word));
    let files = &*outside.ports.files;
    let object = named_object(&path, files);
    let deployed = object.as_ref().and_then(|object| {
        deployed_directory(&object.to_string_lossy(), &outside.current, &outside.ports)
    });
    let folder = files.resolve(deployed.as_ref().unwrap_or(&path));
    (object, folder)
}

/// The repositories around paths, with their deployment objects. For a path in no repository, the
/// folder itself, or the working directory if it contains the path. `None` if a repository cannot
/// be read.
pub(super) fn repositories_around(
    paths: &[PathBuf],
    files: &Arc<dyn Files>,
    outside: &CliPorts<'_>,
) -> Option<Vec<Arc<Repository>>> {
    let current = files.resolve(&outside.current).map(|(path, _)| path);
    let current = current.unwrap_or_else(|_| outside.current.clone());
    let mut tops: Vec<PathBuf> = Vec::new();
    for path in paths {
        let folder = match files.resolve(path) {
            Ok((folder, FileKind::Directory)) => folder,
            _ => path.parent().unwrap_or(path).to_owned(),
        };
        let top = outside.work_tree_root(&folder).filter(|top| folder.starts_with(top));
        let is_in_current = folder.starts_with(&current) && current.components().count() > 1;
        tops.push(top.unwrap_or(if is_in_current { current.clone() } else { folder }));
    }
    tops.sort_unstable();
    tops.dedup();
    let read = |top: &PathBuf| {
        let ports = &outside.repository;
        ports.indexes.repository(top, &*ports.listing, files).ok()
    };
    tops.iter().map(read).collect()
}

/// The directories at a path and below it with a kustomization that is a target; components are
/// built as part of the targets that use them.
fn below(path: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let mut found = Vec::new();
    match files.resolve(path) {
        Ok((directory, FileKind::Directory)) => {
            find_targets_below(&directory, files, MAX_DIRECTORY_DEPTH, &mut found);
        }
        Ok((file, FileKind::File)) => {
            let is_one =
                |parent: &&Path| is_target(parent, files.list(parent).ok().as_deref(), files);
            found.extend(file.parent().filter(is_one).map(Path::to_owned));
        }
        Err(_) => {}
    }
    found
}

fn find_targets_below(directory: &Path, files: &dyn Files, depth: usize, found: &mut Vec<PathBuf>) {
    let names = files.list(directory).ok();
    if is_target(directory, names.as_deref(), files) {
        found.push(directory.to_owned());
    }
    let Some(depth) = depth.checked_sub(1) else { return };
    for name in names.unwrap_or_default() {
        if name.starts_with('.') || name == "node_modules" {
            continue;
        }
        let below = directory.join(&name);
        // A link is not followed: its destination is visited under its own path, if that is below
        // the searched path.
        if let Ok((resolved, FileKind::Directory)) = files.resolve(&below)
            && resolved == below
        {
            find_targets_below(&below, files, depth, found);
        }
    }
}

/// True for a folder with a kustomization file that makes it a target; `names` are the files in it,
/// if they can be listed.
fn is_target(directory: &Path, names: Option<&[String]>, files: &dyn Files) -> bool {
    let is_there = |name: &&str| names.is_none_or(|names| names.iter().any(|it| it == name));
    let read = |name: &'static str| Some((name, files.read(&directory.join(name)).ok()?));
    let mut texts = target_file_names().filter(is_there).filter_map(read);
    texts.next().is_some_and(|(name, bytes)| makes_target(name, &bytes) && !is_component(&bytes))
}

fn is_component(bytes: &[u8]) -> bool {
    parse_documents(bytes, SourceId::NONE, Limits::default()).is_ok_and(|read| {
        read.documents.first().is_some_and(|it| it.node.text_of("kind") == Some("Component"))
    })
}
