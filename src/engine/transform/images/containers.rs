//! Containers anywhere in a tree, and their images.

use std::sync::Arc;

use crate::resource::{PathStep, Resource, at, at_mut, spread};
use crate::yaml::{Node, NodeKind};

use super::super::field_walk::{ChildPath, WriteField};
use super::super::set_field::{FieldError, Rewrite};

pub(super) const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

fn is_containers_key(key: &Node) -> bool {
    key.text().is_some_and(|key| CONTAINERS.contains(&key))
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

pub(super) fn may_share_containers(resource: &Resource) -> bool {
    resource.shared.iter().any(|shared| shared.is_below(&CONTAINERS))
}

/// The tree of a resource with its images written, the deepest first, one position after the other: if
/// containers have shared nodes, an image can be written once for each position.
pub(super) fn rewrite_all_containers(
    resource: &Resource,
    write: &mut WriteField<'_>,
) -> Result<Rewrite, FieldError> {
    let mut shared = resource.shared.clone();
    let mut places = Vec::new();
    find_elements(&resource.node, &mut Vec::new(), &mut places);
    let mut result = Rewrite::NO;
    for place in places {
        let now = result.node.as_ref().unwrap_or(&resource.node);
        let Some(element) = at(now, &place) else { continue };
        let Rewrite { effect, node: element } = rewrite_element(element, write)?;
        let node = element.map(|element| {
            let mut node = now.clone();
            if let Some(slot) = at_mut(&mut node, &place) {
                *slot = element;
            }
            spread(&mut shared, &mut node);
            node
        });
        result.then(Rewrite { effect, node });
    }
    Ok(result)
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

/// A container with its `image` written; a null has none.
fn rewrite_element(element: &Node, write: &mut WriteField<'_>) -> Result<Rewrite, FieldError> {
    let Some(mapping) = element.as_mapping() else {
        let error = FieldError::wrong_kind(NodeKind::Mapping, element);
        return if element.is_null() { Ok(Rewrite::NO) } else { Err(error) };
    };
    let mut result = Rewrite::NO;
    if let Some(place) = mapping.place("image") {
        let image = write(&mapping.entries[place].value)?;
        result.add_value(element, place, image);
    }
    Ok(result)
}
