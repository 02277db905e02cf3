//! The recording of a part of a build, for insertion into a later recording; and the ids of steps: a
//! text, and a number for repeated texts.

use std::sync::Arc;

use crate::resource::QuickMap;

use super::{Layer, LayerId, Step, StepId};

#[derive(Clone, Debug)]
pub(super) struct RecordedPart {
    pub(super) first_step: usize,
    pub(super) first_layer: usize,
    pub(super) opened: Vec<Layer>,
    pub(super) steps: Vec<Step>,
    /// The texts of the step ids in this part.
    pub(super) names: Vec<NumberedIdText>,
    pub(super) bytes: usize,
}

/// The position in a recording at one moment: the numbers of its items so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordingPosition {
    pub(super) steps: usize,
    pub(super) layers: usize,
    pub(super) names: usize,
    pub(super) bytes: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LayerMapping {
    pub(super) first_then: usize,
    pub(super) first_now: usize,
    pub(super) own: LayerId,
}

impl LayerMapping {
    pub(super) fn layer(self, old: LayerId) -> LayerId {
        match old.0.checked_sub(self.first_then) {
            Some(opened) => LayerId(self.first_now + opened),
            None => self.own,
        }
    }
}

/// A text of step ids, with the number of its uses so far.
pub(super) type NumberedIdText = (Arc<str>, usize);

#[derive(Debug, Default)]
pub(super) struct StepNames {
    seen: QuickMap<Arc<str>, usize>,
    /// The texts in order of use.
    named: Vec<NumberedIdText>,
}

impl StepNames {
    /// The id for a text: with a number if the text was used before.
    pub(super) fn name(&mut self, text: String) -> StepId {
        let text: Arc<str> = text.into();
        let times = self.seen.get(&text).copied().unwrap_or_default() + 1;
        self.add(&[(text.clone(), times)]);
        StepId(if times == 1 { text } else { format!("{text}~{times}").into() })
    }

    pub(super) fn count(&self) -> usize {
        self.named.len()
    }

    /// The texts used since [`Self::count`] returned `mark`.
    pub(super) fn since(&self, mark: usize) -> &[NumberedIdText] {
        self.named.get(mark..).unwrap_or_default()
    }

    /// True if steps with these texts would get the same ids now as when they were recorded.
    pub(super) fn would_assign_same_ids(&self, names: &[NumberedIdText]) -> bool {
        let mut later: QuickMap<&Arc<str>, usize> = QuickMap::default();
        names.iter().all(|(text, times)| {
            let seen = || self.seen.get(text).copied().unwrap_or_default();
            let now = later.entry(text).or_insert_with(seen);
            *now += 1;
            now == times
        })
    }

    /// Counts the texts of steps that were inserted from a cached part.
    pub(super) fn add(&mut self, names: &[NumberedIdText]) {
        self.seen.extend(names.iter().cloned());
        self.named.extend_from_slice(names);
    }
}
