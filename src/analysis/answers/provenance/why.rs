//! The reason for the value of a field, and the entries that were meant to write it and did not.

use crate::engine::diagnostic::Code;
use crate::engine::evaluate::{Step, StepOutcome};
use crate::engine::resource::{PathStep, Resource, SelectorPart, SelectorSuggestion, Slot};
use crate::engine::yaml::Mark;

use super::blame::{Blame, FieldWriter};
use crate::answers::Recording;
use crate::answers::lint::faults::unwritten_reference;
use crate::answers::recording::field::{WrittenPath, leaves};

/// A field and its writers.
#[derive(Clone, Debug)]
pub struct WhyField {
    /// The path of the field in the output, or in the last state of the resource.
    pub path: Vec<PathStep>,
    pub writers: Vec<FieldWriter>,
}

/// An entry that has a name similar to that of the resource, and missed it.
#[derive(Clone, Debug)]
pub struct MissedEntry {
    pub step: usize,
    pub code: Code,
    pub mark: Mark,
    pub reason: String,
    pub hint: Option<String>,
}

#[derive(Clone, Debug)]
pub struct WhyAnswer {
    pub slot: Slot,
    /// The step that removed the resource, and the location of the removal.
    pub removed: Option<(usize, Mark)>,
    pub fields: Vec<WhyField>,
    pub missed: Vec<MissedEntry>,
}

impl Recording {
    /// The reason for the value of a field of a resource; without a field, that of every field,
    /// without missed entries.
    pub fn why(&self, slot: Slot, field: &WrittenPath) -> WhyAnswer {
        let last = self.identity.last_of(slot);
        let fields = if field.is_empty() {
            last.map(|last| self.all_fields(slot, &last.resource)).unwrap_or_default()
        } else {
            let writers = self.blame(slot, field);
            let path = writers.first().map(|writer| writer.path.clone()).unwrap_or_default();
            if writers.is_empty() { Vec::new() } else { vec![WhyField { path, writers }] }
        };
        let mut missed = self.missed(slot);
        if let ([one], false) = (&*fields, field.is_empty()) {
            missed.extend(self.unwritten_reference(slot, &one.path));
        }
        WhyAnswer { slot, removed: self.removed(slot), fields, missed }
    }

    /// The step that rewrites names, if it does not know the field as a reference.
    fn unwritten_reference(
        &self,
        slot: Slot,
        path: &[PathStep],
    ) -> impl Iterator<Item = MissedEntry> {
        unwritten_reference(&self.trace, slot, path).into_iter().map(|(step, diagnostic)| {
            MissedEntry {
                step,
                code: diagnostic.code(),
                mark: diagnostic.mark,
                reason: diagnostic.message(),
                hint: diagnostic.advice(),
            }
        })
    }

    /// The step that removed a resource, and the location of the removal.
    fn removed(&self, slot: Slot) -> Option<(usize, Mark)> {
        let step = self.identity.last_of(slot)?.removed_by?;
        Some((step, self.removal(slot).unwrap_or_default()))
    }

    /// The reason for the value of a field that a resource has after step `at`, including later
    /// writers. At the end the same as [`Recording::why`].
    pub fn why_at(&self, slot: Slot, path: &[PathStep], at: usize) -> WhyAnswer {
        let mut writers = self.history(slot, path, at);
        writers.reverse();
        let path = writers.first().map(|writer| writer.path.clone());
        let mut missed = self.missed(slot);
        missed.extend(path.iter().flat_map(|path| self.unwritten_reference(slot, path)));
        let fields = path.map(|path| WhyField { path, writers }).into_iter().collect();
        WhyAnswer { slot, removed: self.removed(slot), fields, missed }
    }

    fn all_fields(&self, slot: Slot, resource: &Resource) -> Vec<WhyField> {
        let blame = Blame::new(self);
        let of = |path: Vec<PathStep>| {
            let mut writers = blame.blame(slot, &WrittenPath::from_path(&path));
            writers.truncate(1);
            WhyField { path, writers }
        };
        leaves(&resource.node).into_iter().map(|(path, ..)| of(path)).collect()
    }

    /// Entries that match no resource and have a name similar to this one.
    pub fn missed(&self, slot: Slot) -> Vec<MissedEntry> {
        let Some(last) = self.identity.last_of(slot) else { return Vec::new() };
        let mut missed = Vec::new();
        for (index, step) in self.trace.steps.iter().enumerate() {
            for warning in &step.warnings {
                let Some(why) = warning.remark.narrowing() else { continue };
                let nearest =
                    why.nearest.as_deref().is_some_and(|near| is_called(&last.resource, near));
                let mut named = why.hint.iter().flat_map(SelectorSuggestion::names);
                let hinted = named.any(|name| is_called(&last.resource, name));
                let by_name = matches!(why.left.last(), Some((SelectorPart::Name(_), _)));
                if by_name && (nearest || hinted) {
                    missed.push(MissedEntry {
                        step: index,
                        code: warning.code(),
                        mark: warning.mark,
                        reason: warning.message(),
                        hint: warning.advice(),
                    });
                }
            }
            missed.extend(failed(index, step, &last.resource));
        }
        missed
    }
}

/// A step that fails because it does not find its resource.
fn failed(index: usize, step: &Step, resource: &Resource) -> Option<MissedEntry> {
    let StepOutcome::Failed(error) = &step.outcome else { return None };
    let hint = error.hint.as_ref()?;
    hint.names().into_iter().find(|name| is_called(resource, name))?;
    let (mark, reason) = (error.mark, error.message.clone());
    Some(MissedEntry { step: index, code: Code::KZ000, mark, reason, hint: Some(hint.to_string()) })
}

fn is_called(resource: &Resource, name: &str) -> bool {
    *resource.id.name == *name
        || resource.names.previous().iter().any(|previous| *previous.name == *name)
}
