//! The configuration of a plain transformer: the values of the keys that its [`PlainStruct`] lists,
//! with their locations.

use std::collections::BTreeMap;

use crate::resource::Selector;
use crate::yaml::Mark;

use super::{FieldSpec, Marked, Pairs};

/// A mapping with known keys: an entry of a field with a plain transformer, the configuration of
/// such a plugin, or a mapping nested in one of these.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainEntry {
    pub(super) values: BTreeMap<&'static str, (PlainValue, Mark)>,
}

/// A value in a [`PlainEntry`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PlainValue {
    Text(String),
    Number(i64),
    Flag(bool),
    Texts(Vec<Marked<String>>),
    Pairs(Pairs),
    Selector(Selector),
    FieldSpecs(Vec<FieldSpec>),
    Mapping(PlainEntry),
    List(Vec<Marked<PlainEntry>>),
}

/// The value of a key if it has the expected type, otherwise the zero value, as in Go.
macro_rules! value {
    ($self:ident, $key:ident, $kind:ident($value:ident) => $found:expr, $none:expr) => {
        match $self.values.get($key) {
            Some((PlainValue::$kind($value), _)) => $found,
            _ => $none,
        }
    };
}

impl PlainEntry {
    /// The text under a key; empty if absent.
    pub fn text(&self, key: &str) -> &str {
        value!(self, key, Text(text) => text, "")
    }

    /// The number under a key; zero if absent.
    pub fn number(&self, key: &str) -> i64 {
        value!(self, key, Number(number) => *number, 0)
    }

    /// The boolean under a key; false if absent.
    pub fn flag(&self, key: &str) -> bool {
        value!(self, key, Flag(flag) => *flag, false)
    }

    /// The list of texts under a key; empty if absent.
    pub fn texts(&self, key: &str) -> &[Marked<String>] {
        value!(self, key, Texts(texts) => texts, &[])
    }

    /// The mapping of texts under a key, in the order of its keys; `None` if absent.
    pub fn pairs(&self, key: &str) -> Option<&Pairs> {
        value!(self, key, Pairs(pairs) => Some(pairs), None)
    }

    /// The selector of resources under a key; `None` if absent.
    pub fn selector(&self, key: &str) -> Option<&Selector> {
        value!(self, key, Selector(selector) => Some(selector), None)
    }

    /// The list of field specs under a key; empty if absent.
    pub fn field_specs(&self, key: &str) -> &[FieldSpec] {
        value!(self, key, FieldSpecs(specs) => specs, &[])
    }

    /// The nested mapping of values under a key; `None` if absent.
    pub fn mapping(&self, key: &str) -> Option<&Self> {
        value!(self, key, Mapping(entry) => Some(entry), None)
    }

    /// The list of mappings under a key; empty if absent.
    pub fn list(&self, key: &str) -> &[Marked<Self>] {
        value!(self, key, List(entries) => entries, &[])
    }

    /// The location of the value under a key.
    pub fn mark(&self, key: &str) -> Mark {
        self.values.get(key).map(|(_, mark)| *mark).unwrap_or_default()
    }
}
