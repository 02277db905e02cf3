//! Why something elsewhere is not fetched.

/// Why nothing is fetched, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfetched {
    /// Nobody asked for it.
    #[error("nothing is fetched without being asked")]
    NotAsked,
    /// The command was not told to.
    #[error("nothing is fetched without being asked; `kzui build` or --fetch asks for it")]
    NotTold,
    /// Only what was fetched before may be used.
    #[error("the build is offline and it was never fetched before; build once without --offline")]
    Offline,
    /// What was fetched before has other bytes now.
    #[error("the cached clone was changed since it was fetched; help: fetch it again")]
    Changed,
}
