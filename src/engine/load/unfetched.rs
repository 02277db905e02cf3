//! Whether remote content may be fetched, and the reasons why it is not.

/// The reason why remote content is not fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFetchedCause {
    #[error("kzui fetches only on request")]
    NotAsked,
    /// The command lacks `--fetch`.
    #[error("kzui fetches only on request: use `kzui build` or --fetch")]
    MissingFetchFlag,
    /// Only cached content may be used.
    #[error("not in the cache, and the build is offline; build once without --offline")]
    Offline,
    /// The cached content was changed.
    #[error("the cached clone was changed since it was fetched; help: fetch it again")]
    Changed,
}

/// The downloads that a command or a build may make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// The user asked for downloads: with `kzui build`, with `--fetch`, or by naming a remote.
    #[default]
    Online,
    /// Only cached content: the user did not ask for downloads.
    Unasked,
    /// Only cached content (`--offline`).
    Offline,
}

impl Network {
    /// The reason why missing content may not be fetched; `None` if it may.
    pub fn not_fetched_cause(self) -> Option<NotFetchedCause> {
        match self {
            Self::Online => None,
            Self::Unasked => Some(NotFetchedCause::MissingFetchFlag),
            Self::Offline => Some(NotFetchedCause::Offline),
        }
    }
}
