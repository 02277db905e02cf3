//! Actions and decisions that must precede a run.

/// The action or decision that must precede a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequiredAction {
    /// To ask for it: it may run.
    Asked,
    /// To allow it, with a flag.
    Leave,
    /// To install the program that it needs.
    Install,
    Fetch,
    /// Trust in the catalog with this reference.
    Trust(String),
    /// Another review of the catalog with this reference: its content differs from the trusted one.
    Review(String),
    /// A fetch of the catalog with this reference.
    FetchOfCatalog(String),
    /// The pending reason of an earlier step, on whose output this one depends.
    EarlierStep,
}
