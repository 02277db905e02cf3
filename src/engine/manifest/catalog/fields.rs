//! Reads the fields of a catalog one by one and collects warnings and errors.

use crate::diagnostic::{CatalogCause, CatalogProblem, UnexpectedValue, is_harmful, printable};
use crate::load::Digest;
use crate::yaml::{MappingEntry, Mark, Node, NodeKind, Tag};

use super::{CatalogOddity, CatalogWarning};

/// Collects warnings and errors while a catalog is read.
#[derive(Default)]
pub(super) struct CatalogReader {
    pub(super) warnings: Vec<CatalogWarning>,
    pub(super) problems: Vec<CatalogProblem>,
}

impl CatalogReader {
    pub(super) fn warn(&mut self, oddity: CatalogOddity, subject: &str, mark: Mark) {
        self.warnings.push(CatalogWarning { oddity, subject: printable(subject), mark });
    }

    pub(super) fn report_problem(
        &mut self,
        place: impl Into<String>,
        cause: CatalogCause,
        mark: Mark,
    ) {
        self.problems.push(CatalogProblem { place: place.into(), cause, mark });
    }

    pub(super) fn report_wrong_type(&mut self, place: &str, expected: &'static str, node: &Node) {
        let found = match node.kind() {
            NodeKind::Mapping => UnexpectedValue::Object,
            NodeKind::Sequence => UnexpectedValue::List,
            NodeKind::Scalar if node.is_null() => UnexpectedValue::Null,
            NodeKind::Scalar if place.is_empty() => UnexpectedValue::Text,
            NodeKind::Scalar => UnexpectedValue::Scalar(node.text().unwrap_or_default().to_owned()),
        };
        self.report_problem(place, CatalogCause::WrongType { expected, found }, node.mark);
    }
}

/// A mapping, its path in the document, and the keys that were read.
pub(super) struct ObjectFields<'a> {
    pub(super) node: &'a Node,
    pub(super) at: String,
    known: Vec<&'static str>,
}

impl<'a> ObjectFields<'a> {
    /// The fields of an object; reports other values and duplicate keys.
    pub(super) fn from_node(
        node: &'a Node,
        at: String,
        reader: &mut CatalogReader,
    ) -> Option<Self> {
        if node.kind() != NodeKind::Mapping {
            reader.report_wrong_type(&at, "an object", node);
            return None;
        }
        let entries = node.entries();
        for (index, MappingEntry { key, .. }) in entries.iter().enumerate() {
            let again = |other: &MappingEntry| other.key.text() == key.text();
            if entries.iter().take(index).any(again) {
                let text = key.text().unwrap_or_default().to_owned();
                reader.report_problem(&at, CatalogCause::RepeatedKey(text), key.mark);
            }
        }
        Some(Self { node, at, known: Vec::new() })
    }

    pub(super) fn path(&self, key: &str) -> String {
        if self.at.is_empty() { key.to_owned() } else { format!("{}.{key}", self.at) }
    }

    /// The value of a field; `None` for a missing field or `null`.
    pub(super) fn get(&mut self, key: &'static str) -> Option<&'a Node> {
        self.known.push(key);
        self.node.get(key).filter(|value| !value.is_null())
    }

    /// The value of a key; reports a problem if the key is absent.
    pub(super) fn required(
        &mut self,
        key: &'static str,
        reader: &mut CatalogReader,
    ) -> Option<&'a Node> {
        let found = self.get(key);
        if found.is_none() {
            reader.report_problem(self.path(key), CatalogCause::Required, self.node.mark);
        }
        found
    }

    /// The text of a key that affects how a function is run; reports a problem if the text contains
    /// control characters.
    pub(super) fn text(&mut self, key: &'static str, reader: &mut CatalogReader) -> Option<String> {
        let node = self.get(key)?;
        let text = scalar(node, &self.path(key), reader)?;
        if text.chars().any(is_harmful) {
            reader.report_problem(self.path(key), CatalogCause::ControlCharacters, node.mark);
            return None;
        }
        Some(text)
    }

