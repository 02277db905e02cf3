//! The downloads that a command may make: only those that the user asked for.

use super::BuildFlags;

/// Whether a command may download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DownloadPolicy {
    /// The user asked for it: with `kzui build`, with `--fetch`, or by naming a remote to fetch.
    Asked,
    /// Not requested. Cached content is used, and the rest is not known until it is fetched.
    Unasked,
    /// `--offline` forbids it.
    Forbidden,
}

impl DownloadPolicy {
    /// For a command that fetches by default.
    pub(super) fn fetch_unless_offline(offline: bool) -> Self {
        if offline { Self::Forbidden } else { Self::Asked }
    }

    /// For a command that fetches on request.
    pub(super) fn from_flags(flags: &BuildFlags) -> Self {
        match (flags.offline, flags.fetch) {
            (true, _) => Self::Forbidden,
            (false, true) => Self::Asked,
            (false, false) => Self::Unasked,
        }
    }
}
