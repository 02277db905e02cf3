//! Containers anywhere in a tree, and their images.

use crate::yaml::{Node, NodeKind};

use super::super::TransformError;
use super::super::field_walk::WriteField;
use super::super::set_field::Rewrite;

pub(super) const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

/// The tree with the images of all containers in it written, the deepest first.
pub(super) fn rewrite_containers(
    node: &Node,
    write: &mut WriteField<'_>,
) -> Result<Rewrite, TransformError> {
    let mut result = Rewrite::NO;
    for (index, item) in node.items().unwrap_or_default().iter().enumerate() {
        if item.as_scalar().is_none() {
            result.add_item(node, index, rewrite_containers(item, write)?);
        }
    }
    for (index, entry) in node.entries().iter().enumerate() {
        if entry.value.as_scalar().is_some() {
            continue;
        }
        let mut value = rewrite_containers(&entry.value, write)?;
        if entry.key.text().is_some_and(|key| CONTAINERS.contains(&key)) {
            let list = value.node.clone();
            value.then(rewrite_images(list.as_ref().unwrap_or(&entry.value), write)?);
        }
        result.add_value(node, index, value);
    }
    Ok(result)
}

/// A list of containers with the `image` of each written; a null has none.
fn rewrite_images(list: &Node, write: &mut WriteField<'_>) -> Result<Rewrite, TransformError> {
    let mut result = Rewrite::NO;
    for (index, element) in list.items().unwrap_or_default().iter().enumerate() {
        let Some(mapping) = element.as_mapping() else {
            if element.is_null() {
                continue;
            }
            return Err(TransformError::wrong_kind(NodeKind::Mapping, element));
        };
        if let Some(place) = mapping.place("image") {
            let mut written = Rewrite::NO;
            written.add_value(element, place, write(&mapping.entries[place].value)?);
            result.add_item(list, index, written);
        }
    }
    Ok(result)
}
