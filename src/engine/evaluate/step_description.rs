//! The description of a step before it runs.

use std::sync::Arc;

use crate::manifest::Builtin;
use crate::resource::Gvk;
use crate::yaml::Mark;

use super::{LayerId, StepKind};

#[derive(Clone, Debug)]
pub(super) struct StepHeader {
    pub(super) kind: StepKind,
    pub(super) name: Arc<str>,
    pub(super) argument: Arc<str>,
    pub(super) layer: LayerId,
    /// Kustomize's own plugin for the step.
    pub(super) builtin: Option<Builtin>,
    pub(super) field: &'static str,
    pub(super) entry: Option<usize>,
    /// The type of the called function.
    pub(super) function: Option<Gvk>,
    /// The location of the configuration; the recorder sets the writer.
    pub(super) mark: Mark,
}

impl StepHeader {
    /// A step that no field, entry, plugin or function configures.
    pub(super) fn new(
        kind: StepKind,
        name: &str,
        argument: impl Into<Arc<str>>,
        layer: LayerId,
        mark: Mark,
    ) -> Self {
        let (name, argument) = (name.into(), argument.into());
        let (builtin, field, entry, function) = (None, "", None, None);
        Self { kind, name, argument, layer, builtin, field, entry, function, mark }
    }

    /// Sets the field and entry that configure the step.
    pub(super) fn with_entry(mut self, field: impl Into<&'static str>, entry: usize) -> Self {
        self.field = field.into();
        self.entry = Some(entry);
        self
    }

    /// Sets the field that configures the step.
    pub(super) fn in_field(mut self, field: impl Into<&'static str>) -> Self {
        self.field = field.into();
        self
    }

    /// Sets the type of the called function.
    pub(super) fn with_function(mut self, function: &Gvk) -> Self {
        self.function = Some(function.clone());
        self
    }

    /// Sets the built-in plugin that runs the step.
    pub(super) fn with_builtin(mut self, builtin: impl Into<Option<Builtin>>) -> Self {
        self.builtin = builtin.into();
        self
    }
}
