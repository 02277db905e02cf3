//! Reads the fields of a catalog one by one and collects warnings and errors.

use crate::diagnostic::{is_harmful, printable};
use crate::load::Digest;
use crate::yaml::{MappingEntry, Mark, Node, NodeKind, Tag};

use super::{CatalogOddity, CatalogProblem, CatalogWarning};

pub(super) const REQUIRED: &str = "required";

#[derive(Default)]
pub(super) struct CatalogReader {
    pub(super) warnings: Vec<CatalogWarning>,
    pub(super) problems: Vec<CatalogProblem>,
}

/// A mapping, its path in the document, and the keys that were read.
pub(super) struct ObjectFields<'n, 'r> {
    pub(super) node: &'n Node,
    pub(super) at: String,
    /// The function that warnings are about, or `catalog`.
    pub(super) subject: String,
    known: Vec<&'static str>,
    pub(super) reader: &'r mut CatalogReader,
}

impl<'n, 'r> ObjectFields<'n, 'r> {
    pub(super) fn document(node: &'n Node, reader: &'r mut CatalogReader) -> Option<Self> {
        let (at, subject) = (String::new(), "catalog".to_owned());
        Self { node, at, subject, known: Vec::new(), reader }.checked()
    }

    /// The fields of a value of this object; reports a value that is no object.
    pub(super) fn child(&mut self, node: &'n Node, at: String) -> Option<ObjectFields<'n, '_>> {
        let subject = self.subject.clone();
        ObjectFields { node, at, subject, known: Vec::new(), reader: self.reader }.checked()
    }

    pub(super) fn object(&mut self, key: &'static str) -> Option<ObjectFields<'n, '_>> {
        let node = self.get(key)?;
        self.child(node, self.path(key))
    }

    /// Reports a value that is no object, and duplicate keys.
    fn checked(mut self) -> Option<Self> {
        if self.node.kind() != NodeKind::Mapping {
            self.report_wrong_type(&self.at.clone(), "an object", self.node);
            return None;
        }
        let entries = self.node.entries();
        for (index, MappingEntry { key, .. }) in entries.iter().enumerate() {
            let again = |other: &MappingEntry| other.key.text() == key.text();
            if entries.iter().take(index).any(again) {
                let text = key.text().unwrap_or_default();
                self.report_here(&format!("key {text:?} already set in map"), key.mark);
            }
        }
        Some(self)
    }

    pub(super) fn warn(&mut self, oddity: CatalogOddity) {
        self.warn_at(oddity, self.node.mark);
    }

    pub(super) fn warn_of(&mut self, code: &'static str, text: &str) {
        self.warn(CatalogOddity::Other(code, text.to_owned()));
    }

    pub(super) fn warn_at(&mut self, oddity: CatalogOddity, mark: Mark) {
        let subject = printable(&self.subject);
        self.reader.warnings.push(CatalogWarning { oddity, subject, mark });
    }

    pub(super) fn report(&mut self, place: &str, cause: &str, mark: Mark) {
        let apart = if place.is_empty() { "" } else { ": " };
        let text = format!("{place}{apart}{cause}");
        self.reader.problems.push(CatalogProblem { text, mark });
    }

    pub(super) fn report_here(&mut self, cause: &str, mark: Mark) {
        self.report(&self.at.clone(), cause, mark);
    }

    pub(super) fn report_field(&mut self, key: &str, cause: &str, mark: Mark) {
        self.report(&self.path(key), cause, mark);
    }

    pub(super) fn report_wrong_type(&mut self, place: &str, expected: &'static str, node: &Node) {
        let found = match node.kind() {
            NodeKind::Mapping => "an object",
            NodeKind::Sequence => "a list",
            NodeKind::Scalar if node.is_null() => "null",
            // A file that is a single text is not quoted, because a link may lead to any file.
            NodeKind::Scalar if place.is_empty() => "a text",
            NodeKind::Scalar => &format!("{:?}", node.text().unwrap_or_default()),
        };
        self.report(place, &format!("expected {expected}, got {found}"), node.mark);
    }

    pub(super) fn path(&self, key: &str) -> String {
        if self.at.is_empty() { key.to_owned() } else { format!("{}.{key}", self.at) }
    }

