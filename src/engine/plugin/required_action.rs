//! Actions and decisions that must precede a run.

/// The action or decision that must precede a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequiredAction {
    /// The user has to request the run; it is allowed.
    Asked,
    /// The user has to allow it with a flag.
    AllowByFlag,
    /// The user has to install the required program.
    Install,
    Fetch,
    /// The user has to trust the catalog with this reference.
    Trust(String),
    /// The user has to review the catalog with this reference again: its content differs from the
    /// trusted one.
    Review(String),
    /// A fetch of the catalog with this reference.
    FetchOfCatalog(String),
    /// An earlier step, on whose output this one depends, is pending.
    EarlierStep,
}
