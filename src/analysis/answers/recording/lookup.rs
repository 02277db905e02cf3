//! Elements of lists: their names, and the same element in two states of a list.

use crate::engine::yaml::{Node, SourceId};

/// The keys whose text names an element: the keys by which Kubernetes merges lists, the most
/// specific first.
const NAMING_KEYS: [&str; 9] =
    ["name", "key", "mountPath", "containerPort", "port", "devicePath", "topologyKey", "ip", "id"];

/// The file, line and column of a list element.
type ElementLocation = (SourceId, u32, u32);

fn element_location(node: &Node) -> ElementLocation {
    (node.mark.source, node.mark.line, node.mark.column)
}

/// The key that names an element, and its text.
pub(in crate::answers) fn element_key(item: &Node) -> Option<(&'static str, &str)> {
    NAMING_KEYS.into_iter().find_map(|key| Some((key, item.text_of(key)?)))
}

/// The index of the element of a list that a part of a path means: `name=web`, its index, its name,
/// or its text.
pub(super) fn element_index(items: &[Node], part: &str) -> Option<usize> {
    if let Some((key, value)) = part.split_once('=') {
        let found = items.iter().position(|item| item.text_of(key) == Some(value));
        if found.is_some() {
            return found;
        }
    }
    let index = part.parse().ok().filter(|index| *index < items.len());
    index.or_else(|| {
        items.iter().position(|item| {
            item.text() == Some(part) || element_key(item).is_some_and(|(_, text)| text == part)
        })
    })
}

/// The index in `before` of the element that corresponds to the element of `now` at `index`: the
/// element at the same location of a file, with the same key, or with the same content. In a list
/// of unchanged length, it may be the element at the same index, if that corresponds to no other
/// element.
pub(in crate::answers) fn corresponding_element(
    now: &[Node],
    before: &[Node],
    index: usize,
) -> Option<usize> {
    find_equal_element(index, now, before).or_else(|| {
        let (item, old) = (now.get(index)?, before.get(index)?);
        let is_new = element_key(item).is_some() && element_key(old).is_some();
        let is_anothers = || find_equal_element(index, before, now).is_some();
        (now.len() == before.len() && !is_anothers() && !is_new).then_some(index)
    })
}

/// The index in `others` of the element at the same location as an element of `own`, or else with
/// the same name or content.
fn find_equal_element(index: usize, own: &[Node], others: &[Node]) -> Option<usize> {
    let item = own.get(index).filter(|_| !others.is_empty())?;
    let key = element_key(item);
    if item.as_scalar().is_none() && item.mark.line > 0 && item.mark.column > 0 {
        let at = element_location(item);
        let at_location = |other: &Node| element_location(other) == at;
        // The name of the element may have changed, for instance by a prefix, so the location alone
        // is tried as well.
        let there = only(others, |other| at_location(other) && element_key(other) == key)
            .or_else(|| only(others, at_location).filter(|_| only(own, at_location).is_some()));
        if there.is_some() {
            return there;
        }
    }
    // Of several equal elements, the nth corresponds to the nth equal element of the other list.
    let is_same = |other: &&Node| match key {
        Some(_) => element_key(other) == key,
        None => other.same_content(item),
    };
    let number = own.iter().take(index).filter(is_same).count();
    let mut alike = others.iter().enumerate().filter(|(_, other)| is_same(other));
    alike.nth(number).map(|(found, _)| found)
}

/// The index of the only element with a property.
fn only(items: &[Node], is_it: impl Fn(&Node) -> bool) -> Option<usize> {
    let mut found = (0..).zip(items).filter(|(_, item)| is_it(item));
    let (first, second) = (found.next(), found.next());
    first.filter(|_| second.is_none()).map(|(at, _)| at)
}