    /// The value of a field; `None` for a missing field or `null`.
    pub(super) fn get(&mut self, key: &'static str) -> Option<&'n Node> {
        self.known.push(key);
        self.node.get(key).filter(|value| !value.is_null())
    }

    /// The value of a key; reports a problem if the key is absent.
    pub(super) fn required(&mut self, key: &'static str) -> Option<&'n Node> {
        let found = self.get(key);
        if found.is_none() {
            self.report_field(key, REQUIRED, self.node.mark);
        }
        found
    }

    /// The items of the list below a key; reports another value.
    pub(super) fn items(&mut self, key: &str, list: &'n Node) -> Option<&'n [Node]> {
        if list.items().is_none() {
            self.report_wrong_type(&self.path(key), "a list", list);
        }
        list.items()
    }

    /// The text of a key that affects how a function is run; reports a problem if the text contains
    /// control characters.
    pub(super) fn text(&mut self, key: &'static str) -> Option<String> {
        let node = self.get(key)?;
        let text = self.scalar(node, &self.path(key))?;
        if text.chars().any(is_harmful) {
            self.report_field(key, "has control characters", node.mark);
            return None;
        }
        Some(text)
    }

    /// The text of a key; reports a problem if the text is absent or empty.
    pub(super) fn required_text(&mut self, key: &'static str) -> Option<String> {
        self.required(key)?;
        let text = self.text(key)?;
        if text.trim().is_empty() {
            self.report("", &format!("{} is empty", self.path(key)), self.node.mark);
            return None;
        }
        Some(text)
    }

    /// The text of a key that is only displayed, without its unprintable characters; empty if
    /// absent.
    pub(super) fn prose(&mut self, key: &'static str) -> String {
        let Some(node) = self.get(key) else { return String::new() };
        let at = self.path(key);
        let text = self.scalar(node, &at).unwrap_or_default();
        self.shown_text(&text, &at, node.mark)
    }

    /// The texts of a list that is only displayed, without their unprintable characters.
    pub(super) fn list(&mut self, key: &'static str) -> Vec<String> {
        let items = self.get(key).and_then(|node| self.items(key, node)).unwrap_or_default();
        let mut texts = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let at = format!("{}[{index}]", self.path(key));
            if let Some(text) = self.scalar(item, &at) {
                texts.push(self.shown_text(&text, &at, item.mark));
            }
        }
        texts
    }

    pub(super) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let node = self.get(key)?;
        let found = node.as_scalar().filter(|scalar| scalar.tag == Tag::Bool);
        if found.is_none() {
            self.report_wrong_type(&self.path(key), "a boolean", node);
        }
        Some(found?.text.eq_ignore_ascii_case("true"))
    }

    /// The digest of the key `sha256`: 64 hex digits, with or without `sha256:` before them (B.6).
    pub(super) fn sha256(&mut self) -> Option<Digest> {
        let text = self.text("sha256")?;
        let digest = Digest::parse(&text);
        if digest.is_none() {
            let mark = self.node.get("sha256").map_or(self.node.mark, |node| node.mark);
            let cause = "sha256 must be 64 hexadecimal digits";
            self.report(&self.subject.clone(), cause, mark);
        }
        digest
    }

    /// Warns of the fields that were not read (B.2 #29).
    pub(super) fn finish(&mut self) {
        for entry in self.node.entries() {
            let Some(key) = entry.key.text() else {
                self.report_here("a key is not a string", entry.key.mark);
                continue;
            };
            if !self.known.contains(&key) {
                let path = format!("{:?}", self.path(key));
                let unknown = CatalogOddity::of_text("CAT-UNKNOWN", "unknown field ", &path, "");
                self.warn_at(unknown, entry.key.mark);
            }
        }
    }

    /// The text without unprintable characters; warns if the text contains some (B.12).
    fn shown_text(&mut self, text: &str, at: &str, mark: Mark) -> String {
        let text = text.trim_end();
        if text.chars().any(|found| is_harmful(found) && found != '\n' && found != '\t') {
            let after = ": control characters are not shown";
            self.warn_at(CatalogOddity::of_text("CAT-CONTROL", "", at, after), mark);
        }
        printable(text)
    }

    fn scalar(&mut self, node: &Node, at: &str) -> Option<String> {
        let text = node.text().filter(|_| !node.is_null());
        if text.is_none() {
            self.report_wrong_type(at, "a text", node);
        }
        text.map(str::to_owned)
    }
}