    /// The text of a key; reports a problem if the text is absent or empty.
    pub(super) fn required_text(
        &mut self,
        key: &'static str,
        reader: &mut CatalogReader,
    ) -> Option<String> {
        self.required(key, reader)?;
        let text = self.text(key, reader)?;
        if text.trim().is_empty() {
            reader.report_problem(self.path(key), CatalogCause::EmptyText, self.node.mark);
            return None;
        }
        Some(text)
    }

    /// The text of a key that is only displayed, without its unprintable characters; empty if
    /// absent.
    pub(super) fn prose(
        &mut self,
        key: &'static str,
        subject: &str,
        reader: &mut CatalogReader,
    ) -> String {
        let Some(node) = self.get(key) else { return String::new() };
        let text = scalar(node, &self.path(key), reader).unwrap_or_default();
        shown_text(&text, &self.path(key), subject, node.mark, reader)
    }

    /// The texts of a list that is only displayed, without their unprintable characters.
    pub(super) fn list(
        &mut self,
        key: &'static str,
        subject: &str,
        reader: &mut CatalogReader,
    ) -> Vec<String> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let at = self.path(key);
        let Some(items) = node.items() else {
            reader.report_wrong_type(&at, "a list", node);
            return Vec::new();
        };
        let mut texts = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let at = format!("{at}[{index}]");
            if let Some(text) = scalar(item, &at, reader) {
                texts.push(shown_text(&text, &at, subject, item.mark, reader));
            }
        }
        texts
    }

    pub(super) fn boolean(
        &mut self,
        key: &'static str,
        reader: &mut CatalogReader,
    ) -> Option<bool> {
        let node = self.get(key)?;
        let found = node.as_scalar().filter(|scalar| scalar.tag == Tag::Bool);
        if found.is_none() {
            reader.report_wrong_type(&self.path(key), "a boolean", node);
        }
        Some(found?.text.eq_ignore_ascii_case("true"))
    }

    /// The digest of the key `sha256`: 64 hex digits, with or without `sha256:` before them (B.6).
    pub(super) fn sha256(&mut self, subject: &str, reader: &mut CatalogReader) -> Option<Digest> {
        let text = self.text("sha256", reader)?;
        let digest = Digest::parse(&text);
        if digest.is_none() {
            let mark = self.node.get("sha256").map_or(self.node.mark, |node| node.mark);
            reader.report_problem(subject, CatalogCause::BadDigest, mark);
        }
        digest
    }

    /// Warns of the fields that were not read (B.2 #29).
    pub(super) fn finish(self, subject: &str, reader: &mut CatalogReader) {
        for entry in self.node.entries() {
            let Some(key) = entry.key.text() else {
                reader.report_problem(&self.at, CatalogCause::KeyNotString, entry.key.mark);
                continue;
            };
            if !self.known.contains(&key) {
                let unknown = CatalogOddity::Unknown(self.path(key));
                reader.warn(unknown, subject, entry.key.mark);
            }
        }
    }
}

/// The text without unprintable characters; warns if the text contains some.
fn shown_text(
    text: &str,
    at: &str,
    subject: &str,
    mark: Mark,
    reader: &mut CatalogReader,
) -> String {
    let text = text.trim_end();
    if text.chars().any(|found| is_harmful(found) && found != '\n' && found != '\t') {
        reader.warn(CatalogOddity::Control(at.to_owned()), subject, mark);
    }
    printable(text)
}

fn scalar(node: &Node, at: &str, reader: &mut CatalogReader) -> Option<String> {
    let text = node.text().filter(|_| !node.is_null());
    if text.is_none() {
        reader.report_wrong_type(at, "a text", node);
    }
    text.map(str::to_owned)
}

/// The text of a node; `None` for null and for values of other types.
pub(super) fn text_of(node: &Node) -> Option<&str> {
    node.text().filter(|_| !node.is_null())
}
