//! Reading fields one by one, noting what is odd and what is wrong.

use crate::load::Digest;
use crate::yaml::{Entry, Mark, Node, NodeKind, Tag};

use super::printable::{is_harmful, printable};
use super::{CatalogCode, CatalogProblem, CatalogWarning};

/// What has been noted so far.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) warnings: Vec<CatalogWarning>,
    pub(super) problems: Vec<CatalogProblem>,
}

impl Reader {
    pub(super) fn warn(
        &mut self,
        code: CatalogCode,
        subject: &str,
        message: impl Into<String>,
        mark: Mark,
    ) {
        let (subject, message) = (printable(subject), printable(&message.into()));
        self.warnings.push(CatalogWarning { code, subject, message, missing: None, mark });
    }

    /// A field that the schema requires is missing.
    pub(super) fn lacks(&mut self, key: &str, subject: &str, mark: Mark) {
        let (subject, missing) = (printable(subject), Some(printable(key)));
        let message = printable(&format!("{key} is missing"));
        self.warnings.push(CatalogWarning {
            code: CatalogCode::Missing,
            subject,
            message,
            missing,
            mark,
        });
    }

    pub(super) fn wrong(&mut self, message: impl Into<String>, mark: Mark) {
        self.problems.push(CatalogProblem { message: printable(&message.into()), mark });
    }
}

/// The fields of one object, with the path to it.
pub(super) struct Fields<'a> {
    pub(super) node: &'a Node,
    pub(super) at: String,
    known: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The object; notes what stands there instead, and keys that stand twice.
    pub(super) fn of(node: &'a Node, at: String, reader: &mut Reader) -> Option<Self> {
        if node.kind() != NodeKind::Mapping {
            reader.wrong(
                format!("{}expected an object, got {}", prefix(&at), shown(node)),
                node.mark,
            );
            return None;
        }
        let entries = node.entries();
        for (index, Entry { key, .. }) in entries.iter().enumerate() {
            let again = |other: &Entry| other.key.text() == key.text();
            if entries.iter().take(index).any(again) {
                let key_text = key.text().unwrap_or_default();
                let message = format!("{}key {key_text:?} already set in map", prefix(&at));
                reader.wrong(message, key.mark);
            }
        }
        Some(Self { node, at, known: Vec::new() })
    }

    /// The path of a field.
    pub(super) fn path(&self, key: &str) -> String {
        if self.at.is_empty() { key.to_owned() } else { format!("{}.{key}", self.at) }
    }

    /// A field's value; `null` counts as absent.
    pub(super) fn get(&mut self, key: &'static str) -> Option<&'a Node> {
        self.known.push(key);
        self.node.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn required(&mut self, key: &'static str, reader: &mut Reader) -> Option<&'a Node> {
        let found = self.get(key);
        if found.is_none() {
            reader.wrong(format!("{}: required", self.path(key)), self.node.mark);
        }
        found
    }

    /// A text that decides something: no control characters in it.
    pub(super) fn text(&mut self, key: &'static str, reader: &mut Reader) -> Option<String> {
        let node = self.get(key)?;
        let text = scalar(node, &self.path(key), reader)?;
        if text.chars().any(is_harmful) {
            reader.wrong(format!("{}: has control characters", self.path(key)), node.mark);
            return None;
        }
        Some(text)
    }

    pub(super) fn required_text(
        &mut self,
        key: &'static str,
        reader: &mut Reader,
    ) -> Option<String> {
        self.required(key, reader)?;
        let text = self.text(key, reader)?;
        if text.trim().is_empty() {
            reader.wrong(format!("{} is empty", self.path(key)), self.node.mark);
            return None;
        }
        Some(text)
    }

    /// A text that is only shown; what cannot be shown is taken out.
    pub(super) fn prose(
        &mut self,
        key: &'static str,
        subject: &str,
        reader: &mut Reader,
    ) -> String {
        let Some(node) = self.get(key) else { return String::new() };
        let text = scalar(node, &self.path(key), reader).unwrap_or_default();
        shown_text(&text, &self.path(key), subject, node.mark, reader)
    }

    /// A list of texts that are only shown.
    pub(super) fn list(
        &mut self,
        key: &'static str,
        subject: &str,
        reader: &mut Reader,
    ) -> Vec<String> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let at = self.path(key);
        let Some(items) = node.items() else {
            reader.wrong(format!("{at}: expected a list, got {}", shown(node)), node.mark);
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

    pub(super) fn boolean(&mut self, key: &'static str, reader: &mut Reader) -> Option<bool> {
        let node = self.get(key)?;
        let found = node.as_scalar().filter(|scalar| scalar.tag == Tag::Bool);
        if found.is_none() {
            let at = self.path(key);
            reader.wrong(format!("{at}: expected a boolean, got {}", shown(node)), node.mark);
        }
        Some(found?.text.eq_ignore_ascii_case("true"))
    }

    /// `sha256`: 64 hex digits, with or without `sha256:` (B.6).
    pub(super) fn sha256(&mut self, subject: &str, reader: &mut Reader) -> Option<Digest> {
        let text = self.text("sha256", reader)?;
        let digest = Digest::parse(&text);
        if digest.is_none() {
            let mark = self.node.get("sha256").map_or(self.node.mark, |node| node.mark);
            reader.wrong(format!("{subject}: sha256 must be 64 hexadecimal digits"), mark);
        }
        digest
    }

    /// Notes the fields that nobody asked for (B.2 #29).
    pub(super) fn finish(self, subject: &str, reader: &mut Reader) {
        for entry in self.node.entries() {
            let Some(key) = entry.key.text() else {
                reader.wrong(format!("{}a key is not a text", prefix(&self.at)), entry.key.mark);
                continue;
            };
            if !self.known.contains(&key) {
                let message = format!("unknown field {:?}", self.path(key));
                reader.warn(CatalogCode::Unknown, subject, message, entry.key.mark);
            }
        }
    }
}

fn shown_text(text: &str, at: &str, subject: &str, mark: Mark, reader: &mut Reader) -> String {
    let text = text.trim_end();
    if text.chars().any(|found| is_harmful(found) && found != '\n' && found != '\t') {
        let message = format!("{at}: control characters are not shown");
        reader.warn(CatalogCode::Control, subject, message, mark);
    }
    printable(text)
}

fn scalar(node: &Node, at: &str, reader: &mut Reader) -> Option<String> {
    let text = node.text().filter(|_| !node.is_null());
    if text.is_none() {
        reader.wrong(format!("{at}: expected a text, got {}", shown(node)), node.mark);
    }
    text.map(str::to_owned)
}

/// What stands somewhere, in words.
pub(super) fn shown(node: &Node) -> String {
    match node.kind() {
        NodeKind::Mapping => "an object".to_owned(),
        NodeKind::Sequence => "a list".to_owned(),
        NodeKind::Scalar if node.is_null() => "null".to_owned(),
        NodeKind::Scalar => format!("{:?}", node.text().unwrap_or_default()),
    }
}

fn prefix(at: &str) -> String {
    if at.is_empty() { String::new() } else { format!("{at}: ") }
}

/// A node's text, when it is one.
pub(super) fn text_of(node: &Node) -> Option<&str> {
    node.text().filter(|_| !node.is_null())
}
