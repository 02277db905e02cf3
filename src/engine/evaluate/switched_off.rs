//! Commented-out entries of a file, recorded as separate steps.

use crate::manifest::OutlineEntry;
use crate::yaml::Mark;

use super::StepKind;
use super::build::Build;
use super::level::ActiveLayer;
use super::plan::entry_name;

impl Build<'_> {
    /// Records a commented-out field.
    pub(super) fn record_switched_off_field(
        &mut self,
        level: &ActiveLayer<'_>,
        field: &'static str,
        name: &str,
        line: u32,
    ) {
        let source = self.memory.sources.intern(&level.target.file);
        let mark = Mark { source, line, column: 1, ..Mark::default() };
        let heading = level.heading(StepKind::Transform, name, "", mark).in_field(field);
        self.recorder.switched_off(heading, self.memory);
    }

    /// Records a commented-out entry.
    pub(super) fn switched_off(
        &mut self,
        level: &ActiveLayer<'_>,
        field: &'static str,
        kind: StepKind,
        name: &str,
        entry: &OutlineEntry,
    ) {
        let source = self.memory.sources.intern(&level.target.file);
        let mark = Mark { source, line: entry.line, column: 1, ..Mark::default() };
        let argument = entry_name(field, &entry.text);
        let heading = level.heading(kind, name, argument, mark).in_field(field);
        self.recorder.switched_off(heading, self.memory);
    }

    /// Records the commented-out additions of the deployment object to a field.
    pub(super) fn record_switched_off_additions(
        &mut self,
        level: &ActiveLayer<'_>,
        field: &'static str,
        kind: StepKind,
        name: &str,
    ) {
        let additions = self.recorder.additions.as_ref().filter(|it| level.id == it.layer);
        let Some(additions) = additions else { return };
        for heading in additions.commented_out_headings(level, field, kind, name) {
            self.recorder.switched_off(heading, self.memory);
        }
    }
}
