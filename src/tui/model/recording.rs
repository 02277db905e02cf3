//! A recorded build with what is asked of it again and again: looked up once, when it arrives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::evaluate::{Evaluation, Layer, Outcome, Step, StepError, StepKind, Trace};
use crate::engine::load::Fetch;
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, WriterId};

use super::super::ports::{Composed, Shelved};

/// A resource through renames and rebuilds: its kind and the first name that it had.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::tui) struct ResourceKey {
    /// The kind.
    pub kind: Arc<str>,
    /// The name.
    pub name: Arc<str>,
    /// The namespace that it was loaded with.
    pub namespace: Arc<str>,
}

impl ResourceKey {
    /// The key of a resource.
    pub(in crate::tui) fn of(resource: &Resource) -> Self {
        let kind = resource.id.gvk.kind.clone();
        match resource.previous.first() {
            Some(first) => {
                Self { kind, name: first.name.clone(), namespace: first.namespace.clone() }
            }
            None => Self {
                kind,
                name: resource.id.name.clone(),
                namespace: resource.id.effective_namespace().into(),
            },
        }
    }
}

/// A recorded build.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Recording {
    /// The steps, layers and files.
    pub trace: Trace,
    /// The resources of the output, by key; empty when the build failed.
    pub output: Vec<(ResourceKey, Arc<Resource>)>,
    /// Why it failed.
    pub error: Option<Arc<StepError>>,
    /// Warnings that belong to no step.
    pub warnings: Vec<String>,
    /// The files and directories that it depends on.
    pub watched: Vec<PathBuf>,
    /// The Compositions that take part, consolidated.
    pub compositions: Vec<Composed>,
    /// The catalogs that the tree names, and those given by hand.
    pub catalogs: Vec<Shelved>,
    /// What the build asked for that is not at hand.
    pub missed: Vec<Fetch>,
    /// How long it took.
    pub took: std::time::Duration,
    /// Cells of the longest place of a step.
    pub place_width: usize,
    writers: BTreeMap<WriterId, usize>,
    /// For each step, where it happens: `base`, `prod › tls`.
    places: Vec<String>,
    /// Cells of the greatest count of a step.
    pub count_width: usize,
    base_dir: PathBuf,
}

impl Recording {
    /// Takes an evaluation apart. Paths are shown from `target_dir`'s surroundings.
    pub(in crate::tui) fn new(
        evaluation: Evaluation,
        target_dir: &Path,
        took: std::time::Duration,
    ) -> Self {
        let Evaluation { mut trace, outcome, warnings, watched, .. } = evaluation;
        let (output, error) = match outcome {
            Ok(resources) => (
                resources
                    .into_iter()
                    .map(|resource| (ResourceKey::of(&resource), resource))
                    .collect(),
                None,
            ),
            Err(error) => (Vec::new(), Some(error)),
        };
        let writers =
            trace.steps.iter().enumerate().map(|(index, step)| (step.writer, index)).collect();
        let base_dir = common_dir(&trace, target_dir);
        shorten_needs(&mut trace, &base_dir);
        let mut recording = Self {
            trace,
            output,
            error,
            warnings,
            watched,
            compositions: Vec::new(),
            catalogs: Vec::new(),
            missed: Vec::new(),
            took,
            place_width: 0,
            count_width: 0,
            writers,
            places: Vec::new(),
            base_dir,
        };
        recording.places =
            recording.trace.steps.iter().map(|step| recording.layer_path(step)).collect();
        let counts = recording
            .trace
            .steps
            .iter()
            .flat_map(|step| [step.counts.added, step.counts.modified, step.counts.removed]);
        recording.count_width = counts.max().unwrap_or(0).to_string().len().max(2) + 1;
        recording.place_width = recording
            .places
            .iter()
            .map(|place| super::super::text::width(place))
            .max()
            .unwrap_or(0);
        recording
    }

    /// The step with this number.
    pub(in crate::tui) fn step(&self, index: usize) -> Option<&Step> {
        self.trace.steps.get(index)
    }

    /// True before the first build is done.
    pub(in crate::tui) fn is_blank(&self) -> bool {
        self.trace.steps.is_empty() && self.error.is_none()
    }

    /// How many steps there are.
    pub(in crate::tui) fn len(&self) -> usize {
        self.trace.steps.len()
    }

    /// Where a step happens.
    pub(in crate::tui) fn place_of_step(&self, index: usize) -> &str {
        self.places.get(index).map_or("", String::as_str)
    }

