//! Containers anywhere in a tree, and their images.

use std::sync::Arc;

use crate::resource::{PathStep, Resource, at_mut};
use crate::yaml::{Node, NodeKind, Value};

use super::super::field_walk::{ChildPath, Setter};
use super::super::set_field::{FieldError, WalkResult};

/// The effect of the setter on the `image` of an element; a null element has none.
fn element_reach(element: &Node, setter: &impl Setter) -> WalkResult {
    match &element.value {
        Value::Mapping(mapping) => {
            mapping.get("image").map_or(WalkResult::No, |image| setter.reach(image))
        }
        _ if element.is_null() => WalkResult::No,
        _ => WalkResult::Write,
    }
}

/// The keys of lists of containers.
pub(super) const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

fn is_containers_key(key: &Node) -> bool {
    key.text().is_some_and(|key| CONTAINERS.contains(&key))
}

/// The effect on the containers anywhere in a tree.
pub(super) fn containers_reach(node: &Node, setter: &impl Setter) -> WalkResult {
    let mut found = WalkResult::No;
    for item in node.items().unwrap_or_default() {
        if found < WalkResult::Write && item.as_scalar().is_none() {
            found = found.max(containers_reach(item, setter));
        }
    }
    for entry in node.entries() {
        if found == WalkResult::Write || entry.value.as_scalar().is_some() {
            continue;
        }
        if is_containers_key(&entry.key) {
            found = found.max(elements_reach(&entry.value, setter));
        }
        if found < WalkResult::Write {
            found = found.max(containers_reach(&entry.value, setter));
        }
    }
    found
}

/// Visits the image of every container in a tree, with its text and its path. Returns false if an
/// item is not a container or has no image; the content below it is skipped.
pub(super) fn visit_images<'n>(
    node: &'n Node,
    way: &mut Vec<usize>,
    found: &mut impl FnMut(&'n Node, &'n Arc<str>, &ChildPath),
) -> bool {
    for (number, item) in node.items().unwrap_or_default().iter().enumerate() {
        if item.as_scalar().is_some() {
            continue;
        }
        way.push(number);
        if !visit_images(item, way, found) {
            return false;
        }
        way.pop();
    }
    for (number, entry) in node.entries().iter().enumerate() {
        if entry.value.as_scalar().is_some() {
            continue;
        }
        way.push(number);
        if is_containers_key(&entry.key) && !visit_list_images(&entry.value, way, found) {
            return false;
        }
        if !visit_images(&entry.value, way, found) {
            return false;
        }
        way.pop();
    }
    true
}

/// Same as [`visit_images`], for the containers in one list.
fn visit_list_images<'n>(
    list: &'n Node,
    way: &mut Vec<usize>,
    found: &mut impl FnMut(&'n Node, &'n Arc<str>, &ChildPath),
) -> bool {
    let mut elements = list.items().unwrap_or_default().iter().enumerate();
    elements.all(|(number, element)| {
        let Some(mapping) = element.as_mapping() else { return element.is_null() };
        let Some(place) = mapping.place("image") else { return true };
        let Some(entry) = mapping.entries.get(place) else { return true };
        let Some(image) = entry.value.as_scalar() else { return false };
        way.extend([number, place]);
        found(&entry.value, &image.text, way);
        way.truncate(way.len() - 2);
        true
    })
}

/// True if the resource may have shared nodes in its containers.
pub(super) fn may_share_containers(resource: &Resource) -> bool {
    resource.shared.iter().any(|shared| shared.may_be_below(&CONTAINERS))
}

/// Writes the images of a resource. If its containers may have shared nodes, their positions are
/// written one after the other: an image can then be written once for each position.
pub(super) fn write_all_containers(
    resource: &mut Resource,
    may_share: bool,
    setter: &mut impl Setter,
) -> Result<(), FieldError> {
    if !may_share {
        return write_containers(&mut resource.node, setter);
    }
    let mut places = Vec::new();
    find_elements(&resource.node, &mut Vec::new(), &mut places);
    for place in places {
        let Some(element) = at_mut(&mut resource.node, &place) else { continue };
        if element_reach(element, setter) == WalkResult::Write {
            write_element(element, setter)?;
            resource.spread_shared();
        }
    }
    Ok(())
}

