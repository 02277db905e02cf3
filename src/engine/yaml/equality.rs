//! Equality of trees by three criteria: printed form, value as read, data.

use std::sync::Arc;

use super::{Mapping, MappingEntry, Node, Scalar, Style, Tag, Value, resolve_v3};

impl Node {
    /// True if both nodes print the same: text, tag, style and structure, without marks and
    /// comments.
    pub fn same_content(&self, other: &Self) -> bool {
        self.same_by(other, Scalar::is_same_as)
    }

    /// True if both nodes print the same, except for explicit tags that match the resolved type.
    pub fn same_reading(&self, other: &Self) -> bool {
        self.same_by(other, Scalar::reads_as)
    }

    /// True if both trees have the same structure, and `same` returns true for each pair of
    /// scalars.
    fn same_by(&self, other: &Self, same: fn(&Scalar, &Scalar) -> bool) -> bool {
        match (&self.value, &other.value) {
            (Value::Scalar(a), Value::Scalar(b)) => same(a, b),
            (Value::Sequence(a, s), Value::Sequence(b, t)) => {
                Arc::ptr_eq(a, b)
                    || s == t
                        && a.len() == b.len()
                        && a.iter().zip(b.iter()).all(|(a, b)| a.same_by(b, same))
            }
            (Value::Mapping(a), Value::Mapping(b)) => {
                Arc::ptr_eq(a, b)
                    || a.style == b.style
                        && a.entries.len() == b.entries.len()
                        && a.entries.iter().zip(&b.entries).all(|(a, b)| {
                            a.key.same_by(&b.key, same) && a.value.same_by(&b.value, same)
                        })
            }
            _ => false,
        }
    }

    /// True if both nodes are the same data: layout, quoting and the order of keys are ignored.
    pub fn same_value(&self, other: &Self) -> bool {
        let is_plain = |scalar: &Scalar| scalar.style == Style::Plain;
        match (&self.value, &other.value) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let tags = a.tag == b.tag && (a.tag != Tag::None || is_plain(a) == is_plain(b));
                same_text(&a.text, &b.text)
                    && (tags || a.resolves_to(&b.tag) || b.resolves_to(&a.tag))
            }
            (Value::Sequence(a, _), Value::Sequence(b, _)) => {
                Arc::ptr_eq(a, b)
                    || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_value(b))
            }
            (Value::Mapping(a), Value::Mapping(b)) => {
                let is_same = |a: &MappingEntry, b: &MappingEntry| {
                    a.key.same_value(&b.key) && a.value.same_value(&b.value)
                };
                Arc::ptr_eq(a, b)
                    || a.entries.len() == b.entries.len()
                        && (a.entries.iter().zip(&b.entries).all(|(a, b)| is_same(a, b))
                            || a.has_same_values(b))
            }
            _ => false,
        }
    }
}

impl Mapping {
    /// True if both mappings, of the same length, have the same data, in any order.
    fn has_same_values(&self, other: &Self) -> bool {
        let is_equal = |entry: &MappingEntry| {
            let found = entry.key.text().and_then(|key| other.get(key));
            found.is_some_and(|found| found.same_value(&entry.value))
        };
        let is_known =
            |entry: &MappingEntry| entry.key.text().is_some_and(|key| self.contains(key));
        self.entries.iter().all(is_equal) && other.entries.iter().all(is_known)
    }
}

impl Scalar {
    /// True if text, tag and style of both scalars are equal, and a tag is written in both or in
    /// neither.
    fn is_same_as(&self, other: &Self) -> bool {
        same_text(&self.text, &other.text)
            && (&self.tag, self.style, self.tagged) == (&other.tag, other.style, other.tagged)
            && (self.tag != Tag::Other || self.tag_name() == other.tag_name())
    }

    /// True if both scalars print the same; one of them may lack the tag to which its text
    /// resolves.
    fn reads_as(&self, other: &Self) -> bool {
        let same = same_text(&self.text, &other.text) && self.style == other.style;
        self.is_same_as(other)
            || same && (self.resolves_to(&other.tag) || other.resolves_to(&self.tag))
    }

    fn resolves_to(&self, tag: &Tag) -> bool {
        let is_plain = self.style == Style::Plain;
        let says = || if is_plain { resolve_v3(&self.text).is_of(tag) } else { *tag == Tag::Str };
        self.tag == Tag::None && says()
    }
}

/// Compares pointers first: copies share their texts.
fn same_text(one: &Arc<str>, other: &Arc<str>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}
