//! Planning: from the fields of a layer to its transformers and generators, before any of them
//! runs.

mod builtins;
mod fields;
mod names;
mod patches;

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::evaluate::StepKind;
use crate::evaluate::level::ActiveLayer;
use crate::evaluate::step::Step;
use crate::load::SourceNumbers;
use crate::manifest::{Builtin, KustomizationField};
use crate::resource::ResourceOrigin;
use crate::transform::{TransformError, Transformer};
use crate::yaml::Mark;

pub(super) use builtins::builtin_generator;
pub use names::entry_name;

/// Plans the steps of one layer. It reads the files named by the layer's entries, and cannot run a
/// step, record one, or change a resource.
pub(super) struct Planner<'a> {
    pub(super) level: &'a ActiveLayer<'a>,
    pub(super) sources: &'a mut SourceNumbers,
}

pub(super) struct ReadyTransformer {
    pub(super) heading: Step,
    pub(super) transformer: Box<dyn Transformer>,
    pub(super) warnings: Vec<Diagnostic>,
    /// The origin to record for new resources; `None` for a transformer of a built-in field.
    pub(super) origin: Option<ResourceOrigin>,
}

impl ReadyTransformer {
    fn new(heading: Step, transformer: Box<dyn Transformer>) -> Self {
        Self { heading, transformer, warnings: Vec::new(), origin: None }
    }
}

pub(super) type RefusedEntry = Box<(Step, TransformError)>;

pub(super) type Plan = Result<Vec<ReadyTransformer>, RefusedEntry>;

fn heading(
    level: &ActiveLayer<'_>,
    field: KustomizationField,
    argument: impl Into<Arc<str>>,
    mark: Mark,
) -> Step {
    let name = field.builtin().map_or("", Builtin::kind);
    level.heading(StepKind::Transform, name, argument, mark).with_builtin(field.builtin())
}
