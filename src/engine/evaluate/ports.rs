//! What a build may ask from outside, and stand-ins for those who have nothing to offer.

use std::sync::Arc;
use std::time::Duration;

use crate::load::{Files, NoRemote, Remote};
use crate::plugin::{NoPrograms, Programs};

/// Tells how much time has passed; the engine itself has no clock.
pub trait Clock: Send + Sync {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// A clock that stands still: every step takes no time.
#[derive(Clone, Copy, Debug)]
pub struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Asked between steps: a newer draft supersedes this evaluation, or the user cancelled.
pub trait Cancel: Send + Sync {
    /// True when the work is no longer wanted.
    fn is_cancelled(&self) -> bool;
}

/// Nobody cancels.
#[derive(Clone, Copy, Debug)]
pub struct NoCancel;

impl Cancel for NoCancel {
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Everything that a build may ask from outside.
#[derive(Clone)]
pub struct Ports {
    pub files: Arc<dyn Files>,
    pub remote: Arc<dyn Remote>,
    pub programs: Arc<dyn Programs>,
    pub clock: Arc<dyn Clock>,
    pub cancel: Arc<dyn Cancel>,
}

impl Ports {
    /// Files and nothing else: what is remote or a program fails, time stands still, nobody cancels.
    pub fn of_files(files: impl Files + 'static) -> Self {
        Self {
            files: Arc::new(files),
            remote: Arc::new(NoRemote),
            programs: Arc::new(NoPrograms),
            clock: Arc::new(NoClock),
            cancel: Arc::new(NoCancel),
        }
    }
}
