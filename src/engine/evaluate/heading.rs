//! The description of a step before it runs.

use std::sync::Arc;

use crate::manifest::Builtin;
use crate::resource::Gvk;
use crate::yaml::Mark;

use super::{LayerId, StepKind};

/// The description of a step before it runs.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    pub(super) kind: StepKind,
    pub(super) name: Arc<str>,
    pub(super) argument: Arc<str>,
    pub(super) layer: LayerId,
    /// Kustomize's own plugin that does it.
    pub(super) builtin: Option<Builtin>,
    pub(super) field: &'static str,
    pub(super) entry: Option<usize>,
    /// The type of the function that it calls.
    pub(super) function: Option<Gvk>,
    /// The line that configures it; the writer is filled in by the recorder.
    pub(super) mark: Mark,
}

impl Heading {
    /// The entry of a field that configures the step.
    pub(super) fn of(mut self, field: impl Into<&'static str>, entry: usize) -> Self {
        self.field = field.into();
        self.entry = Some(entry);
        self
    }

    /// The field that configures the step.
    pub(super) fn in_field(mut self, field: impl Into<&'static str>) -> Self {
        self.field = field.into();
        self
    }

    /// The type of the function that it calls.
    pub(super) fn calling(mut self, function: &Gvk) -> Self {
        self.function = Some(function.clone());
        self
    }

    /// Kustomize's own plugin that does it.
    pub(super) fn by(mut self, builtin: impl Into<Option<Builtin>>) -> Self {
        self.builtin = builtin.into();
        self
    }
}
