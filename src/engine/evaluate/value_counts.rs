//! Counts the values in a resource that a step wrote. Each resource object is counted once for all
//! builds.

use std::sync::Arc;

use crate::diagnostic::dotted_path;
use crate::resource::Resource;
use crate::yaml::{Mark, Node, WriterId};

use super::aged_map::AgedMap;

/// Counts of written values in resources, kept across builds.
#[derive(Debug, Default)]
pub struct WrittenValueCounts {
    /// Keyed by address; the entry holds the resource, so that the address is not reused.
    known: AgedMap<(usize, WriterId), (usize, Arc<Resource>)>,
}

impl WrittenValueCounts {
    pub(super) fn count(&mut self, resource: &Arc<Resource>, writer: WriterId) -> usize {
        let key = (Arc::as_ptr(resource) as usize, writer);
        let counted = || (leaves(&resource.node, writer), resource.clone());
        self.known.get_or_insert_with(key, counted).0
    }

    /// Ends a build: drops counts used neither by it nor by the previous one.
    pub(super) fn end(&mut self) {
        self.known.end_evaluation();
    }
}

pub(super) fn leaves(node: &Node, writer: WriterId) -> usize {
    if let Some(items) = node.items().filter(|items| !items.is_empty()) {
        return items.iter().map(|item| leaves(item, writer)).sum();
    }
    if !node.entries().is_empty() {
        return node.entries().iter().map(|entry| leaves(&entry.value, writer)).sum();
    }
    usize::from(node.mark.writer == writer)
}

#[derive(Debug)]
pub(super) struct OverriddenValue {
    /// The path, such as `spec.replicas`.
    pub path: String,
    /// The location of the new value; `None` if the value was removed.
    pub by: Option<Mark>,
    pub is_equal: bool,
}

/// The values written by a step that are gone after a later step, or all of them if it removes the
/// resource. List elements are matched by name, or by index if they have none.
pub(super) fn overridden_values(
    before: &Node,
    after: Option<&Node>,
    writer: WriterId,
) -> Vec<OverriddenValue> {
    let mut found = Vec::new();
    gather(before, after, writer, &mut Vec::new(), &mut found);
    found
}

fn gather(
    before: &Node,
    after: Option<&Node>,
    writer: WriterId,
    path: &mut Vec<String>,
    found: &mut Vec<OverriddenValue>,
) {
    let items = before.items().unwrap_or_default();
    for (index, item) in items.iter().enumerate() {
        let name = item.text_of("name");
        let others = after.and_then(Node::items).unwrap_or_default();
        let other = match name {
            Some(_) => others.iter().find(|other| other.text_of("name") == name),
            None => others.get(index),
        };
        path.push(format!("[{}]", name.map_or_else(|| index.to_string(), str::to_owned)));
        gather(item, other, writer, path, found);
        path.pop();
    }
    for entry in before.entries() {
        let key = entry.key.text().unwrap_or_default();
        path.push(key.to_owned());
        gather(&entry.value, after.and_then(|after| after.get(key)), writer, path, found);
        path.pop();
    }
    let is_leaf = items.is_empty() && before.entries().is_empty();
    let is_left = after.is_some_and(|after| after.mark.writer == writer);
    if is_leaf && before.mark.writer == writer && !is_left {
        found.push(OverriddenValue {
            path: dotted_path(path),
            by: after.map(|after| after.mark),
            is_equal: after.is_some_and(|after| after.same_value(before)),
        });
    }
}