/// Collects the places of the elements of all container lists, deepest first.
fn find_elements(node: &Node, way: &mut Vec<PathStep>, places: &mut Vec<Vec<PathStep>>) {
    for (index, item) in node.items().unwrap_or_default().iter().enumerate() {
        way.push(PathStep::Index(index));
        find_elements(item, way, places);
        way.pop();
    }
    for entry in node.entries() {
        let Some(key) = entry.key.as_scalar() else { continue };
        way.push(PathStep::Key(key.text.clone()));
        find_elements(&entry.value, way, places);
        let items = entry.value.items().filter(|_| is_containers_key(&entry.key));
        for index in 0..items.map_or(0, <[Node]>::len) {
            places.push([&way[..], &[PathStep::Index(index)]].concat());
        }
        way.pop();
    }
}

/// Writes the images, the deepest first. Collections that are not shared with another tree are
/// changed in place; for the others only the path to an image is copied.
fn write_containers(node: &mut Node, setter: &mut impl Setter) -> Result<(), FieldError> {
    match &mut node.value {
        Value::Scalar(_) => return Ok(()),
        Value::Sequence(items, _) => {
            if let Some(items) = Arc::get_mut(items) {
                return items.iter_mut().try_for_each(|item| write_containers(item, setter));
            }
        }
        Value::Mapping(mapping) => {
            if let Some(mapping) = Arc::get_mut(mapping) {
                return mapping.entries.iter_mut().try_for_each(|entry| {
                    write_containers(&mut entry.value, setter)?;
                    let is_list = is_containers_key(&entry.key);
                    if is_list { write_elements(&mut entry.value, setter) } else { Ok(()) }
                });
            }
        }
    }
    if let Some(written) = with_rewritten_images(node, setter)? {
        *node = written;
    }
    Ok(())
}

/// The tree with its images written; `None` if it has no image to write.
fn with_rewritten_images(
    node: &Node,
    setter: &mut impl Setter,
) -> Result<Option<Node>, FieldError> {
    let mut written: Option<Node> = None;
    for (index, item) in node.items().unwrap_or_default().iter().enumerate() {
        if item.as_scalar().is_some() {
            continue;
        }
        if let Some(item) = with_rewritten_images(item, setter)?
            && let Some(items) = written.get_or_insert_with(|| node.clone()).items_mut()
        {
            items[index] = item;
        }
    }
    for (index, entry) in node.entries().iter().enumerate() {
        if entry.value.as_scalar().is_some() {
            continue;
        }
        let mut value = with_rewritten_images(&entry.value, setter)?;
        if is_containers_key(&entry.key) {
            let list = value.as_ref().unwrap_or(&entry.value);
            if elements_reach(list, setter) == WalkResult::Write {
                write_elements(value.get_or_insert_with(|| entry.value.clone()), setter)?;
            }
        }
        if let Some(value) = value
            && let Some(mapping) = written.get_or_insert_with(|| node.clone()).as_mapping_mut()
        {
            mapping.entries[index].value = value;
        }
    }
    Ok(written)
}

/// The largest effect of the setter on the elements of a list.
fn elements_reach(list: &Node, setter: &impl Setter) -> WalkResult {
    let elements = list.items().unwrap_or_default().iter();
    elements.map(|element| element_reach(element, setter)).max().unwrap_or(WalkResult::No)
}

fn write_elements(list: &mut Node, setter: &mut impl Setter) -> Result<(), FieldError> {
    for index in 0..list.items().map_or(0, <[Node]>::len) {
        let now = list.items().and_then(|items| items.get(index));
        if now.is_none_or(|element| element_reach(element, setter) != WalkResult::Write) {
            continue;
        }
        let Some(element) = list.items_mut().and_then(|items| items.get_mut(index)) else {
            continue;
        };
        write_element(element, setter)?;
    }
    Ok(())
}

/// Writes the `image` of one element; a null element is skipped.
fn write_element(element: &mut Node, setter: &mut impl Setter) -> Result<(), FieldError> {
    if element.as_mapping().is_none() {
        return Err(FieldError::wrong_kind(NodeKind::Mapping, element));
    }
    element.get_mut("image").map_or(Ok(()), |image| setter.set(image))
}
