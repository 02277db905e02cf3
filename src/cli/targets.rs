//! The targets that words of a command line cover.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::CliPorts;
use super::place::repository_root;
use crate::draft::{WriteScope, work_tree_root};
use crate::engine::evaluate::deployed_directory;
use crate::engine::load::{FileError, FileKind, Files, clean};
use crate::repository::{ListedFiles, Repository, TargetKind, named_object};

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
            found = ignored_targets(path, files);
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

/// The repositories around paths, with their deployment objects. `None` if a repository cannot be
/// read.
pub(super) fn repositories_around(
    paths: &[PathBuf],
    files: &Arc<dyn Files>,
    outside: &CliPorts<'_>,
) -> Option<Vec<Arc<Repository>>> {
    let mut tops: Vec<PathBuf> = paths.iter().map(|path| repository_root(path, outside)).collect();
    tops.sort_unstable();
    tops.dedup();
    let read = |top: &PathBuf| {
        let ports = &outside.repository;
        ports.indexes.repository(top, &*ports.listing, files).ok()
    };
    tops.iter().map(read).collect()
}

/// The targets at a path and below it, in a folder that git ignores: no list of the repository
/// contains them.
fn ignored_targets(path: &Path, files: &Arc<dyn Files>) -> Vec<PathBuf> {
    let (folder, is_below) = match files.resolve(path) {
        Ok((folder, FileKind::Directory)) => (folder, true),
        Ok((file, FileKind::File)) => (file.parent().unwrap_or(&file).to_owned(), false),
        Err(_) => return Vec::new(),
    };
    let listing = ListedFiles::visible(&folder, &**files);
    let Ok(read) = Repository::read(&folder, &listing, &**files) else { return Vec::new() };
    let targets = read.targets().filter(|target| target.kind != TargetKind::Component);
    let targets = targets.filter(|target| is_below || target.folder == folder);
    targets.map(|target| target.folder.clone()).collect()
}
