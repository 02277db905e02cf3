//! The list of steps that is shown.

use std::sync::Arc;

use crate::engine::diagnostic::Code;
use crate::engine::evaluate::{Step, StepKind, StepOutcome};
use crate::engine::manifest::KustomizationField;
use crate::model::{Model, Recording, ResourceKey, Severity, WorkbenchRecording};
use crate::recording::WORD_CELLS;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StepFilter {
    pub effective: bool,
    pub resource: Option<ResourceKey>,
    /// Only steps of the layer in this directory.
    pub layer: Option<Arc<str>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct StepList {
    pub filter: StepFilter,
    /// The indices of the listed steps in the trace.
    pub visible: Vec<usize>,
    pub watched: Option<crate::model::WatchedField>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepState {
    Applied,
    /// The step has an effect and a warning.
    Warned,
    NoChange,
    MatchedNothing,
    Off,
    Waiting,
    /// A pending step may change the outcome.
    Unknown,
    Failed,
}

impl StepState {
    pub(crate) fn from_step(step: &Step) -> Self {
        match step.outcome {
            StepOutcome::Applied if has_warning(step) => Self::Warned,
            StepOutcome::NoChange | StepOutcome::MatchedNothing
                if has_warning(step) && !Recording::is_expected_to_change(step) =>
            {
                Self::Warned
            }
            StepOutcome::NoChange | StepOutcome::MatchedNothing if is_unknown(step) => {
                Self::Unknown
            }
            StepOutcome::Applied => Self::Applied,
            StepOutcome::NoChange => Self::NoChange,
            StepOutcome::MatchedNothing => Self::MatchedNothing,
            StepOutcome::SwitchedOff => Self::Off,
            StepOutcome::Waiting(_) => Self::Waiting,
            StepOutcome::Failed(_) => Self::Failed,
        }
    }

    /// True for a step without an effect that was not expected to have one.
    pub(crate) fn is_silent(step: &Step) -> bool {
        matches!(Self::from_step(step), Self::NoChange | Self::MatchedNothing)
            && !Recording::is_expected_to_change(step)
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Warned => "applied, with a warning",
            Self::NoChange => "no change",
            Self::MatchedNothing => "no match",
            Self::Off => "switched off",
            Self::Waiting => "pending",
            Self::Unknown => "not known until an earlier step runs",
            Self::Failed => "failed",
        }
    }
}

/// True for a step without an effect that may have one after an earlier pending step has run.
fn is_unknown(step: &Step) -> bool {
    step.is_after_pending || step.warnings.iter().any(|warning| warning.code() == Code::KZ191)
}

fn has_warning(step: &Step) -> bool {
    step.warnings.iter().any(|warning| warning.severity() != Severity::Note)
}

impl StepFilter {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn apply(&self, recording: &WorkbenchRecording) -> Vec<usize> {
        let steps = recording.trace.steps.iter().enumerate();
        steps.filter(|(_, step)| self.lists_step(recording, step)).map(|(index, _)| index).collect()
    }

    fn lists_step(&self, recording: &WorkbenchRecording, step: &Step) -> bool {
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
}

/// The width in cells at which the rows of the list are not cut.
pub(crate) fn steps_width(model: &Model) -> usize {
    /// The cells of cursor, number and sign, of the symbol of the kind, and of the gaps.
    const FIXED_CELLS: usize = 9 + 2 + 6 * 2;
    /// The cells of the time in milliseconds, which differs from build to build.
    const MILLIS_CELLS: usize = 4;
    let recording = &model.builds.recording;
    let names = recording.place_width.max(5) + WORD_CELLS + recording.about_width;
    FIXED_CELLS + names + 3 * recording.count_width + MILLIS_CELLS
}

/// The number of a field in Kustomize's built-in order, from 0.
pub(crate) fn builtin_order(field: &str) -> Option<usize> {
    KustomizationField::from_name(field)?.order()
}
