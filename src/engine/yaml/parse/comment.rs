//! The comments of a node, as they are found.

use std::sync::Arc;

use super::scan::Texts;
use crate::yaml::{Comments, Node};

/// The comments of a node, to write to.
pub(super) fn of(node: &mut Node) -> &mut Comments {
    Arc::make_mut(node.comments.get_or_insert_default())
}

/// Gives a node what was gathered for it.
pub(super) fn set(node: &mut Node, texts: Texts) {
    if !texts.is_empty() {
        let Texts { head, line, foot } = texts;
        node.comments = Some(Arc::new(Comments { head, line, foot, ..Comments::default() }));
    }
}
