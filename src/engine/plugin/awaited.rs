//! What has to be done, or decided, before something runs.

/// What somebody has to do, or to decide, before something runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// To ask for it: it may run.
    Asked,
    /// To allow it, with a flag.
    Leave,
    /// To install the program that it needs.
    Install,
    /// To fetch something.
    Fetch,
    /// To trust the catalog that is written so.
    Trust(String),
    /// To look at the catalog that is written so again: it is another than the one that is trusted.
    Review(String),
    /// To fetch the catalog that is written so.
    FetchOfCatalog(String),
    /// What an earlier step waits for: nobody knows what comes of this one before.
    EarlierStep,
}
