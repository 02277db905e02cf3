//! Where an object does not fit the schema that a catalog has for it (D-C14).

use std::fmt;

use crate::resource::PathStep;
use crate::yaml::{Node, Tag, print_v3};

/// A place of an object, and the rule of the schema that it breaks. Its text calls the object as a whole
/// *the functionConfig*.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The place; empty for the object as a whole.
    pub path: Vec<PathStep>,
    /// What the schema asks for there, and what there is.
    pub rule: BrokenRule,
}

/// A rule of a schema, and what there is instead of what it asks for. Types are called as JSON schemas call them.
#[derive(Clone, Debug, PartialEq)]
pub enum BrokenRule {
    /// `type`
    Type {
        /// The type that it must have.
        expected: String,
        /// The type that it has.
        found: &'static str,
    },
    /// `x-kubernetes-int-or-string`: the type that it has.
    IntOrString(&'static str),
    /// `enum`
    Enum {
        /// The values that it may have.
        allowed: Vec<Node>,
        /// The value that it has.
        found: Node,
    },
    /// `required`: the field is not there.
    Required,
    /// `additionalProperties: false`: there is no such field.
    UnknownField,
    /// `minLength`, `maxItems` and their like.
    Count {
        /// What is counted.
        of: Counted,
        /// Which side of the limit is allowed.
        bound: Bound,
        /// The limit.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// `minimum` or `maximum`
    Number {
        /// Which side of the limit is allowed.
        bound: Bound,
        /// Whether the limit itself is not allowed: `exclusiveMinimum`, `exclusiveMaximum`.
        is_exclusive: bool,
        /// The limit.
        limit: f64,
        /// The number as it is written.
        found: String,
    },
    /// `uniqueItems`: an element equals one before it.
    Repeated,
    /// `pattern`
    Pattern {
        /// The pattern.
        pattern: String,
        /// The text that does not match it.
        found: String,
    },
    /// `anyOf`: no alternative fits.
    AnyOf,
    /// `oneOf`: how many alternatives fit.
    OneOf(usize),
    /// `not`: it fits.
    Not,
}

/// What a schema limits the number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Of a mapping.
    Fields,
    /// Of a list.
    Items,
    /// Of a text.
    Characters,
}

/// A limit, by what it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It, and what is above.
    Least,
    /// It, and what is below.
    Most,
}

impl Misfit {
    /// `spec.ports[0].name`; empty for the object as a whole.
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

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place();
        let place = if place.is_empty() { "the functionConfig" } else { &place };
        write!(f, "{place}: {}", self.rule)
    }
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { expected, found } => write!(f, "expected {expected}, got {found}"),
            Self::IntOrString(found) => write!(f, "expected integer or string, got {found}"),
            Self::Enum { allowed, found } => {
                let allowed: Vec<String> = allowed.iter().map(shown).collect();
                write!(f, "expected one of {}, got {}", allowed.join(", "), shown(found))
            }
            Self::Required => f.write_str("required"),
            Self::UnknownField => f.write_str("unknown field"),
            Self::Count { of, bound, limit, found } => {
                let of = match of {
                    Counted::Fields => "fields",
                    Counted::Items => "items",
                    Counted::Characters => "characters",
                };
                write!(f, "expected {} {limit} {of}, got {found}", bound.words(false))
            }
            Self::Number { bound, is_exclusive, limit, found } => {
                write!(f, "expected {} {limit}, got {found}", bound.words(*is_exclusive))
            }
            Self::Repeated => f.write_str("stands twice"),
            Self::Pattern { pattern, found } => write!(f, "{found:?} does not match {pattern:?}"),
            Self::AnyOf => f.write_str("fits none of the alternatives (anyOf)"),
            Self::OneOf(count) => {
                write!(f, "fits {count} of the alternatives (oneOf), not one")
            }
            Self::Not => f.write_str("fits what it must not be (not)"),
        }
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
        return print_v3(node).trim_end().replace('\n', " ");
    };
    let is_bare = node.is_null() || matches!(scalar.tag, Tag::Int | Tag::Float | Tag::Bool);
    if is_bare { scalar.text.to_string() } else { format!("{:?}", &*scalar.text) }
}
