//! `components:` of one kustomization (section 2.1, step 4): they work on the accumulator of the
//! listing layer.

use std::sync::Arc;

use crate::diagnostic::TextPurpose;
use crate::manifest::{KustomizationField, Marked, TransformerConfig};
use crate::resource::ResMapError;
use crate::transform::TransformError;

use super::accumulator::Accumulator;
use super::build::Build;
use super::duplicate_ids::ConflictingResource;
use super::level::ActiveLayer;
use super::part::StateId;
use super::recorder::{BuildAbort, StepStats};
use super::reuse::PartResult;
use super::{LayerKind, StepKind};

impl Build<'_> {
    /// Runs every entry of `components:` in order, on the same accumulator. `state` is the id of
    /// the accumulator's cached state, if it has one.
    pub(super) fn run_components(
        &mut self,
        level: &ActiveLayer<'_>,
        mut state: Option<StateId>,
        acc: &mut Accumulator,
    ) -> Result<(), BuildAbort> {
        let off = level.target.switched_off("components");
        let mut off = off.into_iter().peekable();
        let mut left = PartResult::Own(Box::new(std::mem::take(acc)));
        for (index, entry) in level.kustomization().components.iter().enumerate() {
            while let Some((_, entry)) = off.next_if(|(before, _)| *before <= index) {
                self.switched_off(
                    level,
                    "components",
                    StepKind::EnterComponent,
                    "component",
                    entry,
                );
            }
            (left, state) = self.component_or_reuse(level, index, entry, state, left)?;
        }
        *acc = left.into_accumulator();
        for (_, entry) in off {
            self.switched_off(level, "components", StepKind::EnterComponent, "component", entry);
        }
        self.record_switched_off_additions(
            level,
            "components",
            StepKind::EnterComponent,
            "component",
        );
        Ok(())
    }

    pub(super) fn run_component(
        &mut self,
        level: &ActiveLayer<'_>,
        index: usize,
        entry: &Marked<String>,
        acc: &mut Accumulator,
    ) -> Result<(), BuildAbort> {
        let heading = level
            .heading(StepKind::EnterComponent, "component", entry.value.as_str(), entry.mark)
            .with_entry(KustomizationField::Components, index);
        let begun = self.begin(heading)?;
        let mark = begun.heading.mark;
        self.warn_of_forced_git(&entry.value);
        let root = match level.root.open(&entry.value) {
            Ok(root) => root,
            Err(source) => {
                let error = TransformError::Load { reading: TextPurpose::Components, mark, source };
                return self.fail_entry(begun, error);
            }
        };
        let opened = self.open_layer(level, &root, LayerKind::Component, &entry.value, mark);
        let (id, target) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.fail_entry(begun, error),
        };
        let account = StepStats { matched: acc.resources.len(), ..StepStats::default() };
        self.recorder.record(begun, Vec::new(), account, Ok(()))?;
        self.accumulate(&ActiveLayer { root: &root, target: &target, id }, acc)?;
        self.recorder.leave(id);
        if let Err(error) = self.merge_into_empty(level, entry, acc) {
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
        &self,
        level: &ActiveLayer<'_>,
        entry: &Marked<String>,
        acc: &mut Accumulator,
    ) -> Result<(), TransformError> {
        let twins = acc.resources.first_duplicate_ids();
        if let Some((existing, twin)) = twins
            && let Some(twin) = acc.resources.get(twin)
        {
            let error = ResMapError::Duplicate { id: twin.id.clone(), existing };
            let new =
                ConflictingResource::new(super::accumulator::place(twin), level, Some(entry.mark));
            return Err(self.recorder.duplicate_id_error(&error, new, acc, &self.memory.sources));
        }
        let nothing = Arc::new(TransformerConfig::default());
        acc.config = super::generators::merge_configs(
            &nothing,
            &acc.config,
            entry.mark,
            self.setup.profile(),
        )?;
        Ok(())
    }
}
