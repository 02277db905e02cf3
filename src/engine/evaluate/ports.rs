//! The interfaces through which a build accesses the outside, and default implementations without
//! effect.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::DeploymentCache;
use crate::load::{Files, NoRemote, Remote};
use crate::plugin::{NoPrograms, Programs};

/// Measures elapsed time; the engine itself has no clock.
pub trait Clock: Send + Sync {
    /// Time since some fixed moment.
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A stopped clock: every step takes no time.
#[derive(Clone, Copy, Debug)]
pub struct NoClock;

impl Clock for NoClock {}

/// Cancels a build between two steps: a newer draft replaces it, or the user cancelled it.
pub trait Cancel: Send + Sync {
    /// True if the result is no longer needed.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// The port of a build that is never cancelled.
#[derive(Clone, Copy, Debug)]
pub struct NoCancel;

impl Cancel for NoCancel {}

impl Cancel for AtomicBool {
    fn is_cancelled(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// The external interfaces of a build.
#[derive(Clone)]
pub struct Ports {
    pub files: Arc<dyn Files>,
    pub remote: Arc<dyn Remote>,
    pub programs: Arc<dyn Programs>,
    pub clock: Arc<dyn Clock>,
    pub cancel: Arc<dyn Cancel>,
    /// The deployment objects of repositories, shared by builds of the same files.
    pub deployments: DeploymentCache,
}

impl std::fmt::Debug for Ports {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ports")
    }
}

impl Ports {
    /// Ports with these files only: remote access and programs fail, the clock is
    /// stopped, and the build cannot be cancelled.
    pub fn of_files(files: impl Files + 'static) -> Self {
        Self::of_shared_files(Arc::new(files))
    }

    /// As [`Ports::of_files`], for files that others read, too.
    pub fn of_shared_files(files: Arc<dyn Files>) -> Self {
        Self {
            files,
            remote: Arc::new(NoRemote),
            programs: Arc::new(NoPrograms),
            clock: Arc::new(NoClock),
            cancel: Arc::new(NoCancel),
            deployments: DeploymentCache::default(),
        }
    }
}
