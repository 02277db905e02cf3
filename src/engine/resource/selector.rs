//! Targets of patches and replacements (sections 4.8 and 4.14).

/// Which resources a patch or replacement is for. Empty parts match anything (Kustomize: `types.Selector`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// Group, a regular expression for patches.
    pub group: String,
    /// Version.
    pub version: String,
    /// Kind.
    pub kind: String,
    /// Name.
    pub name: String,
    /// Namespace.
    pub namespace: String,
    /// Kubernetes label selector syntax over annotations.
    pub annotation_selector: String,
    /// Kubernetes label selector syntax over labels.
    pub label_selector: String,
}

/// A selector that cannot be used: a bad regular expression or label selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SelectorError(pub String);
