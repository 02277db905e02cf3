//! The common part of overlays in a separate base or component.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::display::counted;
use crate::engine::load::relative_path;
use crate::engine::manifest::{ListForm, Outline};
use crate::engine::yaml::{Node, print_flow, to_json};
use crate::repository::ReferenceDestination;

use super::apply_fix::{comment, with_entry};
use super::layer_entries::{LayerEntry, LayerFile};
use super::proof::{NewTexts, PlannedEdit, Prover};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtractedKind {
    Base,
    Component,
}

/// The fields that are tried first, in the order of Kustomize's work.
const FIRST_FIELDS: [&[&str]; 3] = [
    &["resources", "bases"],
    &["configMapGenerator", "secretGenerator", "generatorOptions", "helmCharts", "generators"],
    &["components"],
];

/// Moves the entries that are equal in all overlays to a new kustomization file in `to`, which the
/// overlays then list. If not all of them can be moved, the largest part that builds prove is
/// moved, entry by entry.
pub fn plan_extract(
    (overlays, to, word): (&[PathBuf], &Path, &str),
    kind: ExtractedKind,
    prover: &Prover<'_, '_>,
) -> Result<PlannedEdit, String> {
    // A folder that the search for targets leaves out may have one as well.
    let file = to.join("kustomization.yaml");
    if prover.repository.target(to).is_some() || prover.files.resolve(&file).is_ok() {
        return Err(format!("{} has a kustomization file", prover.shown(to)));
    }
    let layers: Result<Vec<_>, _> =
        overlays.iter().map(|folder| LayerFile::read(folder, prover)).collect();
    let layers = layers?;
    let common = common_entries(&layers, prover)?;
    if common.is_empty() {
        return Err("the overlays have no common entries".to_owned());
    }
    let reasons = BTreeMap::new();
    let mut search = Search { layers, common, to, kind, prover, reasons, best: None };
    search.run();
    // A common entry that stays has its line in the first overlay.
    let file = search.layers.first().map_or(to, |layer| &*layer.target.file);
    let kept = search.reasons.iter().filter_map(|(at, why)| Some((search.entry(0, *at)?, why)));
    let Some((chosen, best)) = &search.best else {
        let reason = kept
            .map(|(it, why)| format!("{}:{}: {}: {why}", prover.shown(file), it.line, it.field));
        let reason = reason.into_iter().next().unwrap_or_default();
        return Err(format!("no common entry can be moved: {reason}"));
    };
    let lines = kept.map(|(it, why)| {
        format!("{}:{}: {} not moved: {why}", prover.shown_here(file), it.line, it.field)
    });
    let words = format!(
        "{} of {} to {word}: {}",
        counted(chosen.len(), "entry"),
        counted(overlays.len(), "overlay"),
        counted(best.moved.len(), "file")
    );
    let lines = lines.collect();
    let (_, best) = search.best.take().ok_or("no entry")?;
    Ok(PlannedEdit { lines, words, ..best })
}

