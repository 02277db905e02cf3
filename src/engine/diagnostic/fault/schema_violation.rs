//! Deviations of an object from its schema in a catalog (D-C14).

use std::fmt;

use crate::resource::PathStep;
use crate::yaml::{Node, Tag, print_preserving_style};

/// A path in an object, and the rule of the schema that it breaks. As a text, the object itself is
/// *the functionConfig*.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaViolation {
    /// The path in the object; empty for the object itself.
    pub path: Vec<PathStep>,
    pub rule: BrokenRule,
}

/// A rule of a schema, and the value that breaks it. Types have the names of JSON schemas.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BrokenRule {
    #[error("expected {expected}, got {found}")]
    Type { expected: String, found: &'static str },
    /// `x-kubernetes-int-or-string`
    #[error("expected integer or string, got {0}")]
    IntOrString(&'static str),
    #[error(
        "expected one of {}, got {}",
        allowed.iter().map(shown).collect::<Vec<_>>().join(", "),
        shown(found)
    )]
    Enum { allowed: Vec<Node>, found: Node },
    #[error("required")]
    Required,
    /// `additionalProperties: false`
    #[error("unknown field")]
    UnknownField,
    /// `minLength`, `maxItems` and the like.
    #[error("expected {} {limit} {of}, got {found}", bound.words(false))]
    Count { of: SizeUnit, bound: Bound, limit: usize, found: usize },
    /// `minimum` or `maximum`; exclusive if the limit itself is not allowed.
    #[error("expected {} {limit}, got {found}", bound.words(*is_exclusive))]
    Number { bound: Bound, is_exclusive: bool, limit: f64, found: String },
    /// `uniqueItems`
    #[error("appears twice")]
    DuplicateItem,
    #[error("{found:?} does not match {pattern:?}")]
    Pattern { pattern: String, found: String },
    #[error("matches no alternative (anyOf)")]
    AnyOf,
    /// The number of alternatives that the value fulfils.
    #[error("matches {0} of the alternatives (oneOf), not one")]
    OneOf(usize),
    #[error("matches the excluded schema (not)")]
    Not,
}

/// The units in which a schema limits sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeUnit {
    #[error("fields")]
    Fields,
    #[error("items")]
    Items,
    #[error("characters")]
    Characters,
}

/// The kind of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Least,
    Most,
}

impl SchemaViolation {
    /// The path as text, as in `spec.ports[0].name`; empty for the object itself.
    pub fn place(&self) -> String {
        let mut place = String::new();
        for step in &self.path {
            match step {
                PathStep::Key(key) if place.is_empty() => place.push_str(key),
                PathStep::Key(key) => place.extend([".", key]),
                PathStep::Index(index) => place.push_str(&format!("[{index}]")),
            }
        }
        place
    }
}

impl fmt::Display for SchemaViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place();
        let place = if place.is_empty() { "the functionConfig" } else { &place };
        write!(f, "{place}: {}", self.rule)
    }
}

impl Bound {
    fn words(self, is_exclusive: bool) -> &'static str {
        match (self, is_exclusive) {
            (Self::Least, false) => "at least",
            (Self::Least, true) => "more than",
            (Self::Most, false) => "at most",
            (Self::Most, true) => "less than",
        }
    }
}

fn shown(node: &Node) -> String {
    let Some(scalar) = node.as_scalar() else {
        return print_preserving_style(node).trim_end().replace('\n', " ");
    };
    let is_bare = node.is_null() || matches!(scalar.tag, Tag::Int | Tag::Float | Tag::Bool);
    if is_bare { scalar.text.to_string() } else { format!("{:?}", &*scalar.text) }
}
