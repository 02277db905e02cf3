//! Searches a repository for targets, for example for components that no layer uses.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::engine::evaluate::target_file_names;
use crate::engine::load::Files as _;
use crate::engine::manifest::{COMPOSITION_FILE_NAMES, Outline};
use crate::host::DiskFiles;
use crate::repository::TargetKind;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscoveredTarget {
    /// The directory, absolute when the search started at an absolute path.
    pub directory: PathBuf,
    pub kind: TargetKind,
}

#[derive(Clone, Copy, Debug)]
pub struct SearchLimits {
    pub depth: usize,
    pub directories: usize,
    pub time: Duration,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { depth: 12, directories: 20_000, time: Duration::from_millis(1500) }
    }
}

/// The nearest directory above a target with `.git` in it, else the target's parent.
pub fn repository_root(target: &Path) -> PathBuf {
    let is_repository = |above: &&Path| above.join(".git").exists();
    let repository = target.ancestors().find(is_repository);
    let root = repository.or_else(|| target.parent()).unwrap_or(target);
    root.to_owned()
}

/// Finds the files of targets below the [`repository_root`] of a target. Hidden directories and
/// `node_modules` are left out, links are not followed.
pub fn discover(target: &Path, bounds: SearchLimits) -> Vec<DiscoveredTarget> {
    discover_below(&repository_root(target), bounds)
}

/// As [`discover`], below a given directory: the targets sorted by path. If a limit is reached, there
/// may be more of them.
pub fn discover_below(root: &Path, bounds: SearchLimits) -> Vec<DiscoveredTarget> {
    let start = Instant::now();
    let mut queue = VecDeque::from([(root.to_owned(), 0)]);
    let (mut found, mut searched) = (Vec::new(), 0);
    while let Some((directory, depth)) = queue.pop_front() {
        searched += 1;
        if searched > bounds.directories || start.elapsed() > bounds.time {
            break;
        }
        found.extend(discover_in(&directory));
        if depth < bounds.depth {
            let below = subdirectories(&directory).into_iter();
            queue.extend(below.map(|directory| (directory, depth + 1)));
        }
    }
    found.sort_by(|one: &DiscoveredTarget, other| one.directory.cmp(&other.directory));
    found
}

/// The subdirectories to search: neither hidden ones nor `node_modules`.
fn subdirectories(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let wanted = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        is_directory && !name.starts_with('.') && name != "node_modules"
    });
    let mut below: Vec<PathBuf> = wanted.map(|entry| entry.path()).collect();
    below.sort_unstable();
    below
}

/// The target whose kustomization file is directly in this directory; `None` without such a file.
fn discover_in(directory: &Path) -> Option<DiscoveredTarget> {
    let is_there = |name: &&str| directory.join(name).is_file();
    let name = target_file_names().find(is_there)?;
    let kind = if COMPOSITION_FILE_NAMES.contains(&name) {
        TargetKind::Composition
    } else {
        kind_of(&DiskFiles.read(&directory.join(name)).ok()?)
    };
    Some(DiscoveredTarget { directory: directory.to_owned(), kind })
}

fn kind_of(text: &[u8]) -> TargetKind {
    let outline = Outline::parse(text);
    let kind = outline.field("kind").filter(|field| !field.disabled);
    let line = kind.and_then(|field| text.get(field.bytes.clone()));
    let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
    let value = line.split_once(':').map_or("", |(_, value)| value);
    let value = value.split(" #").next().unwrap_or("").trim();
    match value.trim_matches(['"', '\'']) {
        "Component" => TargetKind::Component,
        _ => TargetKind::Kustomization,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_components_below_the_repository() {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path();
        for directory in [".git", "overlays/dev", "components/ldap", ".hidden", "node_modules/x"] {
            std::fs::create_dir_all(top.join(directory)).unwrap();
            std::fs::write(top.join(directory).join("kustomization.yaml"), "resources: []\n")
                .unwrap();
        }
        let ldap = "apiVersion: v1\nkind: \"Component\" # x\n";
        std::fs::write(top.join("components/ldap/kustomization.yaml"), ldap).unwrap();
        std::fs::create_dir_all(top.join("apps/java")).unwrap();
        std::fs::write(top.join("apps/java/composition.yml"), "transformers: []\n").unwrap();
        let found = discover(&top.join("overlays/dev"), SearchLimits::default());
        let expected = [
            ("apps/java", TargetKind::Composition),
            ("components/ldap", TargetKind::Component),
            ("overlays/dev", TargetKind::Kustomization),
        ];
        let expected =
            expected.map(|(path, kind)| DiscoveredTarget { directory: top.join(path), kind });
        assert_eq!(found, expected);
        let shallow = SearchLimits { depth: 1, ..SearchLimits::default() };
        assert!(discover(&top.join("overlays/dev"), shallow).is_empty());
    }
}
