//! The help and the fix for a path that cannot be loaded or does not exist in a resource.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Fault, Fix, Hint, LayerFault, NodeShape, TextChange};
use crate::load::{
    FileError, GitTarget, LoadAdvice, LoadError, clean, made_file_advice, nearest_name,
    relative_path,
};
use crate::manifest::Outline;
use crate::yaml::{Node, parse_nodes};

use super::failure_advice::{Advice, FailedText, edit};
use super::{ErrorCause, FILE_NAMES};

const PATH_LISTS: [&str; 4] = ["resources", "bases", "components", "patchesStrategicMerge"];

impl FailedText<'_> {
    /// The advice for a folder whose kustomization file is made before a build.
    pub(super) fn made_kustomization_advice(&self) -> Option<LoadAdvice> {
        let ErrorCause::Fault(fault) = &self.error.cause else { return None };
        let Fault::Layer(LayerFault::NoKustomization(folder)) = fault.innermost() else {
            return None;
        };
        let mut paths = FILE_NAMES.iter().map(|name| Path::new(folder).join(name));
        paths.find_map(|path| made_file_advice(&path, self.files))
    }

    /// The help and the fix for a directory with manifests and without a kustomization file: the fix
    /// creates the file.
    pub(super) fn new_kustomization(&self, directory: &Path) -> Option<Advice> {
        let mut names = self.files.list(directory).ok()?;
        names.sort();
        names.retain(|name| {
            let file = directory.join(name);
            if file.extension().is_none_or(|ending| ending != "yaml" && ending != "yml") {
                return false;
            }
            let text = self.files.read(&file).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().any(|line| line.starts_with("kind:"))
        });
        let folder = directory.file_name()?.to_string_lossy();
        if names.is_empty() {
            let text = format!("`{folder}` has no manifests either: correct the path");
            return Some((Some(Hint::Change(text)), None));
        }
        let text = format!(
            "add {folder}/kustomization.yaml with `resources: [{}]`, without the files that are not meant",
            names.join(", ")
        );
        let file = directory.join("kustomization.yaml");
        let with = format!("resources:\n- {}\n", names.join("\n- "));
        let changes = vec![TextChange { file, at: 0, was: String::new(), with }];
        let words = format!("add {folder}/kustomization.yaml");
        // The folder may have files that no target was meant to deploy, such as examples.
        Some((Some(Hint::Change(text)), Some(Fix::SetText { changes, words, is_guess: true })))
    }

    /// A missing path as an entry of the file writes it, and the path that exists with one `..` more
    /// or less; `None` if there is none, or another advice is known.
    pub(super) fn path_of_other_depth(&self, error: &LoadError) -> Option<(String, String)> {
        let folder = self.file.parent()?;
        let (missing, advice) = (error.missing()?, error.hint()?);
        if !matches!(advice, LoadAdvice::Missing(_) | LoadAdvice::MissingFolder(_)) {
            return None;
        }
        let written = relative_path(folder, error.path()?);
        let below = written.trim_start_matches("../");
        let up = (written.len() - below.len()) / 3;
        let with_depth = |up: usize| format!("{}{below}", "../".repeat(up));
        let others = [Some(up + 1), up.checked_sub(1)].into_iter().flatten().map(with_depth);
        let is_there = |path: &String| {
            let path = clean(&folder.join(path));
            path != *folder && path != *missing && self.files.resolve(&path).is_ok()
        };
        let mut found = others.filter(is_there);
        let (Some(other), None) = (found.next(), found.next()) else { return None };
        Some((written, other))
    }

    fn layer_entries(&self) -> Vec<String> {
        let nodes = parse_nodes(self.text.as_bytes()).unwrap_or_default();
        let root = nodes.first();
        let items = |field: &&str| root.map(|root| root.items_of(field)).unwrap_or_default();
        let patches = items(&"patches").iter().filter_map(|patch| patch.get("path"));
        let paths = PATH_LISTS.iter().flat_map(items).chain(patches).filter_map(Node::text);
        // A patch may be written in the list itself.
        paths.filter(|path| !path.contains(['\n', '{'])).map(str::to_owned).collect()
    }

    pub(super) fn lists(&self, path: &Path) -> bool {
        let folder = self.file.parent().unwrap_or(self.file);
        self.layer_entries().iter().any(|entry| clean(&folder.join(entry)) == path)
    }

    /// The advice for the entries of a kustomization file that name a missing file or folder which is
    /// not made before a build, if they are several or all of it; `None` if the error is about
    /// another path.
    pub(super) fn missing_entries_advice(&self, error: &LoadError) -> Option<LoadAdvice> {
        let folder = self.file.parent()?;
        error.path().filter(|path| self.lists(path))?;
        let is_missing = |entry: &String| {
            let path = clean(&folder.join(entry));
            GitTarget::parse(entry).is_none()
                && !entry.contains("://")
                && matches!(self.files.resolve(&path), Err(FileError::Missing { .. }))
                && made_file_advice(&path, self.files).is_none()
        };
        let entries = self.layer_entries();
        let count = entries.len();
        let missing: Vec<String> = entries.into_iter().filter(is_missing).collect();
        let fields = Outline::parse(self.text.as_bytes()).fields.into_iter();
        let is_header = |name: &str| ["apiVersion", "kind", "metadata"].contains(&name);
        let is_all = missing.len() == count
            && fields.filter(|field| !field.disabled && !is_header(&field.name)).count() == 1;
        match missing.len() {
            0 => None,
            _ if is_all => Some(LoadAdvice::OnlyMissingEntries(missing)),
            1 => None,
            _ => Some(LoadAdvice::MissingEntries(missing)),
        }
    }

    pub(super) fn linked_entry(&self, error: &LoadError) -> Option<LoadAdvice> {
        let (link, folder) = (error.outside()?, self.file.parent()?);
        let entry = link.strip_prefix(folder).ok()?.to_str()?.to_owned();
        let (real, _) = self.files.resolve(link).ok().filter(|(real, _)| real != link)?;
        Some(LoadAdvice::Link(entry, relative_path(folder, &real)))
    }

    /// For a proposed name that the file lists already, the nearest one that it does not list.
    pub(super) fn unlisted_near_name(&self, error: &LoadError) -> Option<LoadAdvice> {
        let (missing, advice) = (error.missing()?, error.hint()?);
        let (folder, name) = (missing.parent()?, missing.file_name()?.to_str()?);
        let LoadAdvice::Near(near) = &advice else { return None };
        // Every word of the file that is this path, so that patches and generators count as well.
        let above = self.file.parent()?;
        let lines = self.text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let words = lines.flat_map(|line| line.split([' ', ',', '[', ']', '{', '}', '"', '\'']));
        let listed: BTreeSet<PathBuf> = words.map(|word| clean(&above.join(word))).collect();
        let is_listed = |near: &str| listed.contains(&folder.join(near));
        if !listed.contains(missing) || !is_listed(near) {
            return None;
        }
        let names = self.files.list(folder).ok()?;
        let near = nearest_name(name, names.iter().map(String::as_str).filter(|it| !is_listed(it)));
        Some(near.map_or(LoadAdvice::Missing(name.into()), |near| LoadAdvice::Near(near.into())))
    }

    /// The fix for a JSON pointer to a key with a slash, in a mapping of which all values are texts.
    pub(super) fn advise_slash_in_key(&self, path: &str) -> Option<Advice> {
        let ends = ["/annotations/", "/labels/", "/matchLabels/", "/nodeSelector/"];
        let at = ends.iter().find_map(|end| Some(path.find(end)? + end.len()))?;
        let (head, key) = path.split_at_checked(at).filter(|(_, key)| key.contains('/'))?;
        let with = format!("{head}{}", key.replace('/', "~1"));
        let fix = self
            .find_below(path)
            .map(|at| edit(vec![self.change(at, path, with.clone())], format!("write {with}")));
        Some((Some(Hint::Change(format!("write a slash in a key as ~1: {with}"))), fix))
    }

    /// The fix for a JSON patch that adds an item to a missing list: first add the list.
    pub(super) fn advise_missing_list(&self, path: &str) -> Option<Advice> {
        let (parent, last) = path.rsplit_once('/')?;
        let Some(Hint::PathEnd(end)) = &self.error.hint else { return None };
        let NodeShape::Keys(keys) = &end.there else { return None };
        let is_near = nearest_name(&end.segment, keys.iter().map(String::as_str)).is_some();
        if is_near || format!("{}/{}", end.place, end.segment) != parent {
            return None;
        }
        let value = if last == "-" || last.parse::<usize>().is_ok() { "[]" } else { "{}" };
        let added = format!("{{op: add, path: {parent}, value: {value}}}");
        let text = format!("{end}; {parent} does not exist yet: add it before, `- {added}`");
        let start = self.line_start();
        let line = self.text.get(start..)?.lines().next()?;
        let dash = line.find("- ").filter(|dash| line[..*dash].trim().is_empty());
        let fix = dash.map(|dash| {
            let with = format!("{}- {added}\n", &line[..dash]);
            let words = format!("add {parent} in an operation before this one");
            edit(vec![self.change(start, "", with)], words)
        });
        Some((Some(Hint::Change(text)), fix))
    }
}
