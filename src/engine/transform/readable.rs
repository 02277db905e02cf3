//! Annotations that can be read: Kustomize crashes at a list of keys and values in turn of which one key has no value, and only
//! when it asks for them.

use crate::resource::{ResMap, uneven_list};
use crate::yaml::{Node, NodeKind};

use super::TransformError;

/// Fails for an object whose annotations cannot be read.
pub(super) fn has_readable_annotations(node: &Node) -> Result<(), TransformError> {
    refuse(uneven_list(node, "annotations"))
}

/// Fails where one of the resources has annotations that cannot be read.
///
/// # Errors
/// `wrong node kind: expected MappingNode but got SequenceNode`, at the list.
pub fn have_readable_annotations(resources: &ResMap) -> Result<(), TransformError> {
    refuse(resources.unreadable_annotations())
}

fn refuse(list: Option<&Node>) -> Result<(), TransformError> {
    list.map_or(Ok(()), |list| Err(TransformError::wrong_kind(NodeKind::Mapping, list)))
}
