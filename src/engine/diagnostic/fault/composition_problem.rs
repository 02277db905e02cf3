//! Errors in a file of a Composition. All of them are reported together.

/// An error in one file, with its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\n{file}:{line}: {}: {wrong}", if pointer.is_empty() { "/" } else { pointer })]
pub struct CompositionProblem {
    /// Relative to the root of the build.
    pub file: String,
    /// The line of the error, counted from 1.
    pub line: u32,
    pub pointer: String,
    pub wrong: EntryFault,
}

/// An error of one entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{entry}{}{cause}", if entry.is_empty() { "" } else { ": " })]
pub struct EntryFault {
    /// The path of the entry: `transformers[0]`, `transformers[0].runtime`; empty for the document.
    pub entry: String,
    pub cause: EntryCause,
}

/// The cause of an entry's error. An `id` in a variant is the id of the entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryCause {
    #[error("composition.yaml must contain exactly one document, found {0}")]
    SeveralDocuments(usize),
    #[error("expected {expected}, got {found}")]
    WrongType {
        /// The expected kind with its article, such as `a mapping`.
        expected: &'static str,
        /// The found kind with its article, such as `a list`.
        found: &'static str,
    },
    #[error("key '{0}' is already set")]
    RepeatedKey(String),
    #[error("apiVersion for Composition should be {expected}, not '{written}'")]
    CompositionVersion { written: String, expected: &'static str },
    #[error("Composition contained overrides but did not import any transformers")]
    NothingToOverride,
    #[error("expected a path or URL")]
    NoCatalog,
    #[error("use '{0}' or '{1}', not both")]
    TwoNames(&'static str, &'static str),
    #[error("field {field} is not a Composition field{}", did_you_mean(near.as_deref(), "'"))]
    UnknownField { field: String, near: Option<String> },
    #[error("field {0} not found")]
    NoSuchField(String),
    #[error("field {0} not allowed")]
    NotInMetadata(String),
    #[error("invalid import mode \"{0}\"; use \"prepend\" or \"append\"")]
    ImportMode(String),
    #[error("entry is missing the path field")]
    ImportsNothing,
    #[error("the path is empty")]
    EmptyPath,
    #[error("use apiVersion or group/version, not both")]
    TwoVersions,
    #[error("transformer identifier must include a name")]
    OrderWithoutName,
    #[error("kind is required")]
    NoKind,
    #[error("apiVersion is required for kind '{0}'")]
    NoApiVersion(String),
    #[error("apiVersion '{0}' is not 'builtin', 'version' or 'group/version'")]
    BadApiVersion(String),
    #[error("metadata.name must be 1 to 253 characters without '/' or control characters")]
    BadName,
    #[error(
        "{0}: inline Components are not supported; use an inline Kustomization with a components field"
    )]
    InlineComponent(String),
    #[error("{0}: import a Composition with transformersFrom")]
    InlineComposition(String),
    #[error("{0} is built in; remove 'runtime'")]
    RuntimeOfBuiltin(String),
    #[error("unable to load builtin {kind}{}", did_you_mean(near.as_deref(), ""))]
    UnknownBuiltin { kind: String, near: Option<String> },
    #[error(
        "unable to load builtin {0}; write kind Kustomization with apiVersion kustomize.config.k8s.io/v1beta1"
    )]
    FormerKustomization(String),
    #[error("{0}: paths is empty")]
    NoPaths(String),
    #[error("{0}: paths must be a list")]
    PathsNotList(String),
    #[error("{0}: paths[{1}] is not a path")]
    NoPath(String, usize),
    #[error("unknown field \"{0}\"")]
    UnknownRuntimeField(String),
    #[error("runtime must set exactly one of container, exec, starlark")]
    RuntimeMembers,
    #[error("runtime.{0}.{1} is empty")]
    EmptyRuntimeField(String, &'static str),
}

pub(super) fn did_you_mean(near: Option<&str>, quote: &str) -> String {
    near.map(|near| format!("; did you mean {quote}{near}{quote}?")).unwrap_or_default()
}
