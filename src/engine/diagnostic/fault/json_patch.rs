//! Errors of JSON6902 patches, in the words of the library that Kustomize uses.

use std::str::Utf8Error;

use crate::yaml::{Excess, YamlError};

super::faults! {
    /// The error of a JSON6902 patch or of one of its operations.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum JsonPatchFault {
        KZ010 #[error(transparent)]
        Yaml(#[from] YamlError),
        KZ043 #[error(transparent)]
        NotUtf8(#[from] Utf8Error),
        KZ043 #[error(
            "a JSON6902 patch is a list of operations: json: cannot unmarshal {0} into Go value of type jsonpatch.Patch"
        )]
        NotAList(&'static str),
        KZ046 #[error(
            "an operation is a mapping: json: cannot unmarshal {0} into Go value of type jsonpatch.Operation"
        )]
        NotAMapping(&'static str),
        KZ046 #[error("Unexpected kind: {0}")]
        UnknownOperation(String),
        KZ046 #[error("{op} operation failed to decode path: {}missing value", if *.says_field { "operation missing path field: " } else { "" })]
        WithoutPath { op: String, says_field: bool },
        KZ046 #[error("{0} operation failed to decode from: operation, missing from field: missing value")]
        WithoutFrom(String),
        KZ044 #[error("{op} operation does not apply: {}: missing value", missing(op, *place, path))]
        NoSuchPlace { op: String, place: PatchNodeRole, path: String },
        KZ045 #[error("testing value {0} failed: test failed")]
        TestFailed(String),
        /// The code is that of the innermost fault.
        KZ000 #[error("error in {op} for {}: '{path}': {fault}", if *.is_from { "from" } else { "path" })]
        At {
            op: String,
            /// True if `path` is the `from` of the operation.
            is_from: bool,
            path: String,
            fault: Box<JsonPatchFault>,
        },
        KZ044 #[error("strconv.Atoi: parsing {0:?}: invalid syntax")]
        NoIndex(String),
        KZ044 #[error(
            "value was not a proper array index: '{0}': strconv.Atoi: parsing {0:?}: invalid syntax"
        )]
        NoIndexToAdd(String),
        KZ044 #[error("Unable to access invalid index: {0}: invalid index referenced")]
        InvalidIndex(i64),
        KZ044 #[error("Unable to remove nonexistent key: {0}: missing value")]
        NothingToRemove(String),
        KZ044 #[error("unable to get nonexistent key: {0}: missing value")]
        NothingToCopy(String),
        KZ044 #[error("missing value")]
        InAScalar,
        KZ000 #[error(transparent)]
        Excess(#[from] Excess),
    }
}

/// The role of a missing node in an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchNodeRole {
    /// The parent of the last part of `path`.
    Path,
    /// The last part of `path`.
    Key,
    /// The parent of the last part of `from`.
    From,
    /// The parent of the `path` of a move or copy.
    Destination,
}

fn missing(op: &str, place: PatchNodeRole, path: &str) -> String {
    match (op, place) {
        ("test", PatchNodeRole::Path) => format!("is missing path: {path}"),
        ("add" | "remove", PatchNodeRole::Path) => format!("doc is missing path: {path:?}"),
        (_, PatchNodeRole::Path) => format!("doc is missing path: {path}"),
        (_, PatchNodeRole::Key) => format!("doc is missing key: {path}"),
        (_, PatchNodeRole::From) => format!("doc is missing from path: {path}"),
        (_, PatchNodeRole::Destination) => format!("doc is missing destination path: {path}"),
    }
}

impl JsonPatchFault {
    /// The fault without the operation around it, which determines the code.
    pub(super) fn innermost(&self) -> &Self {
        if let Self::At { fault, .. } = self { fault.innermost() } else { self }
    }

    /// Adds the operation and its `path`, at which this fault occurred.
    #[must_use]
    pub fn at(self, op: &str, path: &str) -> Self {
        let (op, path) = (op.to_owned(), path.to_owned());
        Self::At { op, is_from: false, path, fault: Box::new(self) }
    }

    /// Adds the operation and its `from`, at which this fault occurred.
    #[must_use]
    pub fn at_from(self, op: &str, path: &str) -> Self {
        let (op, path) = (op.to_owned(), path.to_owned());
        Self::At { op, is_from: true, path, fault: Box::new(self) }
    }
}
