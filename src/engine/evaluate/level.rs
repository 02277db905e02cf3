//! The current kustomization, and the headings of its steps.

use std::sync::Arc;

use crate::load::Root;
use crate::manifest::{Builtin, Kustomization};
use crate::yaml::Mark;

use super::heading::Heading;
use super::target::Target;
use super::{LayerId, StepKind};

/// One kustomization at work.
pub(super) struct Level<'k> {
    pub(super) root: &'k Root,
    pub(super) target: &'k Target,
    pub(super) id: LayerId,
}

impl Level<'_> {
    pub(super) fn kustomization(&self) -> &Kustomization {
        &self.target.kustomization
    }

    /// The heading of a step of this layer.
    pub(super) fn heading(
        &self,
        kind: StepKind,
        name: &str,
        argument: impl Into<Arc<str>>,
        mark: Mark,
    ) -> Heading {
        Heading {
            kind,
            name: name.into(),
            argument: argument.into(),
            layer: self.id,
            builtin: None,
            function: None,
            field: "",
            entry: None,
            mark,
        }
    }

    /// The heading of a step of one of Kustomize's own plugins.
    pub(super) fn builtin_heading(
        &self,
        kind: StepKind,
        builtin: Builtin,
        argument: impl Into<Arc<str>>,
        mark: Mark,
    ) -> Heading {
        self.heading(kind, builtin.kind(), argument, mark).by(builtin)
    }
}
