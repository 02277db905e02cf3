//! What is wrong with a JSON6902 patch, in the words of the library that Kustomize uses.

use std::str::Utf8Error;

use crate::yaml::{Excess, YamlError};

/// Why a JSON6902 patch cannot be read, or an operation not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonPatchFault {
    /// The text is neither YAML nor JSON.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// The text is not UTF-8.
    #[error(transparent)]
    NotUtf8(#[from] Utf8Error),
    /// The text is something else than a list: what it is in JSON.
    #[error(
        "a JSON6902 patch is a list of operations: json: cannot unmarshal {0} into Go value of type jsonpatch.Patch"
    )]
    NotAList(&'static str),
    /// An element of the list is something else than a mapping: what it is in JSON.
    #[error(
        "an operation is a mapping: json: cannot unmarshal {0} into Go value of type jsonpatch.Operation"
    )]
    NotAMapping(&'static str),
    /// There is no such operation.
    #[error("Unexpected kind: {0}")]
    UnknownOperation(String),
    /// An operation has no `path`; some of them say so in more words.
    #[error("{op} operation failed to decode path: {}missing value", if *.says_field { "operation missing path field: " } else { "" })]
    WithoutPath {
        /// The operation.
        op: String,
        /// Whether its words name the field.
        says_field: bool,
    },
    /// `move` or `copy` has no `from`.
    #[error("{0} operation failed to decode from: operation, missing from field: missing value")]
    WithoutFrom(String),
    /// The tree has no such place.
    #[error("{op} operation does not apply: {}: missing value", missing(op, *place, path))]
    NoSuchPlace {
        /// The operation.
        op: String,
        /// What the place is to the operation.
        place: PatchPlace,
        /// Its path.
        path: String,
    },
    /// A `test` found another value.
    #[error("testing value {0} failed: test failed")]
    TestFailed(String),
    /// An operation cannot be done at its place.
    #[error("error in {op} for {}: '{path}': {fault}", if *.is_from { "from" } else { "path" })]
    At {
        /// The operation.
        op: String,
        /// Whether it is the place of `from`.
        is_from: bool,
        /// The path.
        path: String,
        /// Why not.
        fault: Box<JsonPatchFault>,
    },
    /// The last part of a path is to be an index of a list, and is no number.
    #[error("strconv.Atoi: parsing {0:?}: invalid syntax")]
    NoIndex(String),
    /// The same of an element that is to be added.
    #[error(
        "value was not a proper array index: '{0}': strconv.Atoi: parsing {0:?}: invalid syntax"
    )]
    NoIndexToAdd(String),
    /// There is no element of this number.
    #[error("Unable to access invalid index: {0}: invalid index referenced")]
    InvalidIndex(i64),
    /// There is no such key to remove.
    #[error("Unable to remove nonexistent key: {0}: missing value")]
    NothingToRemove(String),
    /// There is no such key to copy.
    #[error("unable to get nonexistent key: {0}: missing value")]
    NothingToCopy(String),
    /// A scalar has neither keys nor elements.
    #[error("missing value")]
    InAScalar,
    /// The tree would grow beyond the limits.
    #[error(transparent)]
    Excess(#[from] Excess),
}

/// What a place that is missing is to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchPlace {
    /// What holds the last part of `path`.
    Path,
    /// The last part of `path`.
    Key,
    /// What holds the last part of `from`.
    From,
    /// What holds the last part of the `path` that something is moved or copied to.
    Destination,
}

fn missing(op: &str, place: PatchPlace, path: &str) -> String {
    match (op, place) {
        ("test", PatchPlace::Path) => format!("is missing path: {path}"),
        ("add" | "remove", PatchPlace::Path) => format!("doc is missing path: {path:?}"),
        (_, PatchPlace::Path) => format!("doc is missing path: {path}"),
        (_, PatchPlace::Key) => format!("doc is missing key: {path}"),
        (_, PatchPlace::From) => format!("doc is missing from path: {path}"),
        (_, PatchPlace::Destination) => format!("doc is missing destination path: {path}"),
    }
}

impl JsonPatchFault {
    /// The fault at the path of an operation.
    #[must_use]
    pub fn at(self, op: &str, path: &str) -> Self {
        let (op, path) = (op.to_owned(), path.to_owned());
        Self::At { op, is_from: false, path, fault: Box::new(self) }
    }

    /// The fault at the `from` of an operation.
    #[must_use]
    pub fn at_from(self, op: &str, path: &str) -> Self {
        let (op, path) = (op.to_owned(), path.to_owned());
        Self::At { op, is_from: true, path, fault: Box::new(self) }
    }
}
