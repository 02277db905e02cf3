//! The document of `kzui trace --json` and `--yaml`.

mod function;
mod words;

pub use function::{FunctionReport, ResultReport};
pub use words::{OutcomeWord, StepWord};

use serde::{Deserialize, Serialize};

use crate::answers::secrets::Secrets;
use crate::engine::evaluate::{Evaluation, LayerId, Step, StepOutcome, Trace};
use crate::engine::resource::{Change, Resource};

use super::{FilePosition, ReportPaths};

/// A recorded build: its steps in the order in which Kustomize works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceReport {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// What was built, as it was asked for. All paths below are relative to this directory.
    pub target: String,
    /// The build succeeded, and no step of it waits for anything.
    pub ok: bool,
    /// What its steps wait for: until it is there, nobody knows what the build gives.
    pub waiting: Vec<String>,
    /// Why it did not.
    pub error: Option<FailureReport>,
    /// What the build is warned about that belongs to no single step.
    pub warnings: Vec<String>,
    /// The steps that were asked for.
    pub steps: Vec<StepReport>,
}

/// Why a build failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureReport {
    /// What went wrong, ending in Kustomize's innermost phrase. Kustomize's phrases name absolute paths.
    pub message: String,
    /// The layers that lead to the failing one, the outermost first; the target itself is left out.
    pub context: Vec<ContextReport>,
    /// Where.
    pub at: Option<FilePosition>,
    /// What was expected, or what to do.
    pub hint: Option<String>,
}

/// A layer on the way to a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextReport {
    /// The entry that names the layer, as it is written.
    pub entry: String,
    /// Where it is written.
    pub at: Option<FilePosition>,
    /// The directory that it leads to.
    pub directory: String,
}

/// One step of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepReport {
    /// Its number, from 1, as `--step` takes it.
    pub number: usize,
    /// Names the step by where it is configured: the directory of its layer, `#`, its field or else its name, its argument in
    /// brackets, and `~2` for the second of the same. The same on every machine, and after an edit elsewhere.
    pub id: String,
    /// What it does.
    pub kind: StepWord,
    /// Its name: of a transformer or generator that of Kustomize's plugin (`PatchTransformer`).
    pub name: String,
    /// What it works with, in short: a file, a value, `nginx → 1.27`.
    pub argument: String,
    /// The name of its layer for people: the last part of the target's directory, or the entry that names the layer.
    pub layer: String,
    /// The directory of its layer.
    pub directory: String,
    /// The field of the kustomization file that configures it; empty for what Kustomize does at the root by itself.
    pub field: String,
    /// Its entry in that field, from 0, without those that are commented out.
    pub entry: Option<usize>,
    /// The line that configures it.
    pub at: Option<FilePosition>,
    /// How many resources it added.
    pub added: usize,
    /// How many resources it changed.
    pub changed: usize,
    /// How many resources it removed.
    pub removed: usize,
    /// How many resources it was for.
    pub matched: usize,
    /// How it ended.
    pub outcome: OutcomeWord,
    /// What it waits for, or why it failed.
    pub detail: Option<String>,
    /// What the user should know.
    pub warnings: Vec<WarningReport>,
    /// What it did, resource by resource.
    pub changes: Vec<ChangeReport>,
    /// The call of a function, when the step was one.
    pub function: Option<FunctionReport>,
    /// How long it took. With `--times` only: without it, the same tree gives the same document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microseconds: Option<u64>,
}

/// What a step is warned about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WarningReport {
    /// The code of the rule.
    pub code: String,
    /// What is the case.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where.
    pub at: Option<FilePosition>,
}

/// What a step did to one resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeReport {
    /// The resource before the step; null for one that it added.
    pub before: Option<ResourceReport>,
    /// The resource after the step; null for one that it removed.
    pub after: Option<ResourceReport>,
    /// The change of its text as a unified diff. With `--diff` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// What it did to the field that is watched. With `--watch` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<WriteReport>,
}

/// What a step did to the field that is watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WriteReport {
    /// The field, as it was called then.
    pub path: String,
    /// What was there; null when the field was not.
    pub before: Option<String>,
    /// What is there since; null when the step removed it.
    pub after: Option<String>,
    /// It wrote what was there already.
    pub equal: bool,
    /// Where it is written.
    pub at: Option<FilePosition>,
}

