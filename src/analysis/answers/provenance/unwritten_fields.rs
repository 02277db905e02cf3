//! The entries that could have written a field and did not.

use std::collections::BTreeSet;

use crate::answers::Recording;
use crate::answers::recording::field::path_text;
use crate::engine::diagnostic::{Code, Diagnostic, EntryRemark, UnwrittenCause};
use crate::engine::evaluate::{LayerId, Step, StepKind, StepOutcome};
use crate::engine::resource::{PathStep, Slot};
use crate::engine::transform::UnwrittenField;
use crate::engine::yaml::Mark;

use super::blame::FieldWriter;
use super::why::MissedEntry;

impl Recording {
    /// Every entry that could have written a field of a resource and did not, and every finding
    /// about the field, in the order of the steps.
    pub(super) fn unwritten(
        &self,
        slot: Slot,
        path: &[PathStep],
        writers: &[FieldWriter],
    ) -> Vec<MissedEntry> {
        let Some(last) = self.identity.last_state(slot) else { return Vec::new() };
        let states = self.trace.states_of(slot);
        let joined: BTreeSet<LayerId> =
            states.iter().filter(|(_, state)| state.is_some()).map(|(layer, _)| *layer).collect();
        let wrote = |index: usize| writers.iter().any(|writer| writer.step == index);
        let mut found = Vec::new();
        for (index, (step, (layer, state))) in self.trace.steps.iter().zip(&states).enumerate() {
            let about = step.warnings.iter().filter(|it| is_about_field(it, slot, path));
            found.extend(about.map(|it| MissedEntry::from_diagnostic(index, it)));
            let is_in_reach = state.is_some() || joined.contains(layer) || step.matched == 0;
            let was_evaluated = matches!(
                step.outcome,
                StepOutcome::Applied | StepOutcome::NoChange | StepOutcome::MatchedNothing
            );
            if wrote(index) || !is_in_reach || !was_evaluated {
                continue;
            }
            let resource = state.as_deref();
            let asked =
                UnwrittenField { resource, last: &last.resource, path, matched: step.matched };
            let cause = step.transformer.as_ref().and_then(|it| it.why_unwritten(&asked));
            let Some(cause) = cause else { continue };
            let known = step
                .warnings
                .iter()
                .find(|warning| matches!(warning.code(), Code::KZ101 | Code::KZ102 | Code::KZ120));
            let hint = cause.hint();
            let mark = match cause {
                UnwrittenCause::HashDisabled => self.last_generator(slot).unwrap_or(step.mark),
                _ => step.mark,
            };
            let diagnostic = Diagnostic::new(EntryRemark::NotWritten(cause), mark);
            let diagnostic = Diagnostic { hint, ..diagnostic };
            found.push(MissedEntry::from_diagnostic(index, known.unwrap_or(&diagnostic)));
        }
        found
    }

    fn last_generator(&self, slot: Slot) -> Option<Mark> {
        let generates = |step: &&Step| {
            matches!(step.kind, StepKind::Generate | StepKind::Merge)
                && step.mark.line > 0
                && step.changes.iter().any(|change| change.slot == slot)
        };
        self.trace.steps.iter().rev().find(generates).map(|step| step.mark)
    }
}

/// True for a finding about a field of the resource, or about a field that contains it. The path in
/// a finding has no indices.
fn is_about_field(diagnostic: &Diagnostic, slot: Slot, path: &[PathStep]) -> bool {
    let is_it = diagnostic.subject.as_ref().is_some_and(|subject| subject.slot == Some(slot));
    let keys: Vec<PathStep> = path.iter().filter(|step| step.key().is_some()).cloned().collect();
    let plain = |field: &str| {
        let indices = field.split('[').enumerate();
        let parts = indices.map(|(number, part)| match part.split_once(']') {
            Some((_, rest)) if number > 0 => rest,
            _ => part,
        });
        parts.collect::<String>()
    };
    let is_above = |field: &str, path: &str| {
        path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let field = diagnostic.field.as_deref().unwrap_or_default();
    let is_at = is_above(field, &path_text(path)) || is_above(&plain(field), &path_text(&keys));
    is_it && !field.is_empty() && is_at
}
