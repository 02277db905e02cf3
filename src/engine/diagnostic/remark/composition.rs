//! What is said of Compositions, of their entries, and of the files that they stand in.

use crate::diagnostic::Code;

/// What is read in another way than it is written, or does something else than it may seem to do. An *entry* is called as messages
/// about it call it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionRemark {
    /// A field has a name that it had once: that, and the one that it has now.
    #[error("'{0}' is the former name of '{1}'")]
    FormerName(String, String),
    /// A built-in does not know a field.
    #[error("{entry}: {kind} has no field '{key}'{}", did_you_mean(near.as_deref()))]
    UnknownField {
        /// The entry.
        entry: String,
        /// The kind of the built-in.
        kind: String,
        /// The field.
        key: String,
        /// A field that it knows and that is nearly called so.
        near: Option<String>,
    },
    /// An item of an order has a namespace: the entry.
    #[error("{0}: namespace is no part of an entry's identity")]
    NamespaceOfEntry(String),
    /// A kind has a name that it had once: the entry.
    #[error("{0}: write kind ResourceAccumulator with 'paths'")]
    FormerKind(String),
    /// `paths` has a name that it had once: the entry, and that name.
    #[error("{0}: write 'paths' instead of '{1}'")]
    FormerPaths(String, &'static str),
    /// `originAnnotations`: the entry.
    #[error("{0}: originAnnotations is ignored")]
    OriginAnnotations(String),
    /// A name that no object could have: the entry, and the name.
    #[error("{0}: metadata.name '{1}' is no DNS-1123 name")]
    OddName(String, String),
    /// An override is listed twice: its id.
    #[error("override \"{0}\" is listed twice")]
    OverrideTwice(String),
    /// A label transformer has no field specs of its own.
    #[error("LabelTransformer without fieldSpecs also sets selectors and templates")]
    ReachesSelectors,
    /// An entry has an empty list of field specs.
    #[error("fieldSpecs is empty, so this entry changes nothing")]
    NoFieldSpecs,
    /// Catalogs that may say how an override is merged were not read.
    #[error(
        "override \"{id}\": catalog '{}' was not read; it may say by which keys the lists are merged",
        catalogs.join(", ")
    )]
    UnreadCatalog {
        /// The id of the override.
        id: String,
        /// The catalogs, as they are written.
        catalogs: Vec<String>,
    },
    /// A Composition stands beside a Kustomization: the name of its file.
    #[error("{0} is not built: a Kustomization stands beside it")]
    Beside(String),
}

impl CompositionRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::FormerName(..)
            | Self::UnknownField { .. }
            | Self::NamespaceOfEntry(_)
            | Self::FormerKind(_)
            | Self::FormerPaths(..)
            | Self::OriginAnnotations(_)
            | Self::OddName(..) => Code::KZ501,
            Self::OverrideTwice(_) => Code::KZ502,
            Self::ReachesSelectors => Code::KZ503,
            Self::NoFieldSpecs => Code::KZ504,
            Self::UnreadCatalog { .. } => Code::KZ505,
            Self::Beside(_) => Code::KZ506,
        }
    }
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default()
}