/// A resource by its id at that moment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceReport {
    /// `apiVersion`
    pub api_version: String,
    /// `kind`
    pub kind: String,
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`; empty when it has none.
    pub namespace: String,
}

impl TraceReport {
    /// The version that this program writes.
    pub const VERSION: u32 = 1;

    /// Masks values of Secrets in all messages; diffs and values are masked already.
    pub fn mask(&mut self, secrets: &Secrets) {
        let mask = |text: &mut String| *text = secrets.text(text);
        self.waiting.iter_mut().chain(&mut self.warnings).for_each(mask);
        if let Some(error) = &mut self.error {
            std::iter::once(&mut error.message).chain(&mut error.hint).for_each(mask);
        }
        for step in &mut self.steps {
            step.argument = secrets.label(&step.argument);
            step.detail.iter_mut().for_each(mask);
            for warning in &mut step.warnings {
                std::iter::once(&mut warning.message).chain(&mut warning.hint).for_each(mask);
            }
            let Some(function) = &mut step.function else { continue };
            function.command.iter_mut().chain([&mut function.messages]).for_each(mask);
            for result in &mut function.results {
                let values = result.current.iter_mut().chain(&mut result.proposed);
                values.chain([&mut result.message]).for_each(mask);
            }
        }
    }

    /// The recording of a build with these of its steps.
    pub fn from_evaluation(evaluation: &Evaluation, steps: Vec<StepReport>) -> Self {
        let trace = &evaluation.trace;
        let places = ReportPaths::relative_to_target(trace);
        let error = evaluation.outcome.as_ref().err().map(|error| FailureReport {
            message: error.message.clone(),
            context: context(trace, &places),
            at: places.at(error.mark),
            hint: error.hint.as_ref().map(ToString::to_string),
        });
        let waiting: Vec<String> = trace.steps.iter().filter_map(super::super::need).collect();
        Self {
            schema_version: Self::VERSION,
            target: trace.layers.first().map_or_else(String::new, |layer| layer.name.to_string()),
            ok: error.is_none() && waiting.is_empty(),
            waiting,
            error,
            warnings: evaluation.warnings.iter().map(ToString::to_string).collect(),
            steps,
        }
    }
}

/// The layers below the root that lead to the step that failed.
fn context(trace: &Trace, places: &ReportPaths<'_>) -> Vec<ContextReport> {
    let failed = trace.steps.iter().rfind(|step| matches!(step.outcome, StepOutcome::Failed(_)));
    let around = |id: &LayerId| trace.layer(*id)?.parent;
    let chain = std::iter::successors(failed.map(|step| step.layer), around);
    let mut lines: Vec<ContextReport> = chain
        .filter_map(|id| trace.layer(id))
        .filter(|layer| layer.parent.is_some())
        .map(|layer| ContextReport {
            entry: layer.name.to_string(),
            at: places.at(layer.mark),
            directory: places.path(&layer.path),
        })
        .collect();
    lines.reverse();
    lines
}

impl StepReport {
    /// A step by its number, with these of its changes. `layer` is the displayed name of its layer.
    pub fn from_step(
        places: &ReportPaths<'_>,
        (number, step): (usize, &Step),
        trace: &Trace,
        layer: String,
        changes: Vec<ChangeReport>,
    ) -> Self {
        let (id, directory) = id_and_directory(places, step, trace);
        let (outcome, detail) = OutcomeWord::from_outcome(&step.outcome);
        let warnings = step.warnings.iter().map(|warning| WarningReport {
            code: warning.code().to_string(),
            message: warning.message(),
            hint: warning.advice(),
            at: places.at(warning.mark),
        });
        Self {
            number,
            id,
            kind: step.kind.into(),
            name: step.name.to_string(),
            argument: step.argument.to_string(),
            layer,
            directory,
            field: step.field.to_owned(),
            entry: step.entry,
            at: places.at(step.mark),
            added: step.counts.added,
            changed: step.counts.modified,
            removed: step.counts.removed,
            matched: step.matched,
            outcome,
            detail,
            warnings: warnings.collect(),
            changes,
            function: step.run.as_deref().map(FunctionReport::from),
            microseconds: None,
        }
    }

    /// The same with the time that the step took.
    #[must_use]
    pub fn timed(mut self, step: &Step) -> Self {
        self.microseconds = Some(u64::try_from(step.time.as_micros()).unwrap_or(u64::MAX));
        self
    }
}

/// The id of a step, and the directory of its layer.
pub(super) fn id_and_directory(
    places: &ReportPaths<'_>,
    step: &Step,
    trace: &Trace,
) -> (String, String) {
    let path = trace.layer(step.layer).map_or("", |layer| &*layer.path);
    let directory = places.path(path);
    let id = &*step.id.0;
    let id = id.strip_prefix(path).map_or(id.to_owned(), |rest| format!("{directory}{rest}"));
    (id, directory)
}

impl ChangeReport {
    /// A change, without its diff.
    pub fn from_change(change: &Change) -> Self {
        let report = |side: &Option<std::sync::Arc<Resource>>| side.as_deref().map(Into::into);
        let (before, after) = (report(&change.before), report(&change.after));
        Self { before, after, diff: None, write: None }
    }
}

impl From<&Resource> for ResourceReport {
    fn from(resource: &Resource) -> Self {
        Self {
            api_version: resource.id.gvk.api_version(),
            kind: resource.id.gvk.kind.to_string(),
            name: resource.id.name.to_string(),
            namespace: resource.id.namespace.to_string(),
        }
    }
}
