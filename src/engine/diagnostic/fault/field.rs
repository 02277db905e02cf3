//! Errors of field paths and of the nodes they lead to.

use crate::resource::RegexFault;
use crate::yaml::{Node, NodeKind, YamlError, print_preserving_style};

/// The error of a field that cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldFault {
    #[error(
        "wrong node kind: expected {} but got {}: node contents:\n{}",
        expected.go_name(),
        go_kind(found),
        print_preserving_style(found).trim_end()
    )]
    WrongKind { expected: NodeKind, found: Node },
    #[error("wrong node kind: expected {} but got : node contents:\nnull", expected.go_name())]
    EmptyText { expected: NodeKind },
    /// A path continues inside a text that cannot be parsed.
    #[error(transparent)]
    UnreadableText(YamlError),
    #[error("expected sequence or mapping node")]
    BelowAScalar,
    #[error("cannot set or create an empty field name")]
    EmptyName,
    #[error("list path element must contain fieldName=fieldValue for element to match")]
    NoCondition,
    #[error("wildcard is not supported in PathGetter")]
    Wildcard,
    #[error("array index {0} cannot be negative")]
    NegativeIndex(String),
    #[error("index {index} specified but only {length} elements found")]
    IndexOutOfRange { index: usize, length: usize },
    /// A condition that is not a regular expression.
    #[error("{0}")]
    NoExpression(RegexFault),
}

fn go_kind(found: &Node) -> &'static str {
    if found.is_alias() { "AliasNode" } else { found.kind().go_name() }
}

impl FieldFault {
    /// The fault of a node with another kind than the expected one.
    pub fn wrong_kind(expected: NodeKind, found: &Node) -> Self {
        Self::WrongKind { expected, found: found.clone() }
    }
}
