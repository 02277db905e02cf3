//! Where a path leads, and reading and writing there.

use std::sync::Arc;

use crate::diagnostic::JsonPatchFault;
use crate::yaml::{Entry, Mapping, Node, NodeKind, Value};

pub(super) fn decode(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// How many collections stand around what a path leads to.
pub(super) fn depth(path: &str) -> usize {
    path.matches('/').count()
}

/// The collection that holds the last segment of a path, and that segment.
pub(super) fn container<'n>(root: &'n mut Node, path: &str) -> Option<(&'n mut Node, String)> {
    // What stands before the first slash does not count.
    let mut segments: Vec<String> = path.split('/').skip(1).map(decode).collect();
    let key = segments.pop()?;
    let mut node = root;
    for segment in &segments {
        node = match &mut node.value {
            Value::Mapping(mapping) => {
                mapping.get(segment)?;
                Arc::make_mut(mapping).get_mut(segment)?
            }
            Value::Sequence(items, _) => {
                let index = index(segment, items.len()).ok()?;
                &mut Arc::make_mut(items)[index]
            }
            Value::Scalar(_) => return None,
        };
    }
    (node.kind() != NodeKind::Scalar).then_some((node, key))
}

/// The place of an existing element; negative numbers count from the end.
pub(super) fn index(key: &str, length: usize) -> Result<usize, JsonPatchFault> {
    let number: i64 = key.parse().map_err(|_| JsonPatchFault::NoIndex(key.to_owned()))?;
    let at = if number < 0 { number.checked_add_unsigned(length as u64) } else { Some(number) };
    at.and_then(|at| usize::try_from(at).ok())
        .filter(|at| *at < length)
        .ok_or(JsonPatchFault::InvalidIndex(number))
}

pub(super) fn look(container: &Node, key: &str) -> Result<Option<Node>, JsonPatchFault> {
    match &container.value {
        Value::Mapping(mapping) => Ok(mapping.get(key).cloned()),
        Value::Sequence(items, _) => Ok(Some(items[index(key, items.len())?].clone())),
        Value::Scalar(_) => Ok(None),
    }
}

pub(super) fn take(container: &mut Node, key: &str) -> Result<Node, JsonPatchFault> {
    match &mut container.value {
        Value::Mapping(mapping) => {
            let missing = || JsonPatchFault::NothingToRemove(key.to_owned());
            mapping.get(key).ok_or_else(missing)?;
            Arc::make_mut(mapping).remove(key).ok_or_else(missing)
        }
        Value::Sequence(items, _) => {
            let index = index(key, items.len())?;
            Ok(Arc::make_mut(items).remove(index))
        }
        Value::Scalar(_) => Err(JsonPatchFault::InAScalar),
    }
}

pub(super) fn insert(container: &mut Node, key: &str, value: Node) -> Result<(), JsonPatchFault> {
    match &mut container.value {
        Value::Mapping(mapping) => set(Arc::make_mut(mapping), key, value),
        Value::Sequence(items, _) => {
            let length = items.len();
            let at = if key == "-" {
                length
            } else {
                let number: i64 =
                    key.parse().map_err(|_| JsonPatchFault::NoIndexToAdd(key.to_owned()))?;
                // Counted in the list as it will be.
                let grown = i64::try_from(length + 1).unwrap_or(i64::MAX);
                let at = if number < 0 { number.saturating_add(grown) } else { number };
                usize::try_from(at)
                    .ok()
                    .filter(|at| *at <= length)
                    .ok_or(JsonPatchFault::InvalidIndex(number))?
            };
            Arc::make_mut(items).insert(at, value);
        }
        Value::Scalar(_) => return Err(JsonPatchFault::InAScalar),
    }
    Ok(())
}

pub(super) fn set(mapping: &mut Mapping, key: &str, value: Node) {
    if let Some(slot) = mapping.get_mut(key) {
        *slot = value;
    } else {
        let key = Node::string(key).marked(value.mark);
        mapping.push(Entry { key, value });
    }
}
