//! What is wrong in a file of a Composition: all of it is told at once.

use std::fmt;

/// Something that is wrong with one file, with its place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompositionProblem {
    /// The file as seen from the root of the build.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// A JSON pointer.
    pub pointer: String,
    /// What is wrong.
    pub wrong: EntryFault,
}

impl fmt::Display for CompositionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_empty() { "/" } else { &self.pointer };
        write!(f, "\n{}:{}: {pointer}: {}", self.file, self.line, self.wrong)
    }
}

/// What is wrong, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFault {
    /// `transformers[0]`, `transformers[0].runtime`; empty for the document.
    pub entry: String,
    /// The cause.
    pub cause: EntryCause,
}

impl fmt::Display for EntryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let apart = if self.entry.is_empty() { "" } else { ": " };
        write!(f, "{}{apart}{}", self.entry, self.cause)
    }
}

/// Why a part of a Composition cannot be used. An *id* is that of the entry, a *kind* with `apiVersion` where it says so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryCause {
    /// The file has so many documents.
    #[error("composition.yaml must contain exactly one document, found {0}")]
    SeveralDocuments(usize),
    /// A value is of another type.
    #[error("expected {expected}, got {found}")]
    WrongType {
        /// `a mapping`
        expected: &'static str,
        /// `a list`
        found: &'static str,
    },
    /// A key stands twice.
    #[error("key '{0}' is already set")]
    RepeatedKey(String),
    /// The `apiVersion` of the file: what it should be.
    #[error("apiVersion for Composition should be {0}")]
    CompositionVersion(&'static str),
    /// There are overrides, and nothing is imported.
    #[error("Composition contained overrides but did not import any transformers")]
    NothingToOverride,
    /// An item of `catalogs`.
    #[error("expected a path or URL")]
    NoCatalog,
    /// A field is there under its name and under a former one.
    #[error("use '{0}' or '{1}', not both")]
    TwoNames(&'static str, &'static str),
    /// A field that a Composition does not have.
    #[error("field {field} is not a Composition field{}", did_you_mean(near.as_deref(), "'"))]
    UnknownField {
        /// The field.
        field: String,
        /// What may have been meant.
        near: Option<String>,
    },
    /// A field that an import or an item of the order does not have.
    #[error("field {0} not found")]
    NoSuchField(String),
    /// A field that `metadata` may not have.
    #[error("field {0} not allowed")]
    NotInMetadata(String),
    /// A word of `importMode`, or what stands there instead of one.
    #[error("invalid import mode \"{0}\"; use \"prepend\" or \"append\"")]
    ImportMode(String),
    /// An import names nothing.
    #[error("entry is missing the path field")]
    ImportsNothing,
    /// An entry is an empty text.
    #[error("the path is empty")]
    EmptyPath,
    /// An item of the order says its version twice.
    #[error("use apiVersion or group/version, not both")]
    TwoVersions,
    /// An item of the order has no name.
    #[error("transformer identifier must include a name")]
    OrderWithoutName,
    /// An entry has no kind.
    #[error("kind is required")]
    NoKind,
    /// An entry has no `apiVersion`: its kind.
    #[error("apiVersion is required for kind '{0}'")]
    NoApiVersion(String),
    /// An `apiVersion` that is none.
    #[error("apiVersion '{0}' is not 'builtin', 'version' or 'group/version'")]
    BadApiVersion(String),
    /// A name that no object can have.
    #[error("metadata.name must be 1 to 253 characters without '/' or control characters")]
    BadName,
    /// An entry is a Component: its id.
    #[error(
        "{0}: inline Components are not supported; use an inline Kustomization with a components field"
    )]
    InlineComponent(String),
    /// An entry is a Composition: its id.
    #[error("{0}: import a Composition with transformersFrom")]
    InlineComposition(String),
    /// An entry that is built in says what runs it: its id.
    #[error("{0} is built in; remove 'runtime'")]
    RuntimeOfBuiltin(String),
    /// There is no such plugin.
    #[error("unable to load builtin {kind}{}", did_you_mean(near.as_deref(), ""))]
    UnknownBuiltin {
        /// Its kind.
        kind: String,
        /// What may have been meant.
        near: Option<String>,
    },
    /// What an inline Kustomization was called in a draft of the proposal: the kind.
    #[error(
        "unable to load builtin {0}; write kind Kustomization with apiVersion kustomize.config.k8s.io/v1beta1"
    )]
    FormerKustomization(String),
    /// A `ResourceAccumulator` loads nothing: its id.
    #[error("{0}: paths is empty")]
    NoPaths(String),
    /// The `paths` of a `ResourceAccumulator` are something else: its id.
    #[error("{0}: paths must be a list")]
    PathsNoList(String),
    /// An item of them is no path: the id, and its number.
    #[error("{0}: paths[{1}] is no path")]
    NoPath(String, usize),
    /// A field that `runtime` does not have.
    #[error("unknown field \"{0}\"")]
    UnknownRuntimeField(String),
    /// `runtime` names none, or several.
    #[error("runtime must set exactly one of container, exec, starlark")]
    RuntimeMembers,
    /// What a member of `runtime` must have is not there: the member, and the field.
    #[error("runtime.{0}.{1} is empty")]
    EmptyRuntimeField(String, &'static str),
}

fn did_you_mean(near: Option<&str>, quote: &str) -> String {
    near.map(|near| format!("; did you mean {quote}{near}{quote}?")).unwrap_or_default()
}
