//! A source inside the target resource, whose value is read again before each write.

use std::sync::Arc;

use crate::resource::Slot;
use crate::yaml::{Node, NodeKind, Style, Value};

use super::path::{PathRules, ReplacementPath};

/// The location of a source; its value is read again before each write to its own resource.
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

    /// Creates missing fields before the value is read, since the source may contain them.
    pub(super) fn create_missing_fields(
        node: &mut Node,
        path: &ReplacementPath,
        walk: PathRules,
        value: &Node,
    ) {
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