/// The entries that all overlays have: for each its index in every overlay.
fn common_entries(
    layers: &[LayerFile<'_>],
    prover: &Prover<'_, '_>,
) -> Result<Vec<Vec<usize>>, String> {
    let mut contents: Vec<(String, Arc<[u8]>)> = Vec::new();
    // `None` for an entry that is one of the common ones already.
    let mut keys: Vec<Vec<Option<String>>> = Vec::new();
    for layer in layers {
        let mut key = |it| comparable(it, &layer.target.folder, prover, &mut contents).map(Some);
        keys.push(layer.entries.iter().map(&mut key).collect::<Result<_, _>>()?);
    }
    let mut common = Vec::new();
    for key in keys.first().cloned().into_iter().flatten().flatten() {
        let places = keys.iter().map(|keys| keys.iter().position(|it| it.as_ref() == Some(&key)));
        let Some(places) = places.collect::<Option<Vec<usize>>>() else { continue };
        for (keys, at) in keys.iter_mut().zip(&places) {
            keys[*at] = None;
        }
        common.push(places);
    }
    Ok(common)
}

/// The content of an entry as text that is equal for equal entries: paths are resolved, and files
/// of the overlay are compared by name and content.
fn comparable(
    entry: &LayerEntry,
    folder: &Path,
    prover: &Prover<'_, '_>,
    contents: &mut Vec<(String, Arc<[u8]>)>,
) -> Result<String, String> {
    let mut paths = Vec::new();
    for reference in &entry.references {
        let with = match &reference.to {
            ReferenceDestination::File(path) if path.starts_with(folder) => {
                let bytes = prover.read(path)?;
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let file = (name, bytes);
                let at = contents.iter().position(|known| *known == file);
                let at = at.unwrap_or_else(|| {
                    contents.push(file);
                    contents.len() - 1
                });
                format!("<content {at}>")
            }
            ReferenceDestination::File(path)
            | ReferenceDestination::Folder(path)
            | ReferenceDestination::Missing(path) => format!("<path {}>", path.display()),
            ReferenceDestination::Remote(text) => text.clone(),
        };
        paths.push((reference.text.as_str(), with));
    }
    let field = if entry.field == "bases" { "resources" } else { &entry.field };
    let mut node = entry.node.clone();
    node.for_each_mut(&mut |node| {
        let text = node.text().unwrap_or_default();
        let path = paths.iter().find_map(|(path, with)| {
            let key = text.strip_suffix(path)?;
            (key.is_empty() || key.ends_with('=')).then(|| format!("{key}{with}"))
        });
        if let Some(path) = path {
            *node = Node::string(path);
        }
    });
    // A mapping with keys that JSON does not have is compared as written.
    Ok(format!("{field} {}", to_json(&node).unwrap_or_else(|_| print_flow(&node))))
}

struct Search<'p, 'a, 'r> {
    layers: Vec<LayerFile<'a>>,
    common: Vec<Vec<usize>>,
    to: &'p Path,
    kind: ExtractedKind,
    prover: &'p Prover<'a, 'r>,
    reasons: BTreeMap<usize, String>,
    best: Option<Trial>,
}

type Trial = (BTreeSet<usize>, PlannedEdit);