    /// The step that wrote a node.
    pub(in crate::tui) fn writer(&self, writer: WriterId) -> Option<usize> {
        if writer == WriterId::NONE {
            return None;
        }
        self.writers.get(&writer).copied()
    }

    /// The file of a mark, absolute.
    pub(in crate::tui) fn file(&self, mark: Mark) -> Option<&str> {
        self.trace.sources.path(mark.source)
    }

    /// A mark as `base/deployment.yaml:7`; empty for none.
    pub(in crate::tui) fn location(&self, mark: Mark) -> String {
        match self.file(mark) {
            Some(file) if mark.line > 0 => format!("{}:{}", self.shorten(file), mark.line),
            Some(file) => self.shorten(file),
            None => String::new(),
        }
    }

    /// A path from the directory that holds the whole build.
    pub(in crate::tui) fn shorten(&self, path: &str) -> String {
        short_path(path, &self.base_dir)
    }

    /// The layer with this directory.
    pub(in crate::tui) fn layer_at(&self, dir: &Path) -> Option<(usize, &Layer)> {
        let layers = self.trace.layers.iter().enumerate();
        layers.into_iter().find(|(_, layer)| Path::new(&*layer.path) == dir)
    }

    /// True when a step did something that can be seen.
    pub(in crate::tui) fn is_effective(step: &Step) -> bool {
        match step.outcome {
            Outcome::Applied => step.kind != StepKind::Merge && !step.changes.is_empty(),
            Outcome::Failed(_) => true,
            _ => false,
        }
    }

    /// The last step that changed something; 0 when there is none.
    pub(in crate::tui) fn last_effective(&self) -> usize {
        self.trace.steps.iter().rposition(Self::is_effective).unwrap_or(0)
    }

    /// True when a person expects a step to change something: it is an entry of a kustomization file.
    pub(in crate::tui) fn is_expected_to_act(step: &Step) -> bool {
        !step.field.is_empty()
            && matches!(
                step.kind,
                StepKind::Generate | StepKind::Transform | StepKind::ExternalTransform
            )
    }

    /// Added, changed and removed in all steps of a layer and those inside it.
    pub(in crate::tui) fn effect_of_layer(&self, layer: &Layer) -> (usize, usize, usize) {
        let end = layer.end_step.min(self.len());
        let steps = self.trace.steps.get(layer.first_step.min(end)..end).unwrap_or_default();
        steps.iter().filter(|step| step.kind != StepKind::Merge).fold((0, 0, 0), |sum, step| {
            (sum.0 + step.counts.added, sum.1 + step.counts.modified, sum.2 + step.counts.removed)
        })
    }

    fn layer_path(&self, step: &Step) -> String {
        let root_only = matches!(
            step.kind,
            StepKind::Hash
                | StepKind::NameReferences
                | StepKind::ReplaceVars
                | StepKind::DropLocalConfig
                | StepKind::Order
                | StepKind::BuildMetadata
        );
        if root_only {
            return "(root)".to_owned();
        }
        let mut names = Vec::new();
        let mut next = Some(step.layer);
        while let Some(layer) = next.and_then(|id| self.trace.layer(id)) {
            names.push(last_part(&layer.path));
            // A base stands for itself; a component is told by whom it belongs to.
            next = if layer.shares { layer.parent } else { None };
        }
        names.reverse();
        names.join(" › ")
    }
}

/// The last part of a path.
fn last_part(path: &str) -> String {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    super::super::text::sanitize(name).into_owned()
}

/// A path from `base` on; as it is when it lies elsewhere.
pub(in crate::tui) fn short_path(path: &str, base: &Path) -> String {
    let short = Path::new(path).strip_prefix(base).map_or(path.into(), Path::to_string_lossy);
    super::super::text::sanitize(&short).into_owned()
}

/// Says what steps wait for with paths from the directory that holds the build; what a person would type into a shell
/// stays as it is.
fn shorten_needs(trace: &mut Trace, base_dir: &Path) {
    let base = format!("{}/", base_dir.to_string_lossy());
    for step in &mut trace.steps {
        if let Outcome::Waiting(why) = &mut step.outcome {
            let (words, command) = why.split_at(why.find("'kzui ").unwrap_or(why.len()));
            *why = [&words.replace(&base, ""), command].concat().into();
        }
    }
}

/// The directory above every layer of the build.
fn common_dir(trace: &Trace, target_dir: &Path) -> PathBuf {
    let mut base = target_dir.to_path_buf();
    for layer in &trace.layers {
        while !Path::new(&*layer.path).starts_with(&base) && base.pop() {}
    }
    // Of a single layer, its own name is worth showing.
    if base == target_dir {
        base.pop();
    }
    base
}
