//! The names of list elements: the values of the keys that identify them.

use indexmap::IndexSet;

use crate::engine::yaml::Node;

/// Keys that identify the elements of lists: the merge keys of Kubernetes lists first, then keys
/// that are common in custom resources. A second key may be missing.
const IDENTIFYING_KEYS: &[&[&str]] = &[
    &["name"],
    &["containerPort", "protocol"],
    &["port", "protocol"],
    &["mountPath"],
    &["devicePath"],
    &["topologyKey"],
    &["key"],
    &["type"],
    &["ip"],
    &["id"],
    &["host"],
    &["path"],
    &["alert"],
    &["record"],
];

/// The key that identifies all elements of both lists, with its values in the old and in the new
/// list.
pub(super) fn identifying_key(
    old: &[Node],
    new: &[Node],
) -> Option<(&'static str, Vec<String>, Vec<String>)> {
    if old.is_empty() || new.is_empty() {
        return None;
    }
    IDENTIFYING_KEYS.iter().find_map(|keys| {
        let (first, _) = keys.split_first()?;
        let names = |items: &[Node]| {
            let name = |item: &Node| element_name(keys, item);
            let names: Option<Vec<String>> = items.iter().map(name).collect();
            let names = names?;
            let different: IndexSet<&String> = names.iter().collect();
            (different.len() == names.len()).then_some(names)
        };
        Some((*first, names(old)?, names(new)?))
    })
}

/// The name of an element: its value at the first of the keys, then those at the others.
fn element_name(keys: &[&str], item: &Node) -> Option<String> {
    let (first, rest) = keys.split_first()?;
    let mut name = item.get(first)?.text()?.to_owned();
    for more in rest.iter().filter_map(|key| item.get(key)?.text()) {
        name.push_str(&format!("/{more}"));
    }
    Some(name)
}

/// True if the segment of a path names this element of a list: its first key with its name, or for
/// an empty key its text.
pub(super) fn is_named(item: &Node, key: &str, name: &str) -> bool {
    if key.is_empty() {
        return item.text() == Some(name);
    }
    let mut keys = IDENTIFYING_KEYS.iter().filter(|keys| keys.first() == Some(&key));
    keys.any(|keys| element_name(keys, item).as_deref() == Some(name))
}
