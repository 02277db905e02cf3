//! The document of `kzui trace --json` and `--yaml`.

mod function;

use std::path::Path;

pub use function::{FunctionReport, ResultReport};
use serde::Deserialize;

use super::{FilePosition, ReportPaths, documents};
use crate::answers::make_paths_relative;
use crate::answers::recording::build::OutcomeWord;
use crate::answers::recording::identity::layer_and_parents;
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::{Evaluation, Step, StepKind, StepOutcome, Trace};
use crate::engine::resource::{Change, Resource};

documents! {
    pub struct TraceReport {
        pub schema_version: u32,
        pub target: String,
        pub ok: bool,
        pub waiting: Vec<String>,
        pub error: Option<FailureReport>,
        pub warnings: Vec<String>,
        pub steps: Vec<StepReport>,
    }

    pub struct FailureReport {
        pub code: String,
        pub message: String,
        pub context: Vec<ContextReport>,
        pub at: Option<FilePosition>,
        pub hint: Option<String>,
    }

    pub struct ContextReport {
        pub entry: String,
        pub at: Option<FilePosition>,
        pub directory: String,
    }

    pub struct StepReport {
        pub number: usize,
        pub id: String,
        pub kind: StepKind,
        pub name: String,
        pub argument: String,
        pub layer: String,
        pub directory: String,
        pub field: String,
        pub entry: Option<usize>,
        pub at: Option<FilePosition>,
        pub added: usize,
        pub changed: usize,
        pub removed: usize,
        pub matched: usize,
        pub outcome: OutcomeWord,
        pub detail: Option<String>,
        pub warnings: Vec<WarningReport>,
        pub changes: Vec<ChangeReport>,
        pub function: Option<FunctionReport>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub microseconds: Option<u64>,
    }

    pub struct WarningReport {
        pub code: String,
        pub message: String,
        pub hint: Option<String>,
        pub at: Option<FilePosition>,
    }

    pub struct ChangeReport {
        pub before: Option<ResourceReport>,
        pub after: Option<ResourceReport>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub diff: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub write: Option<WriteReport>,
    }

    pub struct WriteReport {
        pub path: String,
        pub before: Option<String>,
        pub after: Option<String>,
        pub equal: bool,
        pub at: Option<FilePosition>,
    }

    #[derive(PartialOrd, Ord, Deserialize)]
    pub struct ResourceReport {
        pub api_version: String,
        pub kind: String,
        pub name: String,
        pub namespace: String,
    }
}

impl TraceReport {
    fn mask(&mut self, secrets: &Secrets) {
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

    /// The report of a recorded build, with these steps. Values of Secrets are masked in all
    /// messages; diffs and values are masked already. Texts of pending steps have paths relative to
    /// the target, as in the rest of the report.
    pub fn from_evaluation(
        evaluation: &Evaluation,
        steps: Vec<StepReport>,
        secrets: &Secrets,
    ) -> Self {
        let trace = &evaluation.trace;
        let places = ReportPaths::relative_to_target(trace);
        let error = evaluation.outcome.as_ref().err().map(|error| FailureReport {
            code: error.code().to_string(),
            message: error.message.clone(),
            context: failure_context(trace, &places),
            at: places.at(error.mark),
            hint: error.hint.as_ref().map(ToString::to_string),
        });
        let waiting: Vec<String> =
            trace.steps.iter().filter_map(super::super::pending_need).collect();
        let mut report = Self {
            schema_version: 1,
            target: trace.layers.first().map_or_else(String::new, |layer| layer.name.to_string()),
            ok: error.is_none() && waiting.is_empty(),
            waiting,
            error,
            warnings: evaluation.warnings.iter().map(ToString::to_string).collect(),
            steps,
        };
        let target = trace.layers.first().map_or("", |layer| &*layer.path);
        let steps = report.steps.iter_mut().filter(|step| step.outcome == OutcomeWord::Waiting);
        for text in report.waiting.iter_mut().chain(steps.filter_map(|step| step.detail.as_mut())) {
            *text = make_paths_relative(text, Path::new(target));
        }
        report.mask(secrets);
        report
    }
}

fn failure_context(trace: &Trace, places: &ReportPaths<'_>) -> Vec<ContextReport> {
    let failed = trace.steps.iter().rfind(|step| matches!(step.outcome, StepOutcome::Failed(_)));
    let chain = failed.into_iter().flat_map(|step| layer_and_parents(trace, step.layer));
    let mut lines: Vec<ContextReport> = chain
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
    pub fn from_step(
        places: &ReportPaths<'_>,
        (number, step): (usize, &Step),
        trace: &Trace,
        changes: Vec<ChangeReport>,
    ) -> Self {
        let (id, directory) = id_and_directory(places, step, trace);
        let (outcome, detail) = OutcomeWord::from_step(step);
        let warnings = step.warnings.iter().map(|warning| WarningReport {
            code: warning.code().to_string(),
            message: warning.message(),
            hint: warning.advice(),
            at: places.at(warning.mark),
        });
        Self {
            number,
            id,
            kind: step.kind,
            name: step.name.to_string(),
            argument: step.argument.to_string(),
            layer: layer_name(trace, step),
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
}

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

/// The step in one line: name and argument.
pub fn step_title(step: &Step) -> String {
    // A step is named by its field in the user's file, except for fields that list files of any
    // kind.
    let name = match step.field {
        "" | "resources" | "bases" | "components" | "generators" | "transformers"
        | "validators" | "transformersFrom" | "sortOptions" => &*step.name,
        field => field,
    };
    if step.argument.is_empty() { name.to_owned() } else { format!("{name} {}", step.argument) }
}

/// The name of a step's layer; the root layer is named by the last part of its directory.
pub fn layer_name(trace: &Trace, step: &Step) -> String {
    trace.layer(step.layer).map_or_else(String::new, |layer| {
        let name = layer.name.trim_start_matches("../").trim_start_matches("./");
        match layer.name.as_ref() {
            "" | "." => layer.path.rsplit('/').next().unwrap_or_default().to_owned(),
            _ => name.to_owned(),
        }
    })
}

impl ChangeReport {
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
