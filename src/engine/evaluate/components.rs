//! `components:` of one kustomization (section 2.1, step 4): they work on the accumulator of the
//! listing layer.

use std::sync::Arc;

use crate::manifest::{KustomizationField, Marked, TransformerConfig};
use crate::resource::ResMapError;
use crate::transform::TransformError;

use super::build::{Build, cannot_load};
use super::duplicate_ids::ConflictingResource;
use super::level::ActiveLayer;
use super::part::StateId;
use super::recorder::BuildAbort;
use super::{LayerKind, StepKind};

impl Build<'_> {
    /// Runs every entry of `components:` in order, on the same accumulator. `state` is the id of
    /// the accumulator's cached state, if it has one.
    pub(super) fn run_components(
        &mut self,
        level: &ActiveLayer<'_>,
        mut state: Option<StateId>,
    ) -> Result<(), BuildAbort> {
        let described = ("components", StepKind::EnterComponent, "component");
        let mut off = level.target.switched_off("components").into_iter().peekable();
        let mut left = Arc::new(std::mem::take(&mut self.acc));
        for (index, entry) in level.kustomization().components.iter().enumerate() {
            self.switched_off(level, described, &mut off, index);
            (left, state) = self.component_or_reuse(level, index, entry, state, left)?;
        }
        self.acc = Arc::unwrap_or_clone(left);
        self.switched_off(level, described, &mut off, usize::MAX);
        self.record_switched_off_additions(level, described);
        Ok(())
    }

    pub(super) fn run_component(
        &mut self,
        level: &ActiveLayer<'_>,
        index: usize,
        entry: &Marked<String>,
    ) -> Result<(), BuildAbort> {
        let heading = level
            .heading(StepKind::EnterComponent, "component", entry.value.as_str(), entry.mark)
            .with_entry(KustomizationField::Components, index);
        let mut begun = self.begin(heading)?;
        let mark = begun.step.mark;
        self.warn_of_forced_git(&entry.value);
        let root = match level.root.open(&entry.value) {
            Ok(root) => root,
            Err(source) => {
                let error = cannot_load("accumulating components", mark, source);
                return self.fail_entry(begun, error);
            }
        };
        let opened = self.open_layer(level, &root, LayerKind::Component, &entry.value, mark);
        let (id, target) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.fail_entry(begun, error),
        };
        begun.step.matched = self.acc.resources.len();
        self.recorder.record(begun, Vec::new(), Ok(()))?;
        self.accumulate(&ActiveLayer { root: &root, target: &target, id })?;
        self.recorder.leave(id);
        if let Err(error) = self.merge_into_empty(level, entry) {
            let heading = level
                .heading(StepKind::Merge, "merge", entry.value.as_str(), entry.mark)
                .with_entry(KustomizationField::Components, index);
            return Err(self.failed_step(heading, error));
        }
        Ok(())
    }

    /// Imitates Kustomize, which merges the result of a component into an empty accumulator: fails
    /// if two resources have the same id, whichever step set it, and lets a special field spec
    /// replace a general one that is sorted after it.
    fn merge_into_empty(
        &mut self,
        level: &ActiveLayer<'_>,
        entry: &Marked<String>,
    ) -> Result<(), TransformError> {
        let twins = self.acc.resources.first_duplicate_ids();
        if let Some((existing, twin)) = twins
            && let Some(twin) = self.acc.resources.get(twin)
        {
            let error = ResMapError::Duplicate { id: twin.id.clone(), existing };
            let new =
                ConflictingResource::new(super::accumulator::place(twin), level, Some(entry.mark));
            return Err(self.duplicate_id_error(&error, new));
        }
        let nothing = Arc::new(TransformerConfig::default());
        self.acc.config = super::generators::merge_configs(
            &nothing,
            &self.acc.config,
            entry.mark,
            self.setup.profile(),
        )?;
        Ok(())
    }
}
