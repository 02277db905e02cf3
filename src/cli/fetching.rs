//! The downloads that a command may make: only those that the user asked for.

use super::BuildFlags;

/// Whether a command may download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DownloadPolicy {
    /// The user asked for downloads: with `kzui build`, with `--fetch`, or by naming a remote to
    /// fetch.
    Requested,
    /// Downloads were not requested. Cached content is used, and all other content is not known
    /// until it is fetched.
    NotRequested,
    /// `--offline` forbids downloads.
    Forbidden,
}

impl DownloadPolicy {
    /// The policy of a command that fetches by default.
    pub(super) fn fetch_unless_offline(offline: bool) -> Self {
        if offline { Self::Forbidden } else { Self::Requested }
    }

    /// The policy of a command that fetches on request.
    pub(super) fn from_flags(flags: &BuildFlags) -> Self {
        match (flags.offline, flags.fetch) {
            (true, _) => Self::Forbidden,
            (false, true) => Self::Requested,
            (false, false) => Self::NotRequested,
        }
    }
}
