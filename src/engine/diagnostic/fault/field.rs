//! What is wrong with a path, or with the node that it leads to.

use crate::resource::RegexFault;
use crate::yaml::{Node, NodeKind, YamlError, print_v3};

/// Why a field cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldFault {
    /// A node is of another kind than the path or the step needs.
    #[error(
        "wrong node kind: expected {} but got {}: node contents:\n{}",
        expected.go_name(),
        go_kind(found),
        print_v3(found).trim_end()
    )]
    WrongKind {
        /// What is needed.
        expected: NodeKind,
        /// What is there.
        found: Node,
    },
    /// A path goes on in a text without a document.
    #[error("wrong node kind: expected {} but got : node contents:\nnull", expected.go_name())]
    NothingInText {
        /// What is needed.
        expected: NodeKind,
    },
    /// A path goes on in a text that cannot be read.
    #[error(transparent)]
    UnreadableText(YamlError),
    /// A path goes on below a scalar.
    #[error("expected sequence or mapping node")]
    BelowAScalar,
    /// A part of a path is an empty text.
    #[error("cannot set or create an empty field name")]
    EmptyName,
    /// Brackets without a condition.
    #[error("list path element must contain fieldName=fieldValue for element to match")]
    NoCondition,
    /// A `*` where one field is meant.
    #[error("wildcard is not supported in PathGetter")]
    Wildcard,
    /// An index below zero, as it is written.
    #[error("array index {0} cannot be negative")]
    NegativeIndex(String),
    /// An index behind the end of a list.
    #[error("index {index} specified but only {length} elements found")]
    BehindTheEnd {
        /// The index.
        index: usize,
        /// How long the list is.
        length: usize,
    },
    /// A condition's text is no regular expression.
    #[error("{0}")]
    NoExpression(RegexFault),
}

fn go_kind(found: &Node) -> &'static str {
    if found.is_alias() { "AliasNode" } else { found.kind().go_name() }
}

impl FieldFault {
    /// A node of the wrong kind.
    pub fn wrong_kind(expected: NodeKind, found: &Node) -> Self {
        Self::WrongKind { expected, found: found.clone() }
    }
}
