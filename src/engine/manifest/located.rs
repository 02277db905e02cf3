//! A value of a kustomization file, and its location.

use indexmap::IndexMap;

use crate::yaml::Mark;

/// A value and its location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked<T> {
    pub value: T,
    /// The location of the first character of the value, not that of a dash before it.
    pub mark: Mark,
}

/// Labels or annotations in key order, each with the location of its value.
pub type Pairs = IndexMap<String, Marked<String>>;
