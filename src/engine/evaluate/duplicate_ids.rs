//! The error of two resources with one id: the entries that add each of them, and how to fix it. If
//! both entries lead to the same file, a Component can add the file only once (KEP-1802).

use crate::diagnostic::{DuplicateOrigin, EntryLocation};
use crate::resource::{ResMapError, Scope, Slot};
use crate::transform::{TransformError, is_never_renamed};
use crate::yaml::Mark;

use super::accumulator::place;
use super::build::Build;
use super::level::ActiveLayer;
use super::{LayerId, StepKind};

#[derive(Clone, Copy)]
pub(super) struct ConflictingResource {
    pub(super) mark: Mark,
    pub(super) layer: LayerId,
    /// The entry that adds the resource, while the step of the entry is running.
    pub(super) entry: Option<Mark>,
}

impl ConflictingResource {
    pub(super) fn new(mark: Mark, level: &ActiveLayer<'_>, entry: Option<Mark>) -> Self {
        Self { mark, layer: level.id, entry }
    }
}

impl Build<'_> {
    pub(super) fn duplicate_id_error(
        &self,
        error: &ResMapError,
        new: ConflictingResource,
    ) -> TransformError {
        let ResMapError::Duplicate { existing, .. } = error;
        let hint = self.explain_duplicate(*existing, new);
        TransformError::fault(error.clone(), new.mark).with_hint_if(hint)
    }

    /// The location of the resource with the id, the entries that add both, and how to fix it.
    fn explain_duplicate(
        &self,
        existing: Slot,
        new: ConflictingResource,
    ) -> Option<DuplicateOrigin> {
        let existing = self.acc.resources.get(existing)?;
        let old = place(existing);
        let sources = &self.memory.sources;
        let place = |mark: Mark| Some(format!("{}:{}", sources.path(mark.source)?, mark.line));
        let (file, here) =
            (place(old)?, (new.mark.source, new.mark.line) == (old.source, old.line));
        let known = ConflictingResource { mark: old, entry: None, ..new };
        let ways =
            self.entry_chain(known).zip(self.entry_chain(new)).filter(|(one, other)| one != other);
        let Some(ways) = ways else {
            return Some(DuplicateOrigin::At(file));
        };
        let ways = Box::new(ways);
        Some(if here {
            let renamed_by: &[&str] = match existing.id.scope {
                _ if is_never_renamed(&existing.id.gvk) => &[],
                Scope::Cluster => &["namePrefix", "nameSuffix"],
                Scope::Namespaced => &["namePrefix", "nameSuffix", "namespace"],
            };
            DuplicateOrigin::Same { place: file, renamed_by, ways }
        } else {
            DuplicateOrigin::Other { place: file, ways }
        })
    }

    fn entry_chain(&self, new: ConflictingResource) -> Option<Vec<EntryLocation>> {
        let wrote = |step: &&super::Step| step.writer == new.mark.writer;
        let step = self.recorder.steps.iter().rev().find(wrote);
        let brings = step.filter(|step| matches!(step.kind, StepKind::Load | StepKind::Generate));
        let (layer, entry, argument) = match (brings, new.entry) {
            (Some(step), _) => (step.layer, step.mark, &*step.argument),
            (None, Some(entry)) => (new.layer, entry, ""),
            (None, None) => return None,
        };
        let mut way = Vec::new();
        let mut tell = |mark: Mark, name: &str| {
            let Some(path) = self.memory.sources.path(mark.source) else { return };
            way.push(EntryLocation {
                file: path.to_owned(),
                line: mark.line,
                name: name.to_owned(),
            });
        };
        tell(entry, argument);
        let mut next = self.recorder.layer(layer);
        while let Some(layer) = next {
            let Some(parent) = layer.parent else { break };
            tell(layer.mark, &layer.name);
            next = self.recorder.layer(parent);
        }
        way.reverse();
        (!way.is_empty()).then_some(way)
    }
}
