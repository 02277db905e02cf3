//! Masks values of Secrets for every interface.

mod fields;
mod file;
mod index;
mod mark;
mod multi_text_search;
mod positions;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::answers::recording::field::{WrittenPath, leaves, value_at};
use crate::engine::evaluate::{StepError, Trace};
use crate::engine::load::SourceNumbers;
use crate::engine::resource::Resource;
use crate::engine::transform::ValueSource;
use crate::engine::yaml::{Mark, Node};

use fields::Masker;
use file::has_yaml_extension;
use index::{KnownValues, MIN_FIELD_BYTES, MIN_MESSAGE_BYTES, SecretIndex, SecretMark, replaced};
pub use mark::is_secret;
use mark::{MARK_BYTES, plain_value, secret_mark};

/// The annotation in which kubectl keeps a copy of the resource.
const LAST_APPLIED_ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The relation of a file to the Secrets of a build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileRole {
    /// The file contributes to no Secret.
    Plain,
    /// Some nodes in the tree of the file are in a Secret.
    SecretNodes,
    /// All content of the file is in a Secret, or the values of its lines that begin with one of
    /// these keys.
    SecretValues(BTreeSet<String>),
}

/// The maximum length of short lines: in a value of several lines, a short line is masked only
/// together with the other lines.
const MAX_SHORT_LINE_BYTES: usize = 4;

/// The location of a node, and the step that wrote it.
type NodePosition = (u32, u32, u32, u32);

/// Masks values of Secrets. Equal values have equal replacements during the life of the process;
/// the salt prevents guesses.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    salt: Option<[u8; 16]>,
    /// Values and their base64, the longest first.
    known: KnownValues,
    /// Nodes that contain a copy of a Secret's value.
    copies: BTreeSet<NodePosition>,
    /// Names and namespaces of resources: values that are names are not masked in messages.
    names: BTreeSet<Arc<str>>,
    /// Files that builds read; a file that is not YAML only if its purpose is known.
    files: BTreeMap<String, FileRole>,
    index: OnceLock<Arc<SecretIndex>>,
}

impl Secrets {
    pub fn shown() -> Self {
        Self::default()
    }

    /// An instance that masks values. The replacements depend on this salt.
    pub fn masked(salt: [u8; 16]) -> Self {
        Self { salt: Some(salt), ..Self::default() }
    }

    pub fn are_masked(&self) -> bool {
        self.salt.is_some()
    }

    pub fn is_mark(text: &str) -> bool {
        text.len() == MARK_BYTES && text.starts_with("<secret ") && text.ends_with('>')
    }

