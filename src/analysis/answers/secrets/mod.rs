//! Masks values of Secrets for every interface.

mod fields;
mod file;
mod index;
mod many_texts;
mod mark;
mod positions;
mod scalars;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::engine::evaluate::Trace;
use crate::engine::load::Sources;
use crate::engine::resource::Resource;
use crate::engine::transform::Input;
use crate::engine::yaml::{Mark, Node};

use fields::Masker;
use index::{Index, Known, KnownValues, MIN_FIELD_BYTES, MIN_MESSAGE_BYTES, replaced};
pub use mark::is_secret;
use mark::{MARK_BYTES, mark, plain_value};

/// The annotation in which kubectl keeps a copy of the resource.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The role of a file that contributes to a Secret.
#[derive(Clone, Debug, PartialEq, Eq)]
enum FileRole {
    /// All of its content, or the values of lines that begin with one of these keys.
    Values(BTreeSet<String>),
    /// Some nodes of its tree.
    Nodes,
}

/// The position of a node and the step that wrote it.
type NodePlace = (u32, u32, u32, u32);

/// Masks values of Secrets. Equal values have equal marks during the life of the process; the salt
/// prevents guesses.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    salt: Option<[u8; 16]>,
    /// Values and their base64, the longest first.
    known: KnownValues,
    /// Nodes that contain a copy of a Secret's value.
    copies: BTreeSet<NodePlace>,
    /// Names and namespaces of resources: values that are names are not masked in messages.
    names: BTreeSet<Arc<str>>,
    /// Files that contribute values to Secrets.
    files: BTreeMap<PathBuf, FileRole>,
    index: OnceLock<Arc<Index>>,
}

impl Secrets {
    /// Shows values unmasked.
    pub fn shown() -> Self {
        Self::default()
    }

    /// Masks values with marks that depend on this salt.
    pub fn masked(salt: [u8; 16]) -> Self {
        Self { salt: Some(salt), ..Self::default() }
    }

    /// True if values are masked.
    pub fn are_masked(&self) -> bool {
        self.salt.is_some()
    }

    /// True for the mark of a value.
    pub fn is_mark(text: &str) -> bool {
        text.len() == MARK_BYTES && text.starts_with("<secret ") && text.ends_with('>')
    }

