//! The merge key `<<`.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::yaml::{Mapping, MappingEntry, MergeFault, Node, NodeKind, Tag, Value};

/// True for a key with the merge tag: when Kustomize reads a resource, it checks only the tag
/// (`DeAnchor`), and does not remove a key with another text.
fn is_merge(key: &Node) -> bool {
    key.as_scalar().is_some_and(|scalar| matches!(scalar.tag, Tag::Merge))
}

/// True for a key with the merge tag and the text `<<`: go-yaml checks both (`isMerge`).
fn is_merge_to_go(key: &Node) -> bool {
    is_merge(key) && key.text() == Some("<<")
}

/// Applies merge keys as Kustomize does to resources: the mapping's own entries win at any
/// position, then those of the earlier merged mapping. Afterwards the first key with the text `<<`
/// is removed, even a quoted one.
///
/// # Errors
/// Two merge keys, or a value that is not a mapping.
pub fn merge_v3(
    mut entries: Vec<MappingEntry>,
    by_alias: bool,
) -> Result<Vec<MappingEntry>, MergeFault> {
    let mut merges = entries.iter().filter(|entry| is_merge(&entry.key));
    let value = merges.next().map(|entry| entry.value.clone());
    if merges.next().is_some() {
        return Err(MergeFault::Twice);
    }
    let merged = value.as_ref().map_or(Ok(Vec::new()), |value| mappings(value, by_alias))?;
    if let Some(index) = entries.iter().position(|entry| entry.key.text() == Some("<<")) {
        entries.remove(index);
    }
    let own = entries.len();
    let mut index: IndexMap<Arc<str>, usize> = IndexMap::with_capacity(own);
    for (at, entry) in entries.iter().enumerate() {
        index.entry(text(&entry.key)).or_insert(at);
    }
    // Merged in reverse order, so that earlier mappings overwrite later ones.
    for mapping in merged.into_iter().rev() {
        for entry in mapping.entries() {
            let key = text(&entry.key);
            // Of duplicate keys in a merged mapping, Kustomize uses the first.
            let value = copy(mapping.get(&key).unwrap_or(&entry.value));
            let at = *index.entry(key).or_insert(entries.len());
            match entries.get_mut(at) {
                Some(_) if at < own => {}
                Some(known) => known.value = value,
                None => entries.push(MappingEntry { value, ..entry.clone() }),
            }
        }
    }
    Ok(entries)
}

/// The mapping with its merge keys applied, as when Kustomize converts a tree to JSON; `None` if it
/// has none or an invalid one.
pub fn mapping_with_merges_applied(mapping: &Mapping) -> Option<Mapping> {
    if !mapping.entries.iter().any(|entry| is_merge_to_go(&entry.key)) {
        return None;
    }
    let entries = merge_v3(mapping.entries.to_vec(), false).ok()?;
    Some(Mapping { entries: entries.into(), style: mapping.style })
}

/// A deep copy with separate texts: its scalars do not count as nodes of an alias.
fn copy(node: &Node) -> Node {
    let mut copied = node.clone();
    match &mut copied.value {
        Value::Scalar(scalar) => scalar.text = Arc::from(&*scalar.text),
        Value::Sequence(items, _) => *items = Arc::new(items.iter().map(copy).collect()),
        Value::Mapping(mapping) => {
            for entry in &mut Arc::make_mut(mapping).entries {
                entry.value = copy(&entry.value);
            }
        }
    }
    copied
}

fn text(key: &Node) -> Arc<str> {
    key.as_scalar().map_or_else(|| Arc::from(""), |scalar| Arc::clone(&scalar.text))
}

fn mappings(value: &Node, by_alias: bool) -> Result<Vec<&Node>, MergeFault> {
    match value.kind() {
        NodeKind::Mapping => Ok(vec![value]),
        _ if by_alias => Err(MergeFault::Alias),
        NodeKind::Scalar => Err(MergeFault::NoMap),
        NodeKind::Sequence => value
            .items()
            .unwrap_or_default()
            .iter()
            .map(|item| match item.kind() {
                NodeKind::Mapping => Ok(item),
                NodeKind::Sequence => Err(MergeFault::NestedList),
                NodeKind::Scalar => Err(MergeFault::NoMap),
            })
            .collect(),
    }
}

/// Applies merge keys as go-yaml v2 does to configuration: at the position of the merge key, so
/// that later keys override it and it overrides earlier ones; of merged mappings the earlier wins.
///
/// # Errors
/// A value that is not a mapping.
pub(super) fn merge_v1_1(entries: Vec<MappingEntry>) -> Result<Vec<MappingEntry>, MergeFault> {
    let mut out = Vec::with_capacity(entries.len());
    for entry in entries {
        if !is_merge(&entry.key) {
            out.push(entry);
            continue;
        }
        let value = &entry.value;
        let merged = match value.kind() {
            NodeKind::Mapping => vec![value],
            NodeKind::Sequence => value.items().unwrap_or_default().iter().rev().collect(),
            NodeKind::Scalar => return Err(MergeFault::NoMap),
        };
        for mapping in merged {
            let mapping = mapping.as_mapping().ok_or(MergeFault::NoMap)?;
            out.extend(mapping.entries.iter().cloned());
        }
    }
    Ok(out)
}

/// Keeps the last of the entries with the same key text.
pub(super) fn keep_last(mut entries: Vec<MappingEntry>) -> Vec<MappingEntry> {
    let mut seen: IndexSet<Arc<str>> = IndexSet::with_capacity(entries.len());
    entries.reverse();
    entries.retain(|entry| seen.insert(text(&entry.key)));
    entries.reverse();
    entries
}
