//! The recording of a part of a build, for insertion into a later recording.

use super::step_names::Named;
use super::{Layer, LayerId, Step};

/// The layers and steps of a part.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) first_step: usize,
    /// The number of the first layer that it opened.
    pub(super) first_layer: usize,
    pub(super) opened: Vec<Layer>,
    pub(super) steps: Vec<Step>,
    /// The texts of its steps' ids, with how often each had been used before.
    pub(super) names: Vec<Named>,
    /// The approximate size of its changes, in bytes.
    pub(super) bytes: usize,
}

/// How much was recorded so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recordings {
    pub(super) steps: usize,
    pub(super) layers: usize,
    pub(super) names: usize,
    pub(super) bytes: usize,
}

/// Where the layers of a part are this time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub(super) first_then: usize,
    pub(super) first_now: usize,
    /// The layer that it is a part of.
    pub(super) own: LayerId,
}

impl Moved {
    /// The layer that was this one.
    pub(super) fn layer(self, old: LayerId) -> LayerId {
        match old.0.checked_sub(self.first_then) {
            Some(opened) => LayerId(self.first_now + opened),
            None => self.own,
        }
    }
}