impl Search<'_, '_, '_> {
    fn run(&mut self) {
        let mut open = BTreeSet::new();
        for at in 0..self.common.len() {
            let mut entries = (0..self.layers.len()).filter_map(|layer| self.entry(layer, at));
            match entries.find_map(|entry| entry.obstacle.clone()) {
                Some(reason) => drop(self.reasons.insert(at, reason)),
                None => drop(open.insert(at)),
            }
        }
        if open.is_empty() {
            return;
        }
        if let Ok(trial) = self.prove(&open) {
            self.best = Some(trial);
            return;
        }
        let mut order: Vec<usize> = open.into_iter().collect();
        order.sort_by_key(|at| self.rank(*at));
        // An entry can need a later one, such as a patch of a generated resource.
        loop {
            let before = self.count();
            for at in &order {
                if self.best.as_ref().is_none_or(|(chosen, _)| !chosen.contains(at)) {
                    self.add(*at);
                }
            }
            if self.count() == before {
                return;
            }
        }
    }

    fn count(&self) -> usize {
        self.best.as_ref().map_or(0, |(chosen, _)| chosen.len())
    }

    fn add(&mut self, entry: usize) {
        let chosen = self.best.iter().flat_map(|(chosen, _)| chosen).copied();
        match self.prove(&chosen.chain([entry]).collect()) {
            Ok(trial) => {
                self.best = Some(trial);
                self.reasons.remove(&entry);
            }
            Err(reason) => drop(self.reasons.insert(entry, reason)),
        }
    }

    fn entry(&self, layer: usize, at: usize) -> Option<&LayerEntry> {
        self.layers.get(layer)?.entries.get(*self.common.get(at)?.get(layer)?)
    }

    /// The place of an entry in the order of the trials.
    fn rank(&self, at: usize) -> usize {
        let field = self.entry(0, at).map_or("", |entry| entry.field.as_str());
        let first = FIRST_FIELDS.iter().position(|fields| fields.contains(&field));
        first.unwrap_or(FIRST_FIELDS.len())
    }

    fn prove(&self, chosen: &BTreeSet<usize>) -> Result<Trial, String> {
        let moved_files = self.moved_files(chosen)?;
        let text = self.new_kustomization(chosen, &moved_files)?;
        let file = self.to.join("kustomization.yaml");
        let mut texts = NewTexts::from([(file, Some(text.into_bytes().into()))]);
        for (new, old) in &moved_files {
            let content = old.first().map(|path| self.prover.read(path)).transpose()?;
            texts.insert(new.clone(), content);
            texts.extend(old.iter().map(|path| (path.clone(), None)));
        }
        for (number, layer) in self.layers.iter().enumerate() {
            let text = self.edited_overlay((number, layer), chosen)?;
            texts.insert(layer.target.file.clone(), Some(text.into()));
        }
        let folders = self.layers.iter().map(|layer| &*layer.target.folder);
        let (changes, proof) = self.prover.prove_known((texts, "the overlays"), folders)?;
        let moved = moved_files.into_iter().map(|(new, old)| (old, new)).collect();
        Ok((chosen.clone(), PlannedEdit { changes, proof, moved, ..Default::default() }))
    }

    /// The files of the overlays that move with these entries: the new path, and the old ones.
    fn moved_files(
        &self,
        chosen: &BTreeSet<usize>,
    ) -> Result<BTreeMap<PathBuf, Vec<PathBuf>>, String> {
        let mut moved: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for at in chosen {
            let mut new: Vec<PathBuf> = Vec::new();
            for (number, layer) in self.layers.iter().enumerate() {
                let Some(entry) = self.entry(number, *at) else { continue };
                let folder = &layer.target.folder;
                for (index, (path, _)) in entry.files_below(folder).enumerate() {
                    let below = path.strip_prefix(folder).unwrap_or(path);
                    if number == 0 {
                        new.push(self.to.join(below));
                    }
                    self.check_other_users(path, chosen)?;
                    let old = moved.entry(new.get(index).cloned().unwrap_or_default()).or_default();
                    if !old.contains(path) {
                        old.push(path.clone());
                    }
                }
            }
        }
        for (new, old) in &moved {
            let shown = self.prover.shown(new);
            if self.prover.files.resolve(new).is_ok() {
                return Err(format!("{shown} exists"));
            }
            let mut texts = old.iter().map(|path| self.prover.files.read(path).ok());
            let first = texts.next();
            if texts.any(|text| Some(text) != first) {
                return Err(format!("two files would be {shown}"));
            }
        }
        Ok(moved)
    }

    /// Refuses a file to which an entry refers that is not moved.
    fn check_other_users(&self, path: &Path, chosen: &BTreeSet<usize>) -> Result<(), String> {
        for (user, reference) in self.prover.repository.users(path) {
            let own = self.layers.iter().position(|layer| layer.target.folder == user.folder);
            let is_moved = own.is_some_and(|layer| {
                let mut entries = chosen.iter().filter_map(|at| self.entry(layer, *at));
                entries.any(|entry| entry.references.contains(reference))
            });
            if !is_moved {
                let (file, line) = (self.prover.shown(&reference.file), reference.line);
                return Err(format!("{} is used at {file}:{line} too", self.prover.shown(path)));
            }
        }
        Ok(())
    }

    /// The text of the new kustomization file: the lines of the first overlay with other paths, and
    /// the comments that only other overlays have.
    fn new_kustomization(
        &self,
        chosen: &BTreeSet<usize>,
        moved_files: &BTreeMap<PathBuf, Vec<PathBuf>>,
    ) -> Result<String, String> {
        let first = self.layers.first().ok_or("no overlay")?;
        let own = chosen.iter().filter_map(|at| self.common.get(*at)?.first().copied());
        let text = first.with_paths(own, self.to, |old| {
            let new = moved_files.iter().find(|(_, from)| from.iter().any(|it| it == old));
            new.map_or(old, |(new, _)| new).to_owned()
        })?;
        let (outline, text) = (Outline::parse(&text), String::from_utf8_lossy(&text));
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let (version, kind) = match self.kind {
            ExtractedKind::Base => ("v1beta1", "Kustomization"),
            ExtractedKind::Component => ("v1alpha1", "Component"),
        };
        let mut fields: Vec<(String, String)> = Vec::new();
        for at in chosen {
            let Some(entry) = self.entry(0, *at) else { continue };
            let (key, lines) = entry_lines(&text, &outline, entry, end)
                .ok_or("the entry shares its lines with other entries")?;
            let missing: String = self.other_comments(*at, &lines).collect();
            let name = if entry.field == "bases" { "resources" } else { &entry.field };
            let piece = format!("{missing}{lines}");
            if let Some((_, text)) = fields.iter_mut().find(|(known, _)| known == name) {
                text.push_str(&piece);
            } else {
                let key = if name == entry.field { key } else { format!("{name}:{end}") };
                fields.push((name.to_owned(), format!("{key}{piece}")));
            }
        }
        let mut out =
            format!("apiVersion: kustomize.config.k8s.io/{version}{end}kind: {kind}{end}");
        for (_, text) in fields {
            out.push_str(&text);
        }
        Ok(out)
    }

    fn other_comments<'s>(
        &'s self,
        at: usize,
        first: &'s str,
    ) -> impl Iterator<Item = String> + 's {
        let layers = self.layers.iter().enumerate().skip(1);
        let comments = layers.filter_map(move |(number, layer)| {
            let entry = self.entry(number, at)?;
            let text = String::from_utf8_lossy(&layer.text);
            let (_, lines) = entry_lines(&text, &layer.outline, entry, "\n")?;
            let own = lines.lines().filter_map(comment).map(str::to_owned);
            let new = own.filter(|text| !first.contains(text.as_str()));
            Some(new.map(|text| format!("{text}\n")).collect::<Vec<_>>())
        });
        let mut seen = BTreeSet::new();
        comments.flatten().filter(move |text| seen.insert(text.clone()))
    }

    fn edited_overlay(
        &self,
        (layer, file): (usize, &LayerFile<'_>),
        chosen: &BTreeSet<usize>,
    ) -> Result<Vec<u8>, String> {
        let list = match self.kind {
            ExtractedKind::Base => "resources",
            ExtractedKind::Component => "components",
        };
        let mut indices: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for entry in chosen.iter().filter_map(|at| self.entry(layer, *at)) {
            let of_field = indices.entry(entry.field.as_str()).or_default();
            of_field.extend(entry.index);
        }
        let words = |field: &str| {
            format!("{}: `{field}` cannot be edited alone", self.prover.shown(&file.target.file))
        };
        let path = relative_path(&file.target.folder, self.to);
        let first = indices.get(list).and_then(|of_field| of_field.first()).copied();
        let mut text = with_entry(&file.text, list, (&path, ""), first)?;
        for (field, of_field) in &indices {
            let shift = usize::from(*field == list);
            for index in of_field.iter().rev() {
                text = Outline::remove_entry(&text, field, index + shift)
                    .ok_or_else(|| words(field))?;
            }
            if of_field.is_empty() {
                text = Outline::remove_field(&text, field).ok_or_else(|| words(field))?;
            }
        }
        Ok(text)
    }
}

/// The line of the key of a list, and the lines of an entry with the comments above it; `None` if the
/// text does not contain it.
fn entry_lines(
    text: &str,
    outline: &Outline,
    entry: &LayerEntry,
    end: &str,
) -> Option<(String, String)> {
    let field = outline.field(&entry.field)?;
    let whole = text.get(field.bytes.clone())?;
    let Some(index) = entry.index else {
        return Some((String::new(), ended(whole, end)));
    };
    let found = field.entries.get(index)?;
    let ListForm::Block(_) = &field.form else {
        return Some((format!("{}:{end}", entry.field), format!("- {}{end}", found.text)));
    };
    let first = whole.split_inclusive('\n').next()?;
    let lines = text.get(found.head.start.min(found.bytes.start)..found.bytes.end)?;
    Some((first.to_owned(), ended(lines, end)))
}

fn ended(text: &str, end: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}{end}") }
}
