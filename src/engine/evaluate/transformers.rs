//! Kustomize's own transformers of one kustomization, in its fixed order (section 2.1, step 5): all
//! are planned before the first one runs.

use std::iter::Peekable;

use crate::manifest::{Builtin, KustomizationField, OutlineEntry};
use crate::yaml::Mark;

use super::StepKind;
use super::build::Build;
use super::configured::PluginUse;
use super::level::ActiveLayer;
use super::plan::{Planner, ReadyTransformer, entry_name};
use super::recorder::BuildAbort;

impl Build<'_> {
    pub(super) fn planner<'s>(&'s mut self, level: &'s ActiveLayer<'s>) -> Planner<'s> {
        Planner { level, sources: &mut self.memory.sources }
    }

    pub(super) fn run_transformers(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let recorded = self.root.tracks_origins();
        let config = self.acc.config.clone();
        let mut fields = Vec::with_capacity(KustomizationField::TRANSFORMERS.len());
        for field in KustomizationField::TRANSFORMERS {
            let Some(builtin) = field.builtin() else { continue };
            match self.planner(level).field(field, &config, recorded) {
                Ok(planned) => fields.push((field, builtin, planned)),
                Err(failed) => {
                    let (heading, error) = *failed;
                    self.handle_config_error(heading, error)?;
                }
            }
        }
        self.carried.continue_slots_after(&self.acc.resources);
        let external = self.plan_plugins(level, PluginUse::Transformer)?;
        for (field, builtin, planned) in fields {
            self.run_field(level, field, builtin, planned)?;
        }
        self.run_plugins(external)?;
        let field = KustomizationField::Transformers;
        self.record_switched_off(level, &[field], StepKind::ExternalTransform);
        Ok(())
    }

    fn run_field(
        &mut self,
        level: &ActiveLayer<'_>,
        field: KustomizationField,
        builtin: Builtin,
        planned: Vec<ReadyTransformer>,
    ) -> Result<(), BuildAbort> {
        let mut off = level.target.switched_off(field.name()).into_iter().peekable();
        // In Kustomize all entries of these fields form one transformer, which is recorded in
        // origins after all entries ran.
        let is_one = matches!(
            field,
            KustomizationField::PatchesStrategicMerge | KustomizationField::Replacements
        );
        let described = (field.name(), StepKind::Transform, builtin.kind());
        let count = planned.len();
        for (position, planned) in planned.into_iter().enumerate() {
            let index = planned.heading.entry.unwrap_or(0);
            self.switched_off(level, described, &mut off, index);
            self.run_transformer(level, planned, position + 1 == count || !is_one)?;
        }
        self.switched_off(level, described, &mut off, usize::MAX);
        if let Some(line) = level.target.switched_off_field(field.name()) {
            let source = self.memory.sources.intern(&level.target.file);
            let mark = Mark { source, line, column: 1, ..Mark::default() };
            let heading = level.heading(StepKind::Transform, builtin.kind(), "", mark);
            self.recorder.switched_off(heading.in_field(field), self.memory);
        }
        self.record_switched_off_additions(level, described);
        Ok(())
    }

    /// Records the commented-out entries that have at most `before` active entries before them.
    pub(super) fn switched_off<'l>(
        &mut self,
        level: &ActiveLayer<'_>,
        (field, kind, name): (&'static str, StepKind, &str),
        entries: &mut Peekable<impl Iterator<Item = (usize, &'l OutlineEntry)>>,
        before: usize,
    ) {
        while let Some((_, entry)) = entries.next_if(|(active, _)| *active <= before) {
            let source = self.memory.sources.intern(&level.target.file);
            let mark = Mark { source, line: entry.line, column: 1, ..Mark::default() };
            let argument = entry_name(field, &entry.text);
            let heading = level.heading(kind, name, argument, mark).in_field(field);
            self.recorder.switched_off(heading, self.memory);
        }
    }

    pub(super) fn record_switched_off_additions(
        &mut self,
        level: &ActiveLayer<'_>,
        (field, kind, name): (&'static str, StepKind, &str),
    ) {
        let additions = self.recorder.additions.as_ref().filter(|it| level.id == it.layer);
        let Some(additions) = additions else { return };
        for heading in additions.commented_out_headings(level, field, kind, name) {
            self.recorder.switched_off(heading, self.memory);
        }
    }
}
