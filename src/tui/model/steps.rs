//! The list of steps that is shown.

use std::sync::Arc;

use crate::engine::diagnostic::Code;
use crate::engine::evaluate::{Outcome, Step, StepKind};
use crate::engine::manifest::Field;

use super::super::text::sanitize;
use super::tree::summary;
use super::{Model, Recording, ResourceKey, Severity};

/// Which steps are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::tui) struct StepFilter {
    /// Only those that changed something.
    pub effective: bool,
    /// Only those that touched this resource.
    pub resource: Option<ResourceKey>,
    /// Only those of the layer with this directory.
    pub layer: Option<Arc<str>>,
}

/// The steps that are listed.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct StepList {
    /// Which ones.
    pub filter: StepFilter,
    /// Their numbers in the trace.
    pub visible: Vec<usize>,
    /// The field whose writes are gone to.
    pub watched: Option<super::Watched>,
}

/// How a step ended, for its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum StepState {
    /// It changed something.
    Applied,
    /// It changed something, and there is something to know about that.
    Warned,
    /// It changed nothing.
    NoChange,
    /// It was for nothing.
    MatchedNothing,
    /// It is switched off.
    Off,
    /// It waits.
    Waiting,
    /// What it would do depends on something that waits.
    Unknown,
    /// It failed.
    Failed,
}

impl StepState {
    /// How a step ended.
    pub(in crate::tui) fn of(step: &Step) -> Self {
        match step.outcome {
            Outcome::Applied if warns(step) => Self::Warned,
            Outcome::NoChange | Outcome::MatchedNothing
                if warns(step) && !Recording::is_expected_to_act(step) =>
            {
                Self::Warned
            }
            Outcome::NoChange | Outcome::MatchedNothing if is_unknown(step) => Self::Unknown,
            Outcome::Applied => Self::Applied,
            Outcome::NoChange => Self::NoChange,
            Outcome::MatchedNothing => Self::MatchedNothing,
            Outcome::SwitchedOff => Self::Off,
            Outcome::Waiting(_) => Self::Waiting,
            Outcome::Failed(_) => Self::Failed,
        }
    }

    /// In words.
    pub(in crate::tui) fn words(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Warned => "done, with a warning",
            Self::NoChange => "matched, changed nothing",
            Self::MatchedNothing => "no effect: it matched nothing",
            Self::Off => "switched off",
            Self::Waiting => "waiting",
            Self::Unknown => "unknown until what waits is there",
            Self::Failed => "failed",
        }
    }
}

/// True for a step that found nothing, where what it is for may come with what an earlier step waits for.
fn is_unknown(step: &Step) -> bool {
    step.warnings.iter().any(|warning| warning.code == Code::KZ191)
}

/// True for a step with something worse than a note.
fn warns(step: &Step) -> bool {
    step.warnings.iter().any(|warning| warning.severity() != Severity::Note)
}

impl StepFilter {
    /// True when every step is listed.
    pub(in crate::tui) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The numbers of the steps that it lets through.
    pub(in crate::tui) fn apply(&self, recording: &Recording) -> Vec<usize> {
        let steps = recording.trace.steps.iter().enumerate();
        steps.filter(|(_, step)| self.passes(recording, step)).map(|(index, _)| index).collect()
    }

    fn passes(&self, recording: &Recording, step: &Step) -> bool {
        if self.effective && !Recording::is_effective(step) {
            return false;
        }
        if let Some(path) = &self.layer
            && recording.trace.layer(step.layer).is_none_or(|layer| layer.path != *path)
        {
            return false;
        }
        let Some(key) = &self.resource else { return true };
        step.kind != StepKind::Merge
            && step.changes.iter().any(|change| recording.key(change.slot) == Some(key))
    }

