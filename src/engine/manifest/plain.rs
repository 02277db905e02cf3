//! What a plain transformer is told: texts and whole numbers, each with its place.

use std::collections::BTreeMap;

use crate::yaml::Mark;

/// One entry of a plain field, or what such a plugin is configured with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainEntry {
    pub(super) values: BTreeMap<&'static str, (PlainValue, Mark)>,
}

/// A value of such an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlainValue {
    Text(String),
    Number(i64),
}

impl PlainEntry {
    /// A text; an empty one where there is none.
    pub fn text(&self, key: &str) -> &str {
        match self.values.get(key) {
            Some((PlainValue::Text(text), _)) => text,
            Some((PlainValue::Number(_), _)) | None => "",
        }
    }

    /// A number; zero where there is none.
    pub fn number(&self, key: &str) -> i64 {
        match self.values.get(key) {
            Some((PlainValue::Number(number), _)) => *number,
            Some((PlainValue::Text(_), _)) | None => 0,
        }
    }

    /// Where a value is written.
    pub fn mark(&self, key: &str) -> Mark {
        self.values.get(key).map(|(_, mark)| *mark).unwrap_or_default()
    }
}
