//! Oddities of a catalog that do not prevent its use (B.2).

use crate::diagnostic::printable;
use crate::yaml::Mark;

/// An oddity of a catalog that does not prevent its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogWarning {
    pub oddity: CatalogOddity,
    /// The function concerned (`example.com/Logger`), or `catalog`.
    pub subject: String,
    pub mark: Mark,
}

/// The kinds of oddities. Their texts are made printable, because catalogs may come from strangers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CatalogOddity {
    /// A field that the schema requires (B.2 #3, #11, #25).
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A script beside the catalog: a decision about trust pins it.
    #[error("script {} has no sha256", printable(.0))]
    FloatingScript(String),
    /// Any other oddity: its code and its printable text.
    #[error("{1}")]
    Other(&'static str, String),
}

impl CatalogOddity {
    /// An oddity with a text of the catalog, which is made printable, between two other texts.
    pub(super) fn of_text(code: &'static str, before: &str, text: &str, after: &str) -> Self {
        Self::Other(code, format!("{before}{}{after}", printable(text)))
    }

    /// The location of a script without a digest that is a path.
    pub fn floating_script(&self) -> Option<&str> {
        match self {
            Self::FloatingScript(path) => Some(path),
            Self::Missing(_) | Self::Other(..) => None,
        }
    }

    /// The code for documentation and messages.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "CAT-MISSING",
            Self::FloatingScript(_) => "CAT-FLOATING",
            Self::Other(code, _) => code,
        }
    }
}
