//! The errors of a Composition: all errors of one file at once.

use std::fmt::Display;

use crate::diagnostic::CompositionRemark;
use crate::yaml::{Mark, Node, NodeKind, Tag, YamlError};

/// One error in a Composition, with its location and the JSON pointer of the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryProblem {
    pub mark: Mark,
    /// The JSON pointer of the field; empty for the document.
    pub pointer: String,
    /// The entry by its path (`transformers[0].runtime`), and the error.
    pub wrong: String,
}

/// The reason why a text is no valid Composition.
#[derive(Clone, Debug, PartialEq)]
pub enum CompositionError {
    Yaml(YamlError),
    /// No document, or only empty ones (D-A5).
    Empty,
    Kind {
        kind: String,
        mark: Mark,
    },
    /// All errors of the file, in document order.
    Invalid(Vec<EntryProblem>),
}

#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) all: Vec<EntryProblem>,
    pub(super) warnings: Vec<super::Marked<CompositionRemark>>,
    has_former_names: bool,
    /// The name of the part that is read, in messages; empty for the document.
    pub(super) part: String,
    pub(super) at: String,
}

impl Problems {
    pub(super) fn enter(&mut self, part: impl Into<String>, at: impl Into<String>) {
        (self.part, self.at) = (part.into(), at.into());
    }

    pub(super) fn enter_item(&mut self, field: &str, index: usize) {
        self.enter(format!("{field}[{index}]"), format!("/{field}/{index}"));
    }

    /// Adds an error at a field of the part, given by its keys.
    pub(super) fn add(&mut self, mark: Mark, keys: &[&str], cause: impl Display) {
        self.add_as(&self.part.clone(), mark, keys, cause);
    }

    /// Adds an error that is reported for a section of the part, as `transformers[0].runtime`.
    pub(super) fn add_in(&mut self, section: &str, mark: Mark, keys: &[&str], cause: impl Display) {
        self.add_as(&format!("{}.{section}", self.part), mark, keys, cause);
    }

    /// Adds an error that is reported for another name.
    pub(super) fn add_as(&mut self, entry: &str, mark: Mark, keys: &[&str], cause: impl Display) {
        let pointer = keys.iter().fold(self.at.clone(), |at, key| join_pointer(&at, key));
        let apart = if entry.is_empty() { "" } else { ": " };
        self.all.push(EntryProblem { mark, pointer, wrong: format!("{entry}{apart}{cause}") });
    }

    pub(super) fn warn(&mut self, mark: Mark, remark: CompositionRemark) {
        self.warnings.push(super::Marked { value: remark, mark });
    }

    /// Warns of a former name. `provider` is reported only if the file has no other former name.
    pub(super) fn warn_of_former_name(&mut self, mark: Mark, old: &str, new: &str) {
        if old != "provider" || !self.has_former_names {
            self.warn(mark, CompositionRemark::FormerName(old.to_owned(), new.to_owned()));
        }
        self.has_former_names = true;
    }

    pub(super) fn report_duplicate_keys(&mut self, node: &Node, pointer: &str) {
        for (index, item) in node.items().unwrap_or_default().iter().enumerate() {
            self.report_duplicate_keys(item, &format!("{pointer}/{index}"));
        }
        let mut seen = indexmap::IndexSet::new();
        for entry in node.entries() {
            let key = entry.key.text().unwrap_or_default();
            let below = join_pointer(pointer, key);
            if !seen.insert(key) {
                let wrong = format!("key '{key}' is already set");
                self.all.push(EntryProblem { mark: entry.key.mark, pointer: below.clone(), wrong });
            }
            self.report_duplicate_keys(&entry.value, &below);
        }
    }
}

fn join_pointer(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The error of a value of the wrong type; `expected` contains the article, as in `a mapping`.
pub(super) fn wrong_type(expected: &str, node: &Node) -> String {
    format!("expected {expected}, got {}", type_name(node))
}

pub(super) fn not_both(now: &str, former: &str) -> String {
    format!("use '{now}' or '{former}', not both")
}

pub(super) fn did_you_mean(near: Option<&str>, quote: &str) -> String {
    near.map(|near| format!("; did you mean {quote}{near}{quote}?")).unwrap_or_default()
}

pub(super) fn type_name(node: &Node) -> &'static str {
    match node.kind() {
        NodeKind::Mapping => "a mapping",
        NodeKind::Sequence => "a list",
        NodeKind::Scalar if is_text(node) => "a string",
        NodeKind::Scalar => match node.as_scalar().map(|scalar| &scalar.tag) {
            Some(Tag::Null) => "null",
            Some(Tag::Bool) => "a boolean",
            Some(Tag::Int | Tag::Float) => "a number",
            _ => "a scalar",
        },
    }
}

pub(super) fn is_text(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| scalar.tag == Tag::Str)
}
