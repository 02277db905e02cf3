//! The clock of the engine.

use std::time::{Duration, Instant};

use crate::engine::evaluate::Clock;

/// The system's monotonic clock; zero is the moment of its creation.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
