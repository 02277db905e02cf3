//! The durations of the server.

use std::time::Duration;

/// The durations by which the server decides when to check and to answer.
#[derive(Clone, Copy, Debug)]
pub struct ServerSettings {
    /// The time without a further change after which a check begins.
    pub quiet: Duration,
    /// The time that a request waits for the first check of its document.
    pub patience: Duration,
    /// The time that a request waits for a newer check, before it is answered from the last one.
    pub brief_patience: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(150),
            patience: Duration::from_millis(800),
            brief_patience: Duration::from_millis(30),
        }
    }
}
