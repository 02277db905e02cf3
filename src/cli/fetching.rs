//! What a command may fetch: only what the person asked for.

use super::BuildFlags;

/// Whether a command fetches what is elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetching {
    /// The person asked for it: with `kzui build`, with `--fetch`, or by naming what is fetched.
    Asked,
    /// Nobody asked. What was fetched before is at hand, and the rest is unknown until it is fetched.
    Unasked,
    /// `--offline` forbids it.
    Forbidden,
}

impl Fetching {
    /// Of a command that fetches, unless it is told not to.
    pub(super) fn unless(offline: bool) -> Self {
        if offline { Self::Forbidden } else { Self::Asked }
    }

    /// Of a command that fetches when it is told to.
    pub(super) fn told_by(flags: &BuildFlags) -> Self {
        match (flags.offline, flags.fetch) {
            (true, _) => Self::Forbidden,
            (false, true) => Self::Asked,
            (false, false) => Self::Unasked,
        }
    }
}
