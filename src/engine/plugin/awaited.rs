//! Actions and decisions that must precede a run.

/// The action or decision that must precede a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// To ask for it: it may run.
    Asked,
    /// To allow it, with a flag.
    Leave,
    /// To install the program that it needs.
    Install,
    Fetch,
    /// To trust the catalog that is written so.
    Trust(String),
    /// To look at the catalog that is written so again: it is another than the one that is trusted.
    Review(String),
    /// To fetch the catalog that is written so.
    FetchOfCatalog(String),
    /// The pending reason of an earlier step, on whose output this one depends.
    EarlierStep,
}
