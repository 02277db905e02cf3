//! A source whose value is read again before each leaf, because it is in the target.

use std::sync::Arc;

use crate::resource::Slot;
use crate::yaml::{Node, NodeKind, Style, Value};

use super::path::{PathRules, ReplacementPath};

/// The place that the value is read from, leaf by leaf if it is in the target.
pub(super) struct LiveSource {
    pub(super) slot: Slot,
    pub(super) path: ReplacementPath,
}

impl LiveSource {
    pub(super) fn read(&self, node: &Node, value: &mut Node) {
        if let Ok(Some(found)) = self.path.get(node)
            && !found.same_content(value)
        {
            *value = found.clone();
        }
    }

    /// Creates a missing field before it is written, so that a source around it contains it.
    pub(super) fn make(node: &mut Node, path: &ReplacementPath, walk: PathRules, value: &Node) {
        if value.as_scalar().is_some() || !walk.create {
            return;
        }
        // An error here occurs again when the field is written.
        let _ = path.visit(node, walk, &mut |leaf, is_new| {
            if is_new {
                *leaf = match value.kind() {
                    NodeKind::Sequence => Value::Sequence(Arc::default(), Style::Plain).into(),
                    _ => Node::mapping(),
                };
            }
            Ok(())
        });
    }
}
