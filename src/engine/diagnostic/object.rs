//! Names of objects, steps and entries in messages.

use std::sync::Arc;

use crate::resource::ResId;

/// An object by kind and name: `Deployment web`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} {name}")]
pub struct Object {
    pub kind: Arc<str>,
    pub name: Arc<str>,
}

impl From<&ResId> for Object {
    fn from(id: &ResId) -> Self {
        Self { kind: id.gvk.kind.clone(), name: id.name.clone() }
    }
}

/// An object by kind, name and written namespace: `Deployment/web in shop`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}/{name}{}{namespace}", if namespace.is_empty() { "" } else { " in " })]
pub struct PlacedObject {
    pub kind: Arc<str>,
    pub name: Arc<str>,
    /// The written namespace; empty if none is written.
    pub namespace: Arc<str>,
}

impl From<&ResId> for PlacedObject {
    fn from(id: &ResId) -> Self {
        let (kind, name, namespace) = (&id.gvk.kind, &id.name, &id.namespace);
        Self { kind: kind.clone(), name: name.clone(), namespace: namespace.clone() }
    }
}

impl PlacedObject {
    /// Kind and name, such as `Deployment/web`.
    pub fn kind_and_name(&self) -> String {
        format!("{}/{}", self.kind, self.name)
    }
}

/// The name of a step in messages: `step 3, patches a.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {number}, {field}{}{argument}", if argument.is_empty() { "" } else { " " })]
pub struct StepName {
    /// The number of the step, from 1.
    pub number: usize,
    /// The field, or the step's name if it has no field.
    pub field: Arc<str>,
    pub argument: Arc<str>,
}

/// An entry that moves below another entry of its list. The indices count only active entries.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {} below {}, entry {} of `{field}`", called.0, called.1, below + 1)]
pub struct EntryMove {
    /// The absolute path of the kustomization file.
    pub file: Arc<str>,
    pub field: &'static str,
    pub entry: usize,
    pub below: usize,
    /// The names of the two entries in messages.
    pub called: (String, String),
}

/// A field path for people, from its keys and its items in brackets: `containers[web].image`.
pub fn dotted_path(parts: &[impl AsRef<str>]) -> String {
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    parts.join(".").replace(".[", "[")
}

/// The texts of several items, with a separator.
pub(crate) fn joined(items: &[impl ToString], separator: &str) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}

/// The number of further items at the end of a list.
pub(crate) fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}
