//! The reason for the value of a field, and the entries that were meant to write it and did not.

use crate::engine::diagnostic::{Code, Diagnostic};
use crate::engine::evaluate::{Step, StepOutcome};
use crate::engine::resource::{PathStep, Resource, SelectorPart, Slot};
use crate::engine::yaml::Mark;

use super::blame::FieldWriter;
use crate::answers::Recording;
use crate::answers::lint::faults::unwritten_reference_diagnostics;
use crate::answers::recording::field::{WrittenPath, leaves};

#[derive(Clone, Debug, Default)]
pub struct WhyField {
    /// The path of the field in the output, or in the last state of the resource.
    pub path: Vec<PathStep>,
    pub writers: Vec<FieldWriter>,
}

/// An entry that could have written the field and did not, or that matched no resource and has a
/// name similar to that of the resource; or a finding about the field.
#[derive(Clone, Debug)]
pub struct MissedEntry {
    pub step: usize,
    pub code: Code,
    pub mark: Mark,
    pub reason: String,
    pub hint: Option<String>,
    pub is_failure: bool,
}

impl MissedEntry {
    /// True for a finding about the field; false for an entry that did not write it.
    pub fn is_finding(&self) -> bool {
        let unwritten = [Code::KZ101, Code::KZ102, Code::KZ120, Code::KZ126];
        !self.is_failure && !unwritten.contains(&self.code)
    }

    pub(super) fn from_diagnostic(step: usize, diagnostic: &Diagnostic) -> Self {
        Self {
            step,
            code: diagnostic.code(),
            mark: diagnostic.mark,
            reason: diagnostic.message(),
            hint: diagnostic.advice(),
            is_failure: false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct WhyAnswer {
    pub slot: Slot,
    /// The step that removed the resource, and the location of the removal.
    pub removed: Option<(usize, Mark)>,
    /// The requested path; empty for all fields of the resource.
    pub asked: Vec<PathStep>,
    pub fields: Vec<WhyField>,
    pub missed: Vec<MissedEntry>,
}

impl Recording {
    /// The reason for the value of a field of a resource. Without a field, the reasons for all
    /// fields, without missed entries.
    pub fn why(&self, slot: Slot, field: &WrittenPath) -> WhyAnswer {
        let last = self.identity.last_state(slot);
        if !field.is_empty() {
            let writers = self.blame(slot, field);
            // The path at the last writer may have other indices.
            let found = last.and_then(|last| field.find(&last.resource.node));
            let path = found.or_else(|| writers.first().map(|writer| writer.path.clone()));
            let path = path.or_else(|| Some(field.find_or_extend(&last?.resource.node)));
            return self.answer(slot, WhyField { path: path.unwrap_or_default(), writers });
        }
        let leaves = last.map(|last| leaves(&last.resource.node)).unwrap_or_default();
        let fields = leaves.into_iter().map(|(path, ..)| {
            let mut writers = self.blame(slot, &WrittenPath::from_path(&path));
            writers.truncate(1);
            WhyField { path, writers }
        });
        WhyAnswer { fields: fields.collect(), ..self.answer(slot, WhyField::default()) }
    }

    fn answer(&self, slot: Slot, asked: WhyField) -> WhyAnswer {
        let missed = self.missed_entries_for_field(slot, &asked);
        let removed_by = self.identity.last_state(slot).and_then(|last| last.removed_by);
        let removed = removed_by.map(|step| (step, self.removal_mark(slot).unwrap_or_default()));
        let path = asked.path.clone();
        let fields = Some(asked).filter(|field| !field.writers.is_empty()).into_iter().collect();
        WhyAnswer { slot, removed, asked: path, fields, missed }
    }

    fn missed_entries_for_field(&self, slot: Slot, asked: &WhyField) -> Vec<MissedEntry> {
        let mut missed = self.missed_entries(slot);
        if asked.path.is_empty() {
            return missed;
        }
        // Findings about the step that updates references, if it does not know the field as one.
        let left = unwritten_reference_diagnostics(&self.trace, slot, &asked.path);
        missed.extend(left.iter().map(|(step, it)| MissedEntry::from_diagnostic(*step, it)));
        let known = missed.iter().map(|it| (it.step, it.code)).collect::<Vec<_>>();
        let more = self.unwritten(slot, &asked.path, &asked.writers).into_iter();
        missed.extend(more.filter(|it| !known.contains(&(it.step, it.code))));
        missed.sort_by_key(|it| it.step);
        missed
    }

    /// The reason for the value of a field that a resource has after step `at`, including later
    /// writers. After the last step, the answer is the same as that of [`Recording::why`].
    pub fn why_after_step(&self, slot: Slot, path: &[PathStep], at: usize) -> WhyAnswer {
        let mut writers = self.history(slot, path, at);
        writers.reverse();
        let path = self.last_path(slot, path, at).unwrap_or_else(|| path.to_vec());
        self.answer(slot, WhyField { path, writers })
    }

    /// Entries that match no resource and have a name similar to the name of this resource.
    pub fn missed_entries(&self, slot: Slot) -> Vec<MissedEntry> {
        let Some(last) = self.identity.last_state(slot) else { return Vec::new() };
        let mut missed = Vec::new();
        for (index, step) in self.trace.steps.iter().enumerate() {
            for warning in &step.warnings {
                let Some(why) = warning.remark.narrowing() else { continue };
                let nearest = why
                    .nearest
                    .as_deref()
                    .is_some_and(|near| has_or_had_name(&last.resource, near));
                let mut named = why.hint.iter().flat_map(|hint| &hint.names);
                let hinted = named.any(|name| has_or_had_name(&last.resource, name));
                let by_name = matches!(why.excluding_part(), Some(SelectorPart::Name(_)));
                if by_name && (nearest || hinted) {
                    missed.push(MissedEntry::from_diagnostic(index, warning));
                }
            }
            missed.extend(entry_missed_by_failure(index, step, &last.resource));
        }
        missed
    }
}

/// The failure of a step that does not find its resource, if the hint of the error names this
/// resource.
fn entry_missed_by_failure(index: usize, step: &Step, resource: &Resource) -> Option<MissedEntry> {
    let StepOutcome::Failed(error) = &step.outcome else { return None };
    let hint = error.hint.as_ref()?;
    hint.names().into_iter().find(|name| has_or_had_name(resource, name))?;
    let (mark, reason) = (error.mark, error.message.clone());
    let (code, hint) = (error.code(), Some(hint.to_string()));
    Some(MissedEntry { step: index, code, mark, reason, hint, is_failure: true })
}

fn has_or_had_name(resource: &Resource, name: &str) -> bool {
    *resource.id.name == *name
        || resource.names.previous().iter().any(|previous| *previous.name == *name)
}
