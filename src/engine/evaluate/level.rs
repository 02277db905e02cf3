//! The current kustomization, and the headings of its steps.

use std::sync::Arc;

use crate::load::Root;
use crate::manifest::Kustomization;
use crate::yaml::Mark;

use super::step::Step;
use super::target::LoadedTarget;
use super::{LayerId, StepKind};

pub(super) struct ActiveLayer<'k> {
    pub(super) root: &'k Root,
    pub(super) target: &'k LoadedTarget,
    pub(super) id: LayerId,
}

impl ActiveLayer<'_> {
    pub(super) fn kustomization(&self) -> &Kustomization {
        &self.target.kustomization
    }

    pub(super) fn heading(
        &self,
        kind: StepKind,
        name: &str,
        argument: impl Into<Arc<str>>,
        mark: Mark,
    ) -> Step {
        Step::new(kind, name, argument, self.id, mark)
    }
}
