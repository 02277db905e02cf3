//! Indexes of a recording, built once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::evaluate::{Step, StepKind, Trace};
use crate::engine::resource::{QuickMap, Slot};
use crate::engine::yaml::WriterId;

use crate::answers::{FileNames, Identity};

/// The indexes of a [`Recording`](super::Recording), built from its trace alone.
#[derive(Clone, Debug, Default)]
pub struct RecordingIndex {
    pub(in crate::answers) identity: Identity,
    pub(in crate::answers) writers: QuickMap<WriterId, usize>,
    /// For each resource, the steps that changed it, each with the index of the change in the step.
    pub(in crate::answers) touched: QuickMap<Slot, Vec<(usize, usize)>>,
    /// For each step, its displayed layer: `base`, `prod › tls`.
    pub(in crate::answers) places: Vec<String>,
    pub(in crate::answers) names: FileNames,
    pub(in crate::answers) base_dir: PathBuf,
    pub(in crate::answers) first_layers: BTreeMap<PathBuf, usize>,
}

impl RecordingIndex {
    /// Indexes a trace. Paths are shown relative to a common directory of all layers.
    pub fn from_trace(trace: &Trace, target_dir: &Path) -> Self {
        let writers =
            trace.steps.iter().enumerate().map(|(index, step)| (step.writer, index)).collect();
        let mut touched: QuickMap<Slot, Vec<(usize, usize)>> = QuickMap::default();
        for (index, step) in trace.steps.iter().enumerate() {
            if step.kind != StepKind::Merge {
                for (number, change) in step.changes.iter().enumerate() {
                    let known = touched.entry(change.slot).or_default();
                    // Only the first change of a resource in each step is indexed.
                    if known.last().is_none_or(|(last, _)| *last != index) {
                        known.push((index, number));
                    }
                }
            }
        }
        let files = trace.steps.iter().filter_map(|step| trace.sources.path(step.mark.source));
        let layers = trace.layers.iter().map(|layer| &*layer.file);
        let names = FileNames::from_paths(trace.sources.paths().chain(files).chain(layers));
        let mut twins: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        let mut first_layers = BTreeMap::new();
        for (index, layer) in trace.layers.iter().enumerate() {
            *twins.entry(layer.path.clone()).or_default() += 1;
            first_layers.entry(PathBuf::from(&*layer.path)).or_insert(index);
        }
        let places = trace
            .steps
            .iter()
            .map(|step| displayed_layer_path(trace, &names, step, &twins))
            .collect();
        Self {
            identity: Identity::from_trace(trace),
            writers,
            touched,
            places,
            names,
            base_dir: common_dir(trace, target_dir),
            first_layers,
        }
    }
}

/// The displayed layer of a step, with as many parent layers as needed to distinguish it from other
/// layers in the same directory.
fn displayed_layer_path(
    trace: &Trace,
    names: &FileNames,
    step: &Step,
    twins: &BTreeMap<Arc<str>, usize>,
) -> String {
    let root_only = matches!(
        step.kind,
        StepKind::Hash
            | StepKind::NameReferences
            | StepKind::ReplaceVars
            | StepKind::DropLocalConfig
            | StepKind::Order
            | StepKind::BuildMetadata
            | StepKind::Print
            | StepKind::AfterBuild
    );
    if root_only {
        return "(root)".to_owned();
    }
    let mut path = Vec::new();
    let mut next = Some(step.layer);
    while let Some(layer) = next.and_then(|id| trace.layer(id)) {
        let is_file = layer.file.starts_with(&*layer.path) && layer.file.len() > layer.path.len();
        path.push(match names.name(&layer.file) {
            name if is_file => name,
            _ => last_part(&layer.path).to_owned(),
        });
        // A base is unique; a component that several layers list is shown with its parent.
        let has_twin = twins.get(&layer.path).is_some_and(|twins| *twins > 1);
        next = if layer.shares && has_twin { layer.parent } else { None };
    }
    path.reverse();
    path.join(" › ")
}

fn last_part(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

fn common_dir(trace: &Trace, target_dir: &Path) -> PathBuf {
    let mut base = target_dir.to_path_buf();
    let layers = trace.layers.iter().map(|layer| &*layer.path);
    for path in layers.chain(trace.deployed_by().map(|(object, _)| object)) {
        while !Path::new(path).starts_with(&base) && base.pop() {}
    }
    // If all layers are in one directory, paths are shown with the name of that directory.
    if base == target_dir {
        base.pop();
    }
    base
}
