//! Containers anywhere in a tree, and their images.

use crate::yaml::{Node, NodeKind, Value};

use super::super::field_walk::Setter;
use super::super::set_field::{FieldError, Reach};

/// The `image` of every element; a null element is left alone.
fn element_reach(element: &Node, setter: &impl Setter) -> Reach {
    match &element.value {
        Value::Mapping(mapping) => {
            mapping.get("image").map_or(Reach::No, |image| setter.reach(image))
        }
        _ if element.is_null() => Reach::No,
        _ => Reach::Write,
    }
}

fn is_containers(key: &Node) -> bool {
    matches!(key.text(), Some("containers" | "initContainers"))
}

/// What becomes of the containers anywhere in a tree.
pub(super) fn containers_reach(node: &Node, setter: &impl Setter) -> Reach {
    let mut found = Reach::No;
    for item in node.items().unwrap_or_default() {
        if found < Reach::Write && item.as_scalar().is_none() {
            found = found.max(containers_reach(item, setter));
        }
    }
    for entry in node.entries() {
        if found == Reach::Write || entry.value.as_scalar().is_some() {
            continue;
        }
        if let Some(elements) = entry.value.items().filter(|_| is_containers(&entry.key)) {
            let elements = elements.iter().map(|element| element_reach(element, setter));
            found = elements.fold(found, Reach::max);
        }
        if found < Reach::Write {
            found = found.max(containers_reach(&entry.value, setter));
        }
    }
    found
}

/// The tree with its images written, what is below first; nothing where there is none to write.
pub(super) fn written_containers(
    node: &Node,
    setter: &mut impl Setter,
) -> Result<Option<Node>, FieldError> {
    let mut written: Option<Node> = None;
    for (index, item) in node.items().unwrap_or_default().iter().enumerate() {
        if item.as_scalar().is_some() {
            continue;
        }
        if let Some(item) = written_containers(item, setter)?
            && let Some(items) = written.get_or_insert_with(|| node.clone()).items_mut()
        {
            items[index] = item;
        }
    }
    for (index, entry) in node.entries().iter().enumerate() {
        if entry.value.as_scalar().is_some() {
            continue;
        }
        let mut value = written_containers(&entry.value, setter)?;
        if is_containers(&entry.key) {
            write_elements(&entry.value, &mut value, setter)?;
        }
        if let Some(value) = value
            && let Some(mapping) = written.get_or_insert_with(|| node.clone()).as_mapping_mut()
        {
            mapping.entries[index].value = value;
        }
    }
    Ok(written)
}

/// Writes to the elements of a list of containers, or of what was written of it already.
fn write_elements(
    list: &Node,
    written: &mut Option<Node>,
    setter: &mut impl Setter,
) -> Result<(), FieldError> {
    for index in 0..list.items().map_or(0, <[Node]>::len) {
        let now = written.as_ref().unwrap_or(list).items().and_then(|items| items.get(index));
        if now.is_none_or(|element| element_reach(element, setter) != Reach::Write) {
            continue;
        }
        let items = written.get_or_insert_with(|| list.clone()).items_mut();
        let Some(element) = items.and_then(|items| items.get_mut(index)) else { continue };
        if element.as_mapping().is_none() {
            return Err(FieldError::wrong_kind(NodeKind::Mapping, element));
        }
        if let Some(image) = element.get_mut("image") {
            setter.set(image)?;
        }
    }
    Ok(())
}
