//! A recorded build with indexes for repeated lookups, built once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use super::identity::layer_and_parents;
use super::index::RecordingIndex;
use crate::answers::{Identity, ResourceKey};
use crate::engine::evaluate::{
    BuildWarning, Evaluation, Layer, Step, StepError, StepKind, StepOutcome, Trace,
};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::resource::{Change, QuickMap, Resource, Slot};
use crate::engine::yaml::{Mark, WriterId, print_documents};

#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub trace: Trace,
    /// The resources of the output, by slot; empty when the build failed.
    pub output: Vec<(Slot, Arc<Resource>)>,
    pub error: Option<Arc<StepError>>,
    pub warnings: Vec<BuildWarning>,
    /// The files and directories that the build depends on.
    pub watched: Vec<PathBuf>,
    pub identity: Identity,
    order: QuickMap<Slot, usize>,
    pub(in crate::answers) index: RecordingIndex,
}

impl Recording {
    /// Indexes an evaluation. Paths are shown relative to a common directory of all layers.
    pub fn new(evaluation: Evaluation, target_dir: &Path) -> Self {
        let index = RecordingIndex::from_trace(&evaluation.trace, target_dir);
        Self::with(index, evaluation)
    }

    pub fn with(mut index: RecordingIndex, evaluation: Evaluation) -> Self {
        let Evaluation { mut trace, outcome, slots, warnings, watched, .. } = evaluation;
        let order = slots.iter().enumerate().map(|(place, slot)| (*slot, place)).collect();
        let (output, error) = match outcome {
            Ok(resources) => (slots.into_iter().zip(resources).collect(), None),
            Err(error) => (Vec::new(), Some(error)),
        };
        set_display_base(&mut trace, &index.base_dir);
        let identity = std::mem::take(&mut index.identity);
        Self { trace, output, error, warnings, watched, identity, order, index }
    }

    pub fn step(&self, index: usize) -> Option<&Step> {
        self.trace.steps.get(index)
    }

    /// True before the first build is done.
    pub fn is_unbuilt(&self) -> bool {
        self.trace.steps.is_empty() && self.error.is_none()
    }

    pub fn len(&self) -> usize {
        self.trace.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.trace.steps.is_empty()
    }

    pub fn step_layer_name(&self, index: usize) -> &str {
        self.index.places.get(index).map_or("", String::as_str)
    }

    pub fn writer(&self, writer: WriterId) -> Option<usize> {
        if writer == WriterId::NONE {
            return None;
        }
        self.index.writers.get(&writer).copied()
    }

    pub fn key(&self, slot: Slot) -> Option<&ResourceKey> {
        self.identity.key(slot)
    }

    /// The resource of the output in a slot; `None` if it was removed.
    pub fn output_resource(&self, slot: Slot) -> Option<&Arc<Resource>> {
        self.output.get(*self.order.get(&slot)?).map(|(_, resource)| resource)
    }

    /// The location at which a resource is removed: in the entry that deletes it, otherwise the
    /// location of the step.
    pub fn removal_mark(&self, slot: Slot) -> Option<Mark> {
        let step = self.step(self.identity.last_state(slot)?.removed_by?)?;
        let mut removed = step.removed.iter();
        let said = removed.find(|removed| removed.slot == slot && removed.path.is_empty());
        Some(said.map_or(step.mark, |removed| removed.mark))
    }

    /// The absolute path of the file of a mark.
    pub fn file(&self, mark: Mark) -> Option<&str> {
        self.trace.sources.path(mark.source)
    }

    /// The directory that contains all layers of the build.
    pub fn base_dir(&self) -> &Path {
        &self.index.base_dir
    }

    /// A mark as `base/deployment.yaml:7`; empty without a file.
    pub fn location(&self, mark: Mark) -> String {
        match self.file(mark) {
            Some(file) if mark.line > 0 => format!("{}:{}", self.shorten(file), mark.line),
            Some(file) => self.shorten(file),
            None => String::new(),
        }
    }

    /// The shortest distinct location for a mark: `orders/deployment.yaml:7`,
    /// `high-availability:16`; empty without a file.
    pub fn place(&self, mark: Mark) -> String {
        let Some(file) = self.file(mark) else { return String::new() };
        let name = self.index.names.name(file);
        if mark.line > 0 { format!("{name}:{}", mark.line) } else { name }
    }

    /// A path relative to the directory of the build.
    pub fn shorten(&self, path: &str) -> String {
        short_path(path, &self.index.base_dir)
    }

    pub fn first_layer_in(&self, dir: &Path) -> Option<(usize, &Layer)> {
        let index = *self.index.first_layers.get(dir)?;
        Some((index, self.trace.layers.get(index)?))
    }

    /// True for a step that changed a resource or failed.
    pub fn is_effective(step: &Step) -> bool {
        match step.outcome {
            // A change of the layout or of the order of keys alone is none.
            StepOutcome::Applied => {
                let is_change = |change: &Change| change.is_visible() || change.is_rewrite();
                step.kind != StepKind::Merge && step.changes.iter().any(is_change)
            }
            StepOutcome::Failed(_) => true,
            _ => false,
        }
    }

    /// The last step that changed something; 0 without one.
    pub fn last_effective_step(&self) -> usize {
        self.trace.steps.iter().rposition(Self::is_effective).unwrap_or(0)
    }

