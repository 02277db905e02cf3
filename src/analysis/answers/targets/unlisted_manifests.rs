//! Manifests in the folder of a kustomization that are in no build.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::SharedFindings;
use crate::engine::evaluate::target_file_names;
use crate::engine::load::Files;
use crate::engine::yaml::{Node, parse_nodes};
use crate::repository::Repository;

const EXAMPLE_PREFIXES: [&str; 5] = ["example", "sample", "tutorial", "template", "test"];

/// Adds the unlisted manifests below the checked paths: those to which no entry in the repository
/// around them refers. Adds none if the repository cannot be read.
pub fn add_unlisted_manifests(
    paths: &[PathBuf],
    around: &[Arc<Repository>],
    report: &mut SharedFindings,
    files: &dyn Files,
) {
    let resolved = paths.iter().filter_map(|path| files.resolve(path).ok());
    let checked: Vec<PathBuf> = resolved.map(|(path, _)| path).collect();
    for repository in around {
        for (folder, unlisted) in unlisted_manifests(repository, &checked, files) {
            report.add_unlisted(folder, &unlisted);
        }
    }
}

pub fn unlisted_manifests<'r>(
    repository: &'r Repository,
    checked: &[PathBuf],
    files: &dyn Files,
) -> BTreeMap<&'r Path, Vec<&'r Path>> {
    let mut by_folder: BTreeMap<&Path, Vec<&Path>> = BTreeMap::new();
    for file in repository.unlisted_files() {
        let is_asked = checked.iter().any(|path| file.starts_with(path));
        let below =
            file.strip_prefix(&repository.root).unwrap_or(file).to_string_lossy().to_lowercase();
        let is_hidden = below.split('/').any(|part| part.starts_with('.'));
        let mut words = below.split(|c: char| !c.is_alphanumeric());
        let is_shown =
            words.any(|word| EXAMPLE_PREFIXES.iter().any(|shown| word.starts_with(shown)));
        if let Some(folder) = file.parent()
            && is_asked
            && !is_shown
            && !is_hidden
            && !is_for_other_tools(&below)
            && is_manifest(file, files)
            && !is_mentioned_in_kustomization(folder, file, files)
        {
            by_folder.entry(folder).or_default().push(file);
        }
    }
    by_folder
}

/// True for files that other tools read or that users apply by hand, by their path: the roles that
/// kubebuilder generates for users, Backstage entities, the files that set up a cluster.
fn is_for_other_tools(below: &str) -> bool {
    let (folders, name) = below.rsplit_once('/').unwrap_or(("", below));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).replace('-', "_");
    ["_editor_role", "_viewer_role", "_admin_role"].iter().any(|end| stem.ends_with(end))
        || stem == "catalog_info"
        || folders.split('/').any(|part| part == "bootstrap")
}

/// True if the text of a kustomization in the same folder contains the file name: in an entry that
/// cannot be read, for which the build already reports an error, or in a comment, where the entry
/// is switched off.
fn is_mentioned_in_kustomization(folder: &Path, file: &Path, files: &dyn Files) -> bool {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return false };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let names_it = |line: &str| {
        line.split(|c: char| !is_part(c)).any(|word| word.trim_start_matches("./") == name)
    };
    target_file_names().any(|beside| {
        let bytes = files.read(&folder.join(beside));
        bytes.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).lines().any(names_it))
    })
}

/// True for a file of unencrypted Kubernetes objects, or of patches of such objects.
fn is_manifest(file: &Path, files: &dyn Files) -> bool {
    let Ok(bytes) = files.read(file) else { return false };
    let nodes = parse_nodes(&bytes).unwrap_or_default();
    let is_object = |node: &Node| {
        let is_encrypted = node.get("sops").is_some();
        let is_named = node.at(&["metadata", "name"]).is_some();
        node.get("apiVersion").is_some() && node.get("kind").is_some() && is_named && !is_encrypted
    };
    !nodes.is_empty() && nodes.iter().all(is_object)
}
