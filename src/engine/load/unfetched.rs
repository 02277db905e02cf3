//! The reasons why remote content is not fetched.

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
