//! The displayed path of a field: `spec.template.spec.containers[orders].image`.

use std::fmt;

use indexmap::IndexSet;

use crate::engine::resource::PathStep;
use crate::engine::yaml::Node;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldSegment {
    Key(String),
    /// The element of a list with this value at this key; in a list of texts the key is empty.
    Element(String, String),
    /// The element of a list without a key, by index.
    Index(usize),
}

/// The path of a field in a resource. The empty path is the resource itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldPath(pub Vec<FieldSegment>);

impl FieldPath {
    #[must_use]
    pub fn with(&self, segment: FieldSegment) -> Self {
        Self(self.0.iter().cloned().chain([segment]).collect())
    }

    /// The keys, without the elements of lists: they identify the field of a type.
    pub fn keys(&self) -> Vec<&str> {
        let keys = self.0.iter().filter_map(|segment| match segment {
            FieldSegment::Key(key) => Some(key.as_str()),
            _ => None,
        });
        keys.collect()
    }

    /// True if the field is at or below these keys.
    pub fn is_below(&self, keys: &[&str]) -> bool {
        self.keys().starts_with(keys)
    }
}

impl FieldPath {
    /// The path of the field in a tree; `None` if the tree has no such field.
    pub(in crate::answers) fn find(&self, node: &Node) -> Option<Vec<PathStep>> {
        let mut place = node;
        let mut path = Vec::with_capacity(self.0.len());
        for segment in &self.0 {
            let (step, next) = match segment {
                FieldSegment::Key(key) => (PathStep::Key(key.as_str().into()), place.get(key)?),
                FieldSegment::Index(index) => {
                    (PathStep::Index(*index), place.items()?.get(*index)?)
                }
                FieldSegment::Element(key, name) => {
                    let items = place.items()?;
                    let index = items.iter().position(|item| is_named(item, key, name))?;
                    (PathStep::Index(index), &items[index])
                }
            };
            path.push(step);
            place = next;
        }
        Some(path)
    }

    /// True if the field at `path` contains this field, is equal to it, or is a part of it. Of a field
    /// that the tree does not have, only the keys are compared.
    pub(in crate::answers) fn overlaps(&self, node: &Node, path: &[PathStep]) -> bool {
        if let Some(own) = self.find(node) {
            return own.starts_with(path) || path.starts_with(&own);
        }
        let keys: Vec<&str> = path.iter().filter_map(PathStep::key).collect();
        keys.starts_with(&self.keys()) || self.is_below(&keys)
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_word = |text: &str| {
            !text.is_empty()
                && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '$'))
        };
        for (at, segment) in self.0.iter().enumerate() {
            match segment {
                FieldSegment::Key(key) if is_word(key) => {
                    write!(f, "{}{key}", if at == 0 { "" } else { "." })?;
                }
                FieldSegment::Key(key) => write!(f, "[{key:?}]")?,
                FieldSegment::Element(key, value) if key == "name" && is_word(value) => {
                    write!(f, "[{value}]")?;
                }
                FieldSegment::Element(key, value) if key.is_empty() => write!(f, "[{value:?}]")?,
                FieldSegment::Element(key, value) if is_word(value) => {
                    write!(f, "[{key}={value}]")?;
                }
                FieldSegment::Element(key, value) => write!(f, "[{key}={value:?}]")?,
                FieldSegment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

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