    /// The text with `<secret>` for every replacement, so that it is equal in every process.
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
        for path in trace.sources.paths().filter(|path| has_yaml_extension(Path::new(path))) {
            self.note_role(path, FileRole::Plain);
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

    /// Learns the values of a resource if it is a Secret, and the roles of its files.
    pub fn learn_resource(&mut self, resource: &Resource, sources: &SourceNumbers) {
        if !self.are_masked() {
            return;
        }
        let is_secret = is_secret(resource);
        // The file of a resource is YAML, whatever its name.
        let begin = resource.node.entries().first().map(|entry| entry.key.mark);
        let own = begin.filter(|mark| !resource.generated && mark.column > 0);
        if let Some(path) = own.and_then(|mark| sources.path(mark.source)) {
            self.note_role(path, FileRole::Plain);
        }
        let fields = [("data", true), ("stringData", false), ("binaryData", true)];
        for (field, is_encoded) in fields.into_iter().filter(|_| is_secret || resource.generated) {
            for entry in resource.node.get(field).map(Node::entries).unwrap_or_default() {
                let mark = entry.value.mark;
                let key = entry.key.text().unwrap_or_default();
                if let Some(path) = sources.path(mark.source) {
                    // A mark without a column is from a generator that read a file or a line of it;
                    // the mark of a node has a column.
                    let is_value = resource.generated && mark.line > 0 && mark.column == 0;
                    match (is_secret, is_value) {
                        (false, _) => self.note_role(path, FileRole::Plain),
                        (true, false) => self.note_role(path, FileRole::SecretNodes),
                        (true, true) => self.note_value(path, key),
                    }
                }
                if let Some(text) = entry.value.text().filter(|_| is_secret) {
                    self.learn_value(key, &plain_value(text, is_encoded), text);
                }
            }
        }
    }

    /// Notes the role of a file, unless a stricter role is known.
    fn note_role(&mut self, path: &str, role: FileRole) {
        match self.files.get_mut(path) {
            Some(known) if *known >= role => {}
            Some(known) => *known = role,
            None => drop(self.files.insert(path.to_owned(), role)),
        }
    }

    fn note_value(&mut self, path: &str, key: &str) {
        let role = self.files.entry(path.to_owned()).or_insert(FileRole::Plain);
        match role {
            FileRole::SecretValues(keys) => drop(keys.insert(key.to_owned())),
            _ => *role = FileRole::SecretValues(BTreeSet::from([key.to_owned()])),
        }
    }

    /// Learns a value in its plain, written and encoded form, and its longer lines.
    fn learn_value(&mut self, key: &str, plain: &[u8], written: &str) {
        let mark = secret_mark(self.salt.unwrap_or_default(), plain);
        let encoded = STANDARD.encode(plain);
        let plain = std::str::from_utf8(plain).unwrap_or_default();
        let forms = [written, plain, &encoded, encoded.trim_end_matches('=')];
        let lines = [written, plain].into_iter().flat_map(str::lines);
        let lines = lines.filter(|line| line.trim().len() > MAX_SHORT_LINE_BYTES);
        for form in forms.into_iter().chain(lines).map(str::trim).filter(|form| !form.is_empty()) {
            let place = (std::cmp::Reverse(form.len()), form.to_owned());
            if let Some(known) = self.known.get_mut(&place) {
                if known.keys.insert(key.to_owned()) {
                    self.index = OnceLock::new();
                }
                continue;
            }
            self.index = OnceLock::new();
            let known = SecretMark { mark: mark.clone(), keys: BTreeSet::from([key.to_owned()]) };
            self.known.insert(place, known);
        }
    }

    /// Learns the nodes with values that replacements, vars and other steps copied from Secrets, also
    /// from one copy to the next.
    fn learn_copies(&mut self, trace: &Trace) {
        let mut latest: BTreeMap<u32, &Resource> = BTreeMap::new();
        for step in &trace.steps {
            for change in &step.changes {
                latest.extend(change.after.as_deref().map(|after| (change.slot.0, after)));
            }
            let is_value = |input: &ValueSource| match input {
                ValueSource::Field { slot, path } => {
                    latest.get(&slot.0).is_some_and(|resource| self.is_secret_field(resource, path))
                }
                _ => false,
            };
            let copies = step.derived.iter().filter(|derived| derived.from.iter().any(is_value));
            let copies: Vec<NodePosition> = copies.map(|derived| place(derived.mark)).collect();
            self.copies.extend(copies);
            let kept =
                step.derived.iter().filter(|it| it.from.contains(&ValueSource::PreviousValue));
            let kept: BTreeSet<NodePosition> = kept.map(|derived| place(derived.mark)).collect();
            if !kept.is_empty() && !self.copies.is_empty() {
                let sides = step.changes.iter().map(|it| (it.before.as_ref(), it.after.as_ref()));
                for (before, after) in sides.filter_map(|(before, after)| before.zip(after)) {
                    self.learn_partly_kept_copies(&before.node, &after.node, &kept);
                }
            }
        }
    }

    /// True for a field that contains a value of a Secret, or a copy of one.
    fn is_secret_field(&self, resource: &Resource, path: &str) -> bool {
        if is_secret(resource) {
            return ["data", "stringData"].iter().any(|field| path.starts_with(field));
        }
        if self.copies.is_empty() {
            return false;
        }
        let found = WrittenPath::parse(path).find(&resource.node);
        let found = found.and_then(|path| value_at(&resource.node, &path));
        found.is_some_and(|(node, _)| leaves(node).iter().any(|(_, _, mark)| self.is_copy(*mark)))
    }

    fn is_copy(&self, mark: Mark) -> bool {
        self.copies.contains(&place(mark))
    }

    /// Learns the nodes in `after` that contain a part of a copied value: `before` has a copy of a
    /// Secret's value in their place, and a step kept a part of it. `kept` contains the positions
    /// of nodes for which a step kept a part of the previous value.
    fn learn_partly_kept_copies(
        &mut self,
        before: &Node,
        after: &Node,
        kept: &BTreeSet<NodePosition>,
    ) {
        if self.is_copy(before.mark) && kept.contains(&place(after.mark)) {
            self.copies.insert(place(after.mark));
        }
        for entry in after.entries() {
            if let Some(before) = entry.key.text().and_then(|key| before.get(key)) {
                self.learn_partly_kept_copies(before, &entry.value, kept);
            }
        }
        let items = before.items().unwrap_or_default().iter();
        for (before, after) in items.zip(after.items().unwrap_or_default()) {
            self.learn_partly_kept_copies(before, after, kept);
        }
    }

    pub fn masked_node(&self, resource: &Resource) -> Node {
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
        let masked = Masker { secrets: self, salt, is_secret }.masked(node, &mut keys);
        masked.unwrap_or_else(|| node.clone())
    }

    pub fn field(&self, resource: &Resource, keys: &[&str], mark: Mark, text: &str) -> String {
        let node = self.part(resource, keys, &Node::string(text).marked(mark));
        node.text().unwrap_or_default().to_owned()
    }

    fn masked_text(&self, text: &str) -> Option<String> {
        let trimmed = text.trim();
        if trimmed.len() < MIN_FIELD_BYTES || self.known.is_empty() {
            return None;
        }
        let place = (std::cmp::Reverse(trimmed.len()), trimmed.to_owned());
        if let Some(known) = self.known.get(&place) {
            return Some(known.mark.clone());
        }
        let found = self.index().ranges_in_field(text);
        (!found.is_empty()).then(|| replaced(text, found))
    }

    fn index(&self) -> &SecretIndex {
        self.index.get_or_init(|| Arc::new(SecretIndex::new(&self.known, &self.names)))
    }

    /// The masked name of a step, its argument or the name of an entry. As in a field, a short
    /// value, or a word that equals a value, does not count as a copy of a value.
    pub fn label(&self, text: &str) -> String {
        if self.known.is_empty() {
            return text.to_owned();
        }
        replaced(text, self.index().ranges_in_field(text))
    }

    pub fn text(&self, text: &str) -> String {
        if self.known.is_empty() {
            return text.to_owned();
        }
        replaced(text, self.index().ranges_in_message(text))
    }

    pub fn failure(&self, error: &StepError) -> MaskedError {
        MaskedError {
            message: self.text(&error.message),
            context: error.context.iter().map(|layer| self.label(layer)).collect(),
            mark: error.mark,
            hint: error.hint.as_ref().map(|hint| self.text(&hint.to_string())),
        }
    }
}

fn place(mark: Mark) -> NodePosition {
    (mark.source.0, mark.line, mark.column, mark.writer.0)
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskedError {
    pub message: String,
    /// The layers from the outermost layer to the layer of the step, one line for each.
    pub context: Vec<String>,
    pub mark: Mark,
    pub hint: Option<String>,
}
