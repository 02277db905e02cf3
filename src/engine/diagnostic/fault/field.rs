//! Errors of field paths and of the nodes they lead to.

use crate::resource::RegexFault;
use crate::yaml::{Node, NodeKind, print_preserving_style};

super::faults! {
    /// The error of a field that cannot be read or written.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum FieldFault {
        KZ065 #[error(
            "wrong node kind: expected {} but got {}: node contents:\n{}",
            expected.go_name(),
            go_kind(found),
            print_preserving_style(found).trim_end()
        )]
        WrongKind { expected: NodeKind, found: Node },
        KZ065 #[error("expected sequence or mapping node")]
        BelowAScalar,
        KZ065 #[error("cannot set or create an empty field name")]
        EmptyName,
        KZ065 #[error("list path element must contain fieldName=fieldValue for element to match")]
        NoCondition,
        KZ065 #[error("wildcard is not supported in PathGetter")]
        Wildcard,
        KZ065 #[error("index {index} specified but only {length} elements found")]
        IndexOutOfRange { index: usize, length: usize },
        /// A condition that is not a regular expression.
        KZ064 #[error("{0}")]
        NoExpression(RegexFault),
    }
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
