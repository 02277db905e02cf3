//! The planner of steps and its results.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::evaluate::StepKind;
use crate::evaluate::level::ActiveLayer;
use crate::evaluate::step_description::StepHeader;
use crate::load::SourceNumbers;
use crate::manifest::{Builtin, KustomizationField};
use crate::profile::Profile;
use crate::resource::ResourceOrigin;
use crate::transform::{TransformError, Transformer};
use crate::yaml::Mark;

/// Plans the steps of one layer. It reads the files named by the layer's entries, and cannot run a
/// step, record one, or change a resource.
pub(in crate::evaluate) struct Planner<'a> {
    pub(in crate::evaluate) level: &'a ActiveLayer<'a>,
    /// Assigns numbers to the files that are read.
    pub(in crate::evaluate) sources: &'a mut SourceNumbers,
    pub(in crate::evaluate) profile: Profile,
}

/// A transformer that is ready to run.
pub(in crate::evaluate) struct ReadyTransformer {
    pub(in crate::evaluate) heading: StepHeader,
    pub(in crate::evaluate) transformer: Box<dyn Transformer>,
    pub(in crate::evaluate) warnings: Vec<Diagnostic>,
    /// The origin to record for new resources; `None` for a transformer of a built-in field.
    pub(in crate::evaluate) origin: Option<ResourceOrigin>,
}

/// The entry whose configuration is not valid, and the error.
pub(in crate::evaluate) type RefusedEntry = Box<(StepHeader, TransformError)>;

/// The transformers of one field.
pub(in crate::evaluate) type Plan = Result<Vec<ReadyTransformer>, RefusedEntry>;

/// The heading of a step of the transformer that a field configures.
pub(super) fn heading(
    level: &ActiveLayer<'_>,
    field: KustomizationField,
    argument: impl Into<Arc<str>>,
    mark: Mark,
) -> StepHeader {
    let name = field.builtin().map_or("", Builtin::kind);
    level.heading(StepKind::Transform, name, argument, mark).with_builtin(field.builtin())
}
