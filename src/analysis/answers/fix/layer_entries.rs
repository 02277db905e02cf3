//! The entries of a kustomization file with the paths in them, for edits that move entries to
//! another kustomization file.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::load::relative_path;
use crate::engine::manifest::{KustomizationField, ListForm, Outline};
use crate::engine::yaml::{Node, parse_nodes};
use crate::repository::{ReferenceDestination, ReferenceEntry, Target, TargetKind, UseKind};

use super::apply_fix::replace_scalars;
use super::proof::Prover;

const FIXED_FIELDS: [KustomizationField; 6] = [
    KustomizationField::OpenApi,
    KustomizationField::SortOptions,
    KustomizationField::HelmGlobals,
    KustomizationField::HelmChartInflationGenerator,
    KustomizationField::BuildMetadata,
    KustomizationField::Catalogs,
];

pub(super) struct LayerFile<'a> {
    pub(super) target: &'a Target,
    pub(super) text: Arc<[u8]>,
    pub(super) outline: Outline,
    pub(super) entries: Vec<LayerEntry>,
}

/// An entry of a list, or a field that is no list.
pub(super) struct LayerEntry {
    pub(super) field: String,
    /// The index in the outline of the list; none for a field that is no list.
    pub(super) index: Option<usize>,
    pub(super) line: u32,
    last_line: u32,
    pub(super) node: Node,
    pub(super) references: Vec<ReferenceEntry>,
    pub(super) obstacle: Option<String>,
}

impl<'a> LayerFile<'a> {
    /// Reads the kustomization file of a folder.
    pub(super) fn read(folder: &Path, prover: &Prover<'a, '_>) -> Result<Self, String> {
        let shown = prover.shown(folder);
        let target = prover.repository.target(folder);
        let target = target.ok_or_else(|| format!("{shown}: no kustomization file"))?;
        if target.kind == TargetKind::Composition {
            return Err(format!("{shown} is a Composition"));
        }
        let file = prover.shown(&target.file);
        if let Some((message, line)) = &target.broken {
            return Err(format!("{file}:{line}: {message}"));
        }
        let text = prover.read(&target.file)?;
        let outline = Outline::parse(&text);
        if let Some(problem) = &outline.problem {
            return Err(format!("{file}:{}: {}", problem.line, problem.obstacle));
        }
        let root = first_node(&file, &text)?;
        let mut entries = read_entries(&outline, &root, &text);
        for entry in &mut entries {
            if root.has_aliases() {
                entry.obstacle = Some("the file contains YAML aliases".to_owned());
            }
        }
        for reference in &target.uses {
            add_reference(&mut entries, reference, target, prover);
        }
        Ok(Self { target, text, outline, entries })
    }

    /// The text with the paths in some entries relative to another folder; `moved` is the new path
    /// of a file.
    pub(super) fn with_paths(
        &self,
        entries: impl IntoIterator<Item = usize>,
        folder: &Path,
        moved: impl Fn(&Path) -> PathBuf,
    ) -> Result<Vec<u8>, String> {
        let mut edits = Vec::new();
        for entry in entries.into_iter().filter_map(|at| self.entries.get(at)) {
            for reference in &entry.references {
                let Some(old) = reference.to.local_path() else { continue };
                let now = with_path_style(&reference.text, &relative_path(folder, &moved(old)));
                edits.extend(path_values(&entry.node, (reference.text.as_str(), now.as_str())));
            }
        }
        replace_scalars(&self.text, edits).map_err(|node| {
            let was = node.text().unwrap_or_default();
            format!("line {}: `{was}` is not written as one value", node.mark.line)
        })
    }
}

pub(super) fn first_node(file: &str, text: &[u8]) -> Result<Node, String> {
    let read = parse_nodes(text).map_err(|error| format!("{file}: {error}"))?;
    read.into_iter().next().ok_or_else(|| format!("{file}: empty"))
}

impl LayerEntry {
    pub(super) fn has_line(&self, line: u32) -> bool {
        (self.line..=self.last_line).contains(&line)
    }

    pub(super) fn files_below<'e>(
        &'e self,
        folder: &'e Path,
    ) -> impl Iterator<Item = (&'e PathBuf, &'e ReferenceEntry)> {
        self.references.iter().filter_map(move |reference| match &reference.to {
            ReferenceDestination::File(path) if path.starts_with(folder) => Some((path, reference)),
            _ => None,
        })
    }
}

