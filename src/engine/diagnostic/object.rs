//! Objects, steps and entries, as messages call them.

use std::fmt;
use std::sync::Arc;

use crate::resource::ResId;

/// An object by kind and name: `Deployment web`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its kind.
    pub kind: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
}

impl From<&ResId> for Object {
    fn from(id: &ResId) -> Self {
        Self { kind: id.gvk.kind.clone(), name: id.name.clone() }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.name)
    }
}

/// An object by kind, name and the namespace that it is written in: `Deployment/web in shop`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedObject {
    /// Its kind.
    pub kind: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its namespace; empty where none is written.
    pub namespace: Arc<str>,
}

impl From<&ResId> for PlacedObject {
    fn from(id: &ResId) -> Self {
        let (kind, name, namespace) = (&id.gvk.kind, &id.name, &id.namespace);
        Self { kind: kind.clone(), name: name.clone(), namespace: namespace.clone() }
    }
}

impl PlacedObject {
    /// `Deployment/web`
    pub fn unplaced(&self) -> String {
        format!("{}/{}", self.kind, self.name)
    }
}

impl fmt::Display for PlacedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.name)?;
        if self.namespace.is_empty() { Ok(()) } else { write!(f, " in {}", self.namespace) }
    }
}

/// A step of a recording, as messages call it: `step 3, patches a.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepName {
    /// Its number, from 1.
    pub number: usize,
    /// Its field, or its name where it has no field.
    pub what: Arc<str>,
    /// What it works with; empty where that is nothing.
    pub argument: Arc<str>,
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}, {}", self.number, self.what)?;
        if self.argument.is_empty() { Ok(()) } else { write!(f, " {}", self.argument) }
    }
}

/// An entry of a list, as messages call it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryName {
    /// What it says, when that is a word.
    #[error("{0}")]
    Word(String),
    /// The line in which it begins.
    #[error("the entry of line {0}")]
    Line(u32),
}

/// An entry that moves below one of its own list; both are given by their places among the active ones, and by their names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {} below {}, entry {} of `{field}`", called.0, called.1, below + 1)]
pub struct EntryMove {
    /// The kustomization file, absolute.
    pub file: Arc<str>,
    /// The list.
    pub field: &'static str,
    /// The entry.
    pub entry: usize,
    /// The one that it goes below.
    pub below: usize,
    /// What both are called.
    pub called: (EntryName, EntryName),
}