    /// True for the step of an entry of a kustomization file that generates or transforms
    /// resources: without a change, the step has a finding.
    pub fn is_expected_to_change(step: &Step) -> bool {
        !step.field.is_empty()
            && matches!(
                step.kind,
                StepKind::Generate | StepKind::Transform | StepKind::ExternalTransform
            )
    }

    /// The numbers of resources that a layer and its children add, change and remove.
    pub fn count_layer_changes(&self, layer: &Layer) -> (usize, usize, usize) {
        effect_of_layer(&self.trace, layer)
    }

    pub fn has_failed_step(&self, layer: &Layer) -> bool {
        let mut failed =
            self.trace.steps.iter().filter(|step| matches!(step.outcome, StepOutcome::Failed(_)));
        failed.any(|step| {
            let mut around = layer_and_parents(&self.trace, step.layer);
            around.any(|it| it.first_step == layer.first_step && it.path == layer.path)
        })
    }
}

/// The numbers of resources that a layer and its children add, change and remove.
pub(in crate::answers) fn effect_of_layer(trace: &Trace, layer: &Layer) -> (usize, usize, usize) {
    let end = layer.end_step.min(trace.steps.len());
    let steps = trace.steps.get(layer.first_step.min(end)..end).unwrap_or_default();
    net_changes(steps.iter()).fold((0, 0, 0), |sum, (_, ends)| match ends {
        (None, _) => (sum.0 + 1, sum.1, sum.2),
        (_, None) => (sum.0, sum.1, sum.2 + 1),
        _ => (sum.0, sum.1 + 1, sum.2),
    })
}

/// A resource before and after some steps; `None` where it does not exist.
pub type ResourceEnds = (Option<Arc<Resource>>, Option<Arc<Resource>>);

/// The resources whose data differ before and after these steps, in the order of their first
/// change.
pub fn net_changes<'a>(
    steps: impl Iterator<Item = &'a Step>,
) -> impl Iterator<Item = (Slot, ResourceEnds)> {
    let mut all: IndexMap<Slot, (ResourceEnds, usize)> = IndexMap::new();
    for step in steps.filter(|step| step.kind != StepKind::Merge) {
        for change in step.changes.iter().filter(|change| change.is_visible()) {
            let first = || ((change.before.clone(), None), 0);
            let (ends, count) = all.entry(change.slot).or_insert_with(first);
            ends.1.clone_from(&change.after);
            *count += 1;
        }
    }
    all.into_iter().filter_map(|(slot, (ends, count))| {
        let differs = match &ends {
            (Some(before), Some(after)) => count < 2 || !before.node.same_content(&after.node),
            (before, after) => before.is_some() || after.is_some(),
        };
        differs.then_some((slot, ends))
    })
}

/// A path relative to `base`; unchanged if the path is outside `base`.
pub fn short_path(path: &str, base: &Path) -> String {
    let short = Path::new(path).strip_prefix(base);
    short.map_or(path.into(), Path::to_string_lossy).into_owned()
}

/// Shows the paths in the required actions of pending steps relative to the directory of the build;
/// shell commands are unchanged.
fn set_display_base(trace: &mut Trace, base_dir: &Path) {
    for step in &mut trace.steps {
        if let StepOutcome::Waiting(wait) = &mut step.outcome {
            base_dir.clone_into(&mut wait.display_base);
        }
    }
}

/// The part of the result that a trial build needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFor {
    Steps,
    Output,
}

/// Builds the same target with other files; `None` if the result is no longer needed.
pub type Rebuild<'a> = dyn FnMut(Arc<dyn Files>) -> Option<Evaluation> + 'a;

/// The index of the nth active entry among all entries of a field.
pub fn nth_active(outline: &Outline, field: &str, number: usize) -> Option<usize> {
    let field = outline.field(field).filter(|field| !field.disabled)?;
    let active = field.entries.iter().enumerate().filter(|(_, entry)| !entry.disabled);
    active.map(|(index, _)| index).nth(number)
}

/// The printed output; `None` for a build that failed or has pending steps.
pub fn printed_output(evaluation: &Evaluation) -> Option<String> {
    let resources = evaluation.outcome.as_ref().ok()?;
    if evaluation.trace.steps.iter().any(is_pending) {
        return None;
    }
    print_documents(resources.iter().map(|resource| &resource.node)).ok()
}

pub(in crate::answers) fn is_pending(step: &Step) -> bool {
    matches!(step.outcome, StepOutcome::Waiting(_))
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum OutcomeWord {
    /// The step changed something.
    Applied,
    /// The step matched resources and changed none.
    NoChange,
    /// The step matched no resource.
    MatchedNothing,
    /// The entry of the step is commented out.
    SwitchedOff,
    /// Pending: a fetch or run was not requested, or a function is not trusted.
    Waiting,
    /// The step failed, and the build with it.
    Failed,
}

impl OutcomeWord {
    pub(in crate::answers) fn from_step(step: &Step) -> (Self, Option<String>) {
        match &step.outcome {
            _ if step.is_after_pending => {
                (Self::Waiting, Some("not known until an earlier step runs".to_owned()))
            }
            StepOutcome::Applied => (Self::Applied, None),
            StepOutcome::NoChange => (Self::NoChange, None),
            StepOutcome::MatchedNothing => (Self::MatchedNothing, None),
            StepOutcome::SwitchedOff => (Self::SwitchedOff, None),
            StepOutcome::Waiting(why) => (Self::Waiting, Some(why.to_string())),
            StepOutcome::Failed(error) => (Self::Failed, Some(error.message.clone())),
        }
    }
}