/// The active entries of a file in the order of its lines, without their paths.
fn read_entries(outline: &Outline, root: &Node, text: &[u8]) -> Vec<LayerEntry> {
    let mut entries = Vec::new();
    for field in outline.fields.iter().filter(|field| !field.disabled) {
        let Some(value) = root.get(&field.name).filter(|value| !value.is_null()) else { continue };
        let name = field.name.as_str();
        let obstacle = if matches!(name, "apiVersion" | "kind" | "metadata") {
            continue;
        } else if KustomizationField::from_name(name).is_some_and(|it| !FIXED_FIELDS.contains(&it))
        {
            None
        } else {
            Some(format!("`{name}` applies to its own kustomization"))
        };
        let mut add = |index: Option<usize>, line: u32, bytes: &Range<usize>, node: &Node| {
            let lines = text.get(bytes.clone()).unwrap_or_default();
            let count = lines.trim_ascii_end().split(|byte| *byte == b'\n').count() - 1;
            entries.push(LayerEntry {
                field: field.name.clone(),
                index,
                line,
                last_line: line + u32::try_from(count).unwrap_or(u32::MAX - line),
                node: node.clone(),
                references: Vec::new(),
                obstacle: obstacle.clone(),
            });
        };
        let is_clear = matches!(field.form, ListForm::Block(_) | ListForm::Flow(_));
        if let Some(items) = value.items().filter(|_| is_clear && obstacle.is_none()) {
            let active = field.entries.iter().enumerate().filter(|(_, entry)| !entry.disabled);
            for ((index, entry), node) in active.zip(items) {
                add(Some(index), entry.line, &entry.bytes, node);
            }
        } else {
            add(None, field.line, &field.bytes, value);
        }
    }
    entries
}

fn add_reference(
    entries: &mut [LayerEntry],
    reference: &ReferenceEntry,
    target: &Target,
    prover: &Prover<'_, '_>,
) {
    if reference.file != target.file {
        // A path in the file of a plugin is relative to the kustomization.
        let file = &reference.file;
        let reads =
            |entry: &&mut LayerEntry| entry.references.iter().any(|it| it.to.path() == Some(file));
        for entry in entries.iter_mut().filter(reads) {
            let words = format!("{} contains paths", prover.shown(file));
            entry.obstacle.get_or_insert(words);
        }
        return;
    }
    let is_here = |entry: &&mut LayerEntry| {
        is_field(reference.field, &entry.field) && entry.has_line(reference.line)
    };
    let mut is_found = false;
    for entry in entries.iter_mut().filter(is_here) {
        if path_values(&entry.node, (reference.text.as_str(), "")).next().is_some() {
            entry.references.push(reference.clone());
            is_found = true;
        }
        if reference.kind == UseKind::Chart && reference.to.path().is_some() {
            entry
                .obstacle
                .get_or_insert_with(|| "its chart is in a folder of the kustomization".to_owned());
            is_found = true;
        }
    }
    if !is_found && !matches!(reference.to, ReferenceDestination::Remote(_)) {
        for entry in entries.iter_mut().filter(is_here) {
            let words = format!("`{}` is not written as one value", reference.text);
            entry.obstacle.get_or_insert(words);
        }
    }
}

/// The path `now` with the leading `./` and the trailing `/` of the path `was`.
pub(super) fn with_path_style(was: &str, now: &str) -> String {
    let begin = if was.starts_with("./") && !now.starts_with("..") { "./" } else { "" };
    let end = if was.ends_with('/') && was.len() > 1 { "/" } else { "" };
    format!("{begin}{now}{end}")
}

pub(super) fn is_field(field: &str, name: &str) -> bool {
    let old = [("resources", "bases"), ("helmCharts", "helmChartInflationGenerator")];
    name == field || old.contains(&(field, name))
}

/// The values at or below a node that are a path, alone or as `KEY=PATH`, each with its text for
/// another path.
pub(super) fn path_values<'n>(
    node: &'n Node,
    (path, now): (&str, &str),
) -> impl Iterator<Item = (&'n Node, String)> {
    node.nodes().filter_map(move |node| {
        let key = node.text()?.strip_suffix(path)?;
        (key.is_empty() || key.ends_with('=')).then(|| (node, format!("{key}{now}")))
    })
}
