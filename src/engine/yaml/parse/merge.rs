//! The merge key `<<`.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::yaml::{Entry, Node, NodeKind, Tag, Value};

const WANTS_MAPS: &str = "map merge requires map or sequence of maps as the value";

fn is_merge(key: &Node) -> bool {
    key.as_scalar().is_some_and(|scalar| scalar.tag == Tag::Merge)
}

/// Applies merge keys as Kustomize does to resources: what the mapping says itself wins wherever it stands, then
/// the earlier of the merged mappings. Then the first key whose text is `<<` is gone, even a quoted one.
///
/// # Errors
/// Two merge keys, or something that is not a mapping: the words, without a place.
pub fn merge_v3(mut entries: Vec<Entry>, by_alias: bool) -> Result<Vec<Entry>, &'static str> {
    let mut merges = entries.iter().filter(|entry| is_merge(&entry.key));
    let value = merges.next().map(|entry| entry.value.clone());
    if merges.next().is_some() {
        return Err("duplicate merge key");
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
    // The last in line comes first, so that earlier ones overwrite it.
    for mapping in merged.iter().rev() {
        for entry in mapping.entries() {
            let key = text(&entry.key);
            // Of a key that a mapping has twice, Kustomize finds the first.
            let value = copy(mapping.get(&key).unwrap_or(&entry.value));
            let at = *index.entry(key).or_insert(entries.len());
            match entries.get_mut(at) {
                Some(_) if at < own => {}
                Some(known) => known.value = value,
                None => entries.push(Entry { value, ..entry.clone() }),
            }
        }
    }
    Ok(entries)
}

/// A copy whose scalars have texts of their own: they are other nodes than those of an alias.
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

fn mappings(value: &Node, by_alias: bool) -> Result<Vec<&Node>, &'static str> {
    match value.kind() {
        NodeKind::Mapping => Ok(vec![value]),
        _ if by_alias => Err("invalid map merge: received alias for a non-map value"),
        NodeKind::Scalar => Err(WANTS_MAPS),
        NodeKind::Sequence => value
            .items()
            .unwrap_or_default()
            .iter()
            .map(|item| match item.kind() {
                NodeKind::Mapping => Ok(item),
                NodeKind::Sequence => Err("invalid map merge: received a nested sequence"),
                NodeKind::Scalar => Err(WANTS_MAPS),
            })
            .collect(),
    }
}

/// Applies merge keys as go-yaml v2 does to configuration: where the merge key stands, so that later keys win
/// over it and it wins over earlier ones; of merged mappings the earlier wins.
///
/// # Errors
/// Something that is not a mapping: the words, without a place.
pub(super) fn merge_v1_1(entries: Vec<Entry>) -> Result<Vec<Entry>, &'static str> {
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
            NodeKind::Scalar => return Err(WANTS_MAPS),
        };
        for mapping in merged {
            let mapping = mapping.as_mapping().ok_or(WANTS_MAPS)?;
            out.extend(mapping.entries.iter().cloned());
        }
    }
    Ok(out)
}

/// Keeps the last of the entries with the same key text.
pub(super) fn keep_last(entries: Vec<Entry>) -> Vec<Entry> {
    if entries.len() < 2 {
        return entries;
    }
    let mut last: IndexMap<Arc<str>, usize> = IndexMap::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        last.insert(text(&entry.key), at);
    }
    if last.len() == entries.len() {
        return entries;
    }
    let mut at = 0;
    let mut entries = entries;
    entries.retain(|entry| {
        let kept = last.get(&*text(&entry.key)) == Some(&at);
        at += 1;
        kept
    });
    entries
}