    /// In words, for a title.
    pub(in crate::tui) fn words(&self) -> String {
        let mut words = Vec::new();
        if self.effective {
            words.push("effective only".to_owned());
        }
        if let Some(key) = &self.resource {
            words.push(format!("{} {}", key.kind, key.name));
        }
        if let Some(layer) = &self.layer {
            words.push(format!("layer {}", layer.rsplit('/').next().unwrap_or(layer)));
        }
        super::super::text::sanitize(&words.join(", ")).into_owned()
    }
}

/// What a step is, for a row: its sign among [`Glyphs::kinds`](super::super::glyphs::Glyphs), a short word for it, and
/// what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) struct StepWords {
    /// The place of its sign.
    pub sign: usize,
    /// The short word.
    pub word: String,
    /// What it is about.
    pub about: String,
}

/// Cells of the short words.
pub(in crate::tui) const WORD_CELLS: usize = 9;

/// Cells of what stands in a row before the place and between the columns: cursor and number, sign, kind, word.
pub(in crate::tui) const STEP_FIXED: usize = 7 + 3 + 2 + WORD_CELLS + 1;

/// Cells of the milliseconds.
pub(in crate::tui) const STEP_MILLIS: usize = 6;

/// The cells that the rows of the list need to be read whole.
pub(in crate::tui) fn steps_wanted(model: &Model) -> usize {
    let recording = &model.recording;
    let counts = 3 * recording.count_width.max(3);
    let names = recording.place_width + 1 + recording.about_width.max(8);
    STEP_FIXED + names + counts + STEP_MILLIS + 1
}

/// A step in a row's words.
pub(in crate::tui) fn step_words(recording: &Recording, index: usize) -> StepWords {
    let of = |sign, word: &str, about: &str| StepWords {
        sign,
        word: sanitize(word).into_owned(),
        about: sanitize(about.trim()).into_owned(),
    };
    let Some(step) = recording.step(index) else { return of(0, "", "") };
    let off = matches!(step.outcome, Outcome::SwitchedOff).then(|| summary(&step.argument));
    let about = off.as_deref().unwrap_or(&step.argument);
    match step.kind {
        StepKind::Load => of(0, "load", about),
        StepKind::Merge => of(1, "merge", about),
        StepKind::EnterComponent => of(2, "enter", about),
        StepKind::LeaveComponent => of(3, "leave", about),
        StepKind::Hash => of(8, "hash", about),
        StepKind::NameReferences => of(8, "refs", about),
        StepKind::ReplaceVars => of(8, "vars", about),
        StepKind::DropLocalConfig => of(8, "local", about),
        StepKind::Order => of(8, "order", about),
        StepKind::ExternalTransform => of(7, "function", about),
        _ if step.field.is_empty() => of(8, &step.name, about),
        _ => of(sign_of_field(step.field), short_field(step.field), about),
    }
}

fn sign_of_field(field: &str) -> usize {
    match field {
        "patches" | "patchesStrategicMerge" | "patchesJson6902" => 5,
        "transformers"
        | "validators"
        | "generators"
        | "helmCharts"
        | "helmChartInflationGenerator" => 7,
        "configMapGenerator" | "secretGenerator" => 4,
        _ => 6,
    }
}

/// A field in a word that leaves room for what it is about.
fn short_field(field: &str) -> &str {
    match field {
        "patchesStrategicMerge" => "psm",
        "patchesJson6902" => "j6902",
        "patches" => "patch",
        "namespace" => "ns",
        "namePrefix" => "prefix",
        "nameSuffix" => "suffix",
        "commonLabels" => "labels",
        "commonAnnotations" => "annot",
        "imageTags" => "images",
        "replacements" => "replace",
        "configMapGenerator" => "configmap",
        "secretGenerator" => "secret",
        "helmCharts" | "helmChartInflationGenerator" => "helm",
        "transformers" => "transform",
        "validators" => "validate",
        "generators" => "generate",
        "configurations" => "config",
        other => other,
    }
}

/// The number of a field in Kustomize's built-in order, from 0.
pub(in crate::tui) fn builtin_order(field: &str) -> Option<usize> {
    Field::of(field)?.order()
}
