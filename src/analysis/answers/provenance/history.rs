//! The history of a field, from the first step that wrote it to the last.

use crate::engine::resource::{PathStep, Slot};
use crate::engine::yaml::Node;

use super::blame::FieldWriter;
use crate::answers::Recording;
use crate::answers::recording::field::{WrittenPath, path_in_other_state, value_at};

impl Recording {
    /// Every step that wrote a field of a resource in its state after step `at`, the first one
    /// first; a removed field includes the step that removed it. A list element is followed even if
    /// its index changes; steps that wrote an equal value are included.
    pub fn history(&self, slot: Slot, path: &[PathStep], at: usize) -> Vec<FieldWriter> {
        let Some(here) = self.state_after(slot, at) else { return Vec::new() };
        let field = match self.last_path(slot, path, at) {
            Some(path) => WrittenPath::from_path(&path),
            None => WrittenPath::named(here, path),
        };
        let mut writers = self.blame(slot, &field);
        writers.reverse();
        writers
    }

    /// Every step that wrote a field of a resource, each with the value before it, the first one
    /// first. These are the steps of `kzui why`.
    pub fn writes(&self, slot: Slot, field: &WrittenPath) -> Vec<(Option<Node>, FieldWriter)> {
        let mut writers = self.blame(slot, field);
        writers.reverse();
        let values = writers.iter().map(|writer| writer.value.clone());
        let before: Vec<Option<Node>> = std::iter::once(None).chain(values).collect();
        before.into_iter().zip(writers).collect()
    }

    /// The path in the last state of the resource of the field that is at `path` after step `at`;
    /// `None` if a later step removed it. The indices of list elements may differ.
    pub(super) fn last_path(
        &self,
        slot: Slot,
        path: &[PathStep],
        at: usize,
    ) -> Option<Vec<PathStep>> {
        let last = &self.identity.last_state(slot)?.resource.node;
        let path = path_in_other_state(self.state_after(slot, at)?, last, path)?;
        value_at(last, &path).map(|_| path)
    }

    fn state_after(&self, slot: Slot, at: usize) -> Option<&Node> {
        let (index, change) = self.index.touched.get(&slot)?.iter().rev().find(|it| it.0 <= at)?;
        let change = self.step(*index)?.changes.get(*change)?;
        Some(&change.after.as_ref()?.node)
    }
}
