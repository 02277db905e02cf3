//! Two resources of one id: by which entries each of them comes, and what to do about it. One file that comes by two ways is what
//! Components are for (KEP-1802).

use crate::yaml::Mark;

use super::accumulator::{Accumulator, place};
use super::build::Build;
use super::level::Level;
use super::{LayerId, StepKind};

/// A resource on its way in.
#[derive(Clone, Copy)]
pub(super) struct Newcomer {
    /// Where it stands.
    pub(super) mark: Mark,
    /// The layer that takes it in.
    pub(super) layer: LayerId,
    /// The entry that it comes by, when its step has not ended.
    pub(super) entry: Option<Mark>,
}

impl Newcomer {
    /// A resource that a layer takes in by an entry.
    pub(super) fn of(mark: Mark, level: &Level<'_>, entry: Option<Mark>) -> Self {
        Self { mark, layer: level.id, entry }
    }
}

impl Build<'_> {
    /// Where the resource comes from that has the id already, by which entries both come, and what to do.
    pub(super) fn about_twins(
        &self,
        existing: crate::resource::Slot,
        new: Newcomer,
        acc: &Accumulator,
    ) -> Option<String> {
        let old = place(acc.resources.get(existing)?);
        let place =
            |mark: Mark| Some(format!("{}:{}", self.memory.sources.path(mark.source)?, mark.line));
        let (file, here) =
            (place(old)?, (new.mark.source, new.mark.line) == (old.source, old.line));
        let known = Newcomer { mark: old, entry: None, ..new };
        let ways = self.way_of(known).zip(self.way_of(new)).filter(|(one, other)| one != other);
        let Some((first, second)) = ways else {
            return Some(format!("the same id comes from {file}; rename or remove one"));
        };
        Some(if here {
            format!(
                "{file} comes in twice: by {first}, and by {second}; list it once, or make each overlay on it a Component \
                 (`kind: Component`, listed under `components:`)"
            )
        } else {
            format!(
                "the same id comes from {file}, by {first}; this one comes by {second}: rename or remove one"
            )
        })
    }

    /// The entries that lead to a resource, from the root's on: `prod/kustomization.yaml:3 (../base) → …`.
    fn way_of(&self, new: Newcomer) -> Option<String> {
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
            let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
            way.push(format!("{path}:{}{name}", mark.line));
        };
        tell(entry, argument);
        let mut next = self.recorder.layers.get(layer.0);
        while let Some(layer) = next {
            let Some(parent) = layer.parent else { break };
            tell(layer.mark, &layer.name);
            next = self.recorder.layers.get(parent.0);
        }
        way.reverse();
        (!way.is_empty()).then(|| way.join(" → "))
    }
}
