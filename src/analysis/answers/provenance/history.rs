//! The history of a field, from the first step that wrote it to the last.

use crate::engine::evaluate::StepKind;
use crate::engine::resource::{PathStep, Slot};

use super::blame::{FieldWriter, deletion_mark};
use crate::answers::Recording;
use crate::answers::recording::field::{WrittenPath, path_in_other_state, value_at};

/// The last state of a field: in the output, or before its removal, with the step that removed it
/// and the path there.
type FinalFieldState = (WrittenPath, Option<(usize, Vec<PathStep>)>);

impl Recording {
    /// Every step that wrote a field of a resource in its state after step `at`, the first one
    /// first, up to the end of the recording or to the step that removed the field. A list element
    /// is followed even if its index changes; steps that wrote an equal value are included.
    pub fn history(&self, slot: Slot, path: &[PathStep], at: usize) -> Vec<FieldWriter> {
        let Some((field, removed)) = self.final_field_state(slot, path, at) else {
            return Vec::new();
        };
        let until = removed.as_ref().map_or(self.len(), |(step, _)| *step);
        let mut writers = self.writers(slot, &field, until);
        writers.reverse();
        writers.extend(removed.and_then(|(step, path)| self.removal_writer(step, slot, path)));
        writers
    }

    /// The last path of the field that is at `path` after step `at`. It may differ, because list
    /// elements may have other indices in the last state.
    pub(super) fn last_path(
        &self,
        slot: Slot,
        path: &[PathStep],
        at: usize,
    ) -> Option<Vec<PathStep>> {
        match self.final_field_state(slot, path, at)? {
            (field, None) => field.find(&self.identity.last_state(slot)?.resource.node),
            (_, Some((_, path))) => Some(path),
        }
    }

    /// Follows a field from step `at` to the end of the recording or to its removal.
    fn final_field_state(
        &self,
        slot: Slot,
        path: &[PathStep],
        at: usize,
    ) -> Option<FinalFieldState> {
        let mut path = path.to_vec();
        let mut field = None;
        for (index, step) in self.trace.steps.iter().enumerate() {
            if step.kind == StepKind::Merge {
                continue;
            }
            let Some(change) = step.changes.iter().find(|change| change.slot == slot) else {
                continue;
            };
            if index <= at {
                let after = change.after.as_deref();
                field = after.map(|after| WrittenPath::named(&after.node, &path));
                continue;
            }
            let Some(before) = change.before.as_deref() else { continue };
            let field = field.insert(WrittenPath::named(&before.node, &path));
            let after = change.after.as_deref();
            let there = after.and_then(|after| {
                let path = path_in_other_state(&before.node, &after.node, &path)?;
                value_at(&after.node, &path).map(|_| path)
            });
            let Some((next, after)) = there.zip(after) else {
                return Some((field.clone(), Some((index, path))));
            };
            path = next;
            *field = WrittenPath::named(&after.node, &path);
        }
        field.map(|field| (field, None))
    }

    fn removal_writer(&self, index: usize, slot: Slot, path: Vec<PathStep>) -> Option<FieldWriter> {
        let step = self.step(index)?;
        let change = step.changes.iter().find(|change| change.slot == slot)?;
        let before = &change.before.as_deref()?.node;
        let mark = deletion_mark(step, slot, before, &path);
        Some(FieldWriter { step: index, path, mark, ..FieldWriter::default() })
    }
}
