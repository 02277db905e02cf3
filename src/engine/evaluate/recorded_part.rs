//! The recording of a part of a build, for insertion into a later recording.

use super::step_names::CountedIdText;
use super::{Layer, LayerId, Step};

#[derive(Clone, Debug)]
pub(super) struct RecordedPart {
    pub(super) first_step: usize,
    pub(super) first_layer: usize,
    pub(super) opened: Vec<Layer>,
    pub(super) steps: Vec<Step>,
    /// The texts of the step ids in this part, with the number of earlier uses of each.
    pub(super) names: Vec<CountedIdText>,
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
