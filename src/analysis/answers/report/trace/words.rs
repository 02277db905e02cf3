//! The words for the kinds and results of steps in reports.

use serde::Serialize;

use crate::engine::evaluate::{Step, StepKind, StepOutcome};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ReportStepKind {
    /// A file of `resources:` is loaded.
    Load,
    /// A finished base is appended to its parent.
    Merge,
    /// `configurations:` and `crds:` are read.
    Configure,
    /// A generator, built-in or not.
    Generate,
    /// A component begins.
    EnterComponent,
    /// A component ends.
    LeaveComponent,
    /// A built-in transformer, or a single entry of one.
    Transform,
    /// An entry of `transformers:`.
    ExternalTransform,
    /// An entry of `validators:`.
    Validate,
    /// `vars:` are recorded.
    Vars,
    /// Hash suffixes are appended to names, at the root.
    Hash,
    /// References to changed names are updated, at the root.
    NameReferences,
    /// Variables are replaced, at the root.
    ReplaceVars,
    /// Resources marked as local configuration are dropped, at the root.
    DropLocalConfig,
    /// The resources are sorted, at the root.
    Order,
    /// Labels and annotations of `buildMetadata` are written, at the root.
    BuildMetadata,
    /// A failure to print the output; without a failure there is no such step.
    Print,
    /// The changes that an Argo CD Application or a Flux Kustomization makes to the built objects.
    AfterBuild,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

impl From<StepKind> for ReportStepKind {
    fn from(kind: StepKind) -> Self {
        match kind {
            StepKind::Load => Self::Load,
            StepKind::Merge => Self::Merge,
            StepKind::Configure => Self::Configure,
            StepKind::Generate => Self::Generate,
            StepKind::EnterComponent => Self::EnterComponent,
            StepKind::LeaveComponent => Self::LeaveComponent,
            StepKind::Transform => Self::Transform,
            StepKind::ExternalTransform => Self::ExternalTransform,
            StepKind::Validate => Self::Validate,
            StepKind::Vars => Self::Vars,
            StepKind::Hash => Self::Hash,
            StepKind::NameReferences => Self::NameReferences,
            StepKind::ReplaceVars => Self::ReplaceVars,
            StepKind::DropLocalConfig => Self::DropLocalConfig,
            StepKind::Order => Self::Order,
            StepKind::BuildMetadata => Self::BuildMetadata,
            StepKind::Print => Self::Print,
            StepKind::AfterBuild => Self::AfterBuild,
        }
    }
}

impl OutcomeWord {
    /// The word for the outcome of a step, and why the step is pending or failed.
    pub(super) fn from_step(step: &Step) -> (Self, Option<String>) {
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