    /// The text with `<secret>` for every mark: equal in every process.
    pub fn without_salt(text: &str) -> String {
        let mut parts = text.split("<secret ");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.get(8..).filter(|rest| rest.starts_with('>')) {
                Some(rest) => out.extend(["<secret", rest]),
                None => out.extend(["<secret ", part]),
            }
        }
        out
    }

    /// Learns the values of all Secrets of a build at every step, their copies, and their files.
    pub fn learn(&mut self, trace: &Trace) {
        if !self.are_masked() {
            return;
        }
        for step in &trace.steps {
            for resource in step.changes.iter().filter_map(|change| change.after.as_ref()) {
                self.learn_resource(resource, &trace.sources);
                for name in [&resource.id.name, &resource.id.namespace] {
                    if name.len() >= MIN_MESSAGE_BYTES && !self.names.contains(name) {
                        self.names.insert(name.clone());
                        self.index = OnceLock::new();
                    }
                }
            }
        }
        for (key, value) in &trace.secret_values {
            self.learn_value(key, value.as_bytes(), value);
        }
        self.learn_copies(trace);
    }

    /// Learns the values of a resource if it is a Secret.
    pub fn learn_resource(&mut self, resource: &Resource, sources: &Sources) {
        if !self.are_masked() || !is_secret(resource) {
            return;
        }
        for (field, is_encoded) in [("data", true), ("stringData", false)] {
            for entry in resource.node.get(field).map(Node::entries).unwrap_or_default() {
                let mark = entry.value.mark;
                if let Some(path) = sources.path(mark.source) {
                    // A generator takes the lines of a file, or all of it; the mark of a node has a
                    // column.
                    let is_value = resource.generated && mark.line > 0 && mark.column == 0;
                    let role = self.files.entry(PathBuf::from(path)).or_insert(FileRole::Nodes);
                    if is_value && *role == FileRole::Nodes {
                        *role = FileRole::Values(BTreeSet::new());
                    }
                    if let FileRole::Values(keys) = role {
                        keys.extend(entry.key.text().map(str::to_owned));
                    }
                }
                let Some(text) = entry.value.text() else { continue };
                let key = entry.key.text().unwrap_or_default();
                self.learn_value(key, &plain_value(text, is_encoded), text);
            }
        }
    }

    fn learn_value(&mut self, key: &str, plain: &[u8], written: &str) {
        let mark = mark(self.salt.unwrap_or_default(), plain);
        let encoded = STANDARD.encode(plain);
        let plain = std::str::from_utf8(plain).unwrap_or_default();
        let forms = [written, plain, &encoded, encoded.trim_end_matches('=')];
        for form in forms.map(str::trim).into_iter().filter(|form| !form.is_empty()) {
            let place = (std::cmp::Reverse(form.len()), form.to_owned());
            if let Some(known) = self.known.get_mut(&place) {
                if known.keys.insert(key.to_owned()) {
                    self.index = OnceLock::new();
                }
                continue;
            }
            self.index = OnceLock::new();
            let known = Known { mark: mark.clone(), keys: BTreeSet::from([key.to_owned()]) };
            self.known.insert(place, known);
        }
    }

    /// Learns the nodes with values that replacements, vars and other steps copied from Secrets.
    fn learn_copies(&mut self, trace: &Trace) {
        let mut kept: BTreeSet<u32> = BTreeSet::new();
        for step in &trace.steps {
            for change in &step.changes {
                if change.after.as_ref().is_some_and(|resource| is_secret(resource)) {
                    kept.insert(change.slot.0);
                }
            }
            for derived in &step.derived {
                let is_copy = derived.from.iter().any(|input| match input {
                    Input::Field { slot, path } => {
                        kept.contains(&slot.0)
                            && ["data", "stringData"].iter().any(|field| path.starts_with(field))
                    }
                    _ => false,
                });
                if is_copy {
                    self.copies.insert(place(derived.mark));
                }
            }
        }
    }

    /// The tree of a resource, with values of Secrets masked.
    pub fn node(&self, resource: &Resource) -> Node {
        self.part(resource, &[], &resource.node)
    }

    /// A part of a resource, found along these keys, with values of Secrets masked.
    pub fn part(&self, resource: &Resource, keys: &[&str], node: &Node) -> Node {
        let Some(salt) = self.salt else { return node.clone() };
        let is_secret = is_secret(resource);
        let is_needed = is_secret || !self.known.is_empty() || !self.copies.is_empty();
        if !is_needed {
            return node.clone();
        }
        let mut keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let mut node = node.clone();
        Masker { secrets: self, salt, is_secret }.mask(&mut node, &mut keys);
        node
    }

    /// A value of a field in one resource, masked if it is one of a Secret.
    pub fn field(&self, resource: &Resource, keys: &[&str], mark: Mark, text: &str) -> String {
        let node = self.part(resource, keys, &Node::string(text).marked(mark));
        node.text().unwrap_or_default().to_owned()
    }

    /// The masked text of a scalar; `None` if it contains no value of a Secret.
    fn scalar(&self, text: &str) -> Option<String> {
        let trimmed = text.trim();
        if trimmed.len() < MIN_FIELD_BYTES || self.known.is_empty() {
            return None;
        }
        let place = (std::cmp::Reverse(trimmed.len()), trimmed.to_owned());
        if let Some(known) = self.known.get(&place) {
            return Some(known.mark.clone());
        }
        let index = self.index();
        let found = index.in_fields(text);
        (!found.is_empty()).then(|| replaced(text, &found, |number| index.mark(number)))
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Arc::new(Index::new(&self.known, &self.names)))
    }

    /// The name of a step or of its argument: a short value that equals it is no copy.
    pub fn label(&self, text: &str) -> String {
        if self.known.is_empty() {
            return text.to_owned();
        }
        let index = self.index();
        replaced(text, &index.long.apart(text), |number| index.mark(number))
    }

    /// A text in which every known value is masked, the longest first. Marks are not searched
    /// again.
    pub fn text(&self, text: &str) -> String {
        if self.known.is_empty() {
            return text.to_owned();
        }
        let index = self.index();
        let masked = self.label(text);
        if index.keys_of.is_empty() {
            return masked;
        }
        let short = |number: usize| index.mark(index.longs + number);
        masked.split_inclusive('\n').map(|line| replaced(line, &index.words(line), short)).collect()
    }
}

fn place(mark: Mark) -> NodePlace {
    (mark.source.0, mark.line, mark.column, mark.writer.0)
}
