//! Values of Secrets, masked: one function for every face.

mod many_texts;
mod positions;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::engine::evaluate::Trace;
use crate::engine::load::Sources;
use crate::engine::resource::Resource;
use crate::engine::transform::Input;
use crate::engine::yaml::{Mark, Node};

use many_texts::ManyTexts;
use positions::{Positions, STRUCTURE, positions};

/// A value with so many bytes is masked wherever it is.
const MASKED_ANYWHERE_BYTES: usize = 8;
/// A shorter value of lower case letters alone is masked where a field is equal to it, not as a part
/// of a text: `postgres` is a part of many names.
const NAME_LIKE_BYTES: usize = 16;
/// The annotation in which kubectl keeps a copy of the resource.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The mark of a value.
#[derive(Clone, Debug, Default)]
struct Known {
    mark: String,
    /// The keys of the value in Secrets.
    keys: BTreeSet<String>,
}

/// What a file contributes to a Secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileRole {
    /// All of its content, or every value of its lines.
    Values,
    /// Some nodes of its tree.
    Nodes,
}

/// The place of a node and the step that wrote it.
type NodePlace = (u32, u32, u32, u32);

/// Masks values of Secrets. Equal values have equal marks during the life of the process; the salt
/// prevents guesses.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    salt: Option<[u8; 16]>,
    /// Values and their base64, the longest first.
    known: BTreeMap<(std::cmp::Reverse<usize>, String), Known>,
    /// Nodes that contain a copy of a Secret's value.
    copies: BTreeSet<NodePlace>,
    /// Files from which values of Secrets come.
    files: BTreeMap<PathBuf, FileRole>,
    index: OnceLock<Arc<Index>>,
}

/// All known values, for a search for all of them at once. The texts have the numbers of their order.
#[derive(Debug)]
struct Index {
    long: ManyTexts,
    /// Values that are not masked anywhere, numbered from 0 again.
    short: ManyTexts,
    /// The keys of the short ones.
    keys: ManyTexts,
    /// Which of these each of the short ones has, in order.
    keys_of: Vec<Vec<usize>>,
    /// The marks, the long ones first.
    marks: Vec<String>,
    longs: usize,
}

impl Secrets {
    /// Values are shown as they are.
    pub fn shown() -> Self {
        Self::default()
    }

    /// Values are masked with marks that this salt makes.
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

    /// The same text with `<secret>` for every mark: equal in every process.
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
            }
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
                    // A generator takes the lines of a file, or all of it; a node has a column.
                    let is_value = resource.generated && mark.line > 0 && mark.column == 0;
                    let role = self.files.entry(PathBuf::from(path)).or_insert(FileRole::Nodes);
                    if is_value {
                        *role = FileRole::Values;
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
                known.keys.insert(key.to_owned());
                continue;
            }
            self.index = OnceLock::new();
            let known = Known { mark: mark.clone(), keys: BTreeSet::from([key.to_owned()]) };
            self.known.insert(place, known);
        }
    }

    /// Learns which nodes contain values that replacements, vars and the like took from Secrets.
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

    /// The masked text of a scalar; `None` if there is no value of a Secret in it.
    fn scalar(&self, text: &str) -> Option<String> {
        if text.len() < MASKED_ANYWHERE_BYTES || self.known.is_empty() {
            return None;
        }
        let trimmed = text.trim();
        let place = (std::cmp::Reverse(trimmed.len()), trimmed.to_owned());
        if let Some(known) = self.known.get(&place).filter(|_| is_masked_anywhere(trimmed)) {
            return Some(known.mark.clone());
        }
        let index = self.index();
        let found = index.long.apart(text);
        (!found.is_empty()).then(|| replaced(text, &found, |number| index.mark(number)))
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Arc::new(Index::of(&self.known)))
    }

    /// A text in which every known value is masked, the longest first. Marks are not searched again.
    pub fn text(&self, text: &str) -> String {
        if self.known.is_empty() {
            return text.to_owned();
        }
        let index = self.index();
        let masked = replaced(text, &index.long.apart(text), |number| index.mark(number));
        if index.keys_of.is_empty() {
            return masked;
        }
        let short = |number: usize| index.mark(index.longs + number);
        masked.split_inclusive('\n').map(|line| replaced(line, &index.words(line), short)).collect()
    }

    /// YAML that is no file, masked as one: input and output of a function, an entry.
    pub fn yaml(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.file(Path::new(""), text.as_bytes())).into_owned()
    }

    /// The text of a file with values of Secrets masked, by position where it contains them and by
    /// value elsewhere. It has as many lines as before.
    pub fn file<'b>(&self, path: &Path, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let Some(salt) = self.salt else { return bytes.into() };
        let role = self.files.get(path).copied();
        if role == Some(FileRole::Values) {
            return values_masked(salt, &String::from_utf8_lossy(bytes)).into_bytes().into();
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return bytes.into() };
        match positions(text, role == Some(FileRole::Nodes)) {
            Some(found) => self.placed(salt, text, &found).into_bytes().into(),
            None if text.contains("Secret") || text.contains("secretGenerator") => {
                unparsed_masked(salt, text).into_bytes().into()
            }
            None => self.text(text).into_bytes().into(),
        }
    }

    fn placed(&self, salt: [u8; 16], text: &str, found: &Positions) -> String {
        let mut places: Vec<(Range<usize>, String)> = Vec::new();
        for (range, value) in &found.secret {
            let mark = mark(salt, value);
            places.extend(line_parts(text, range).map(|part| (part, mark.clone())));
        }
        let mut taken: Vec<Range<usize>> = places.iter().map(|(range, _)| range.clone()).collect();
        taken.extend(found.structure.iter().cloned());
        for (range, value) in &found.other {
            let masked = self.scalar(value).filter(|masked| Self::is_mark(masked));
            let Some(masked) = masked else { continue };
            places.extend(line_parts(text, range).map(|part| (part, masked.clone())));
            taken.push(range.clone());
        }
        if !self.known.is_empty() {
            taken.sort_by_key(|range| range.start);
            let index = self.index();
            for (number, range) in index.long.apart(text) {
                let next = taken.partition_point(|other| other.end <= range.start);
                if taken.get(next).is_none_or(|other| other.start >= range.end) {
                    places.push((range, index.mark(number).to_owned()));
                }
            }
        }
        places.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for (range, mark) in places {
            if range.start < from {
                continue;
            }
            out.push_str(text.get(from..range.start).unwrap_or_default());
            out.push_str(&mark);
            from = range.end;
        }
        out + text.get(from..).unwrap_or_default()
    }
}

/// Masks the nodes of one resource.
struct Masker<'s> {
    secrets: &'s Secrets,
    salt: [u8; 16],
    is_secret: bool,
}

impl Masker<'_> {
    fn mask(&self, node: &mut Node, keys: &mut Vec<String>) {
        if let Some(text) = node.text() {
            if let Some(masked) = self.masked(text, node.mark, keys) {
                *node = Node::string(masked).marked(node.mark);
            }
        } else if node.items().is_some() {
            let needed = node.items().unwrap_or_default().iter().any(|it| self.is_needed(it, keys));
            for item in node.items_mut().into_iter().flatten().filter(|_| needed) {
                self.mask(item, keys);
            }
        } else if self.is_needed(node, keys) {
            for entry in node.as_mapping_mut().into_iter().flat_map(|it| &mut it.entries) {
                keys.push(entry.key.text().unwrap_or_default().to_owned());
                self.mask(&mut entry.value, keys);
                keys.pop();
            }
        }
    }

    /// True if a node or one below it is masked: others stay shared.
    fn is_needed(&self, node: &Node, keys: &mut Vec<String>) -> bool {
        if let Some(text) = node.text() {
            return self.masked(text, node.mark, keys).is_some();
        }
        let items = node.items().unwrap_or_default();
        items.iter().any(|item| self.is_needed(item, keys))
            || node.entries().iter().any(|entry| {
                keys.push(entry.key.text().unwrap_or_default().to_owned());
                let is_needed = self.is_needed(&entry.value, keys);
                keys.pop();
                is_needed
            })
    }

    /// The masked text of a scalar; `None` if it stays.
    fn masked(&self, text: &str, at: Mark, keys: &[String]) -> Option<String> {
        let first = keys.first().map_or("", String::as_str);
        let last = keys.last().map_or("", String::as_str);
        if self.is_secret {
            match first {
                "data" => return Some(mark(self.salt, &plain_value(text, true))),
                "stringData" => return Some(mark(self.salt, text.as_bytes())),
                // kubectl keeps a copy of all of it there.
                "metadata" if last == LAST_APPLIED => {
                    return Some(mark(self.salt, text.as_bytes()));
                }
                _ => {}
            }
        }
        if STRUCTURE.contains(&last) {
            return None;
        }
        if self.secrets.copies.contains(&place(at)) && !text.is_empty() {
            return Some(mark(self.salt, text.as_bytes()));
        }
        self.secrets.scalar(text)
    }
}

/// The length of a mark.
const MARK_BYTES: usize = "<secret 01234567>".len();

fn place(mark: Mark) -> NodePlace {
    (mark.source.0, mark.line, mark.column, mark.writer.0)
}

/// True for a value that is masked wherever a field is equal to it.
fn is_masked_anywhere(value: &str) -> bool {
    value.len() >= MASKED_ANYWHERE_BYTES
}

/// True for a value that is also masked as a part of a text.
fn is_masked_in_texts(value: &str) -> bool {
    let is_name = |value: &str| value.bytes().all(|byte| byte.is_ascii_lowercase());
    is_masked_anywhere(value) && (value.len() >= NAME_LIKE_BYTES || !is_name(value))
}

/// The parts of the lines of a range that contain text.
fn line_parts<'t>(
    text: &'t str,
    range: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let mut from = range.start;
    let lines = text.get(range.clone()).unwrap_or_default().split_inclusive('\n');
    lines.filter_map(move |line| {
        let start = from + line.len() - line.trim_start().len();
        let end = from + line.trim_end().len();
        from += line.len();
        (start < end).then_some(start..end)
    })
}

/// The text of a file whose lines are `key=value`, or that is a value as a whole.
fn values_masked(salt: [u8; 16], text: &str) -> String {
    let whole = mark(salt, text.as_bytes());
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim();
        if content.is_empty() {
            return line.to_owned();
        }
        let is_key = |key: &str| !key.is_empty() && key.bytes().all(is_key_byte);
        let masked = match content.split_once('=').filter(|(key, _)| is_key(key)) {
            Some((key, value)) => format!("{key}={}", mark(salt, value.as_bytes())),
            None => whole.clone(),
        };
        let end = line.trim_end().len();
        let start = line.len() - line.trim_start().len();
        format!("{}{masked}{}", &line[..start], &line[end..])
    });
    lines.collect()
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// The text of a file that contains a Secret and cannot be parsed: every value is masked.
fn unparsed_masked(salt: [u8; 16], text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim_end();
        let (key, value) = match content.split_once(": ") {
            Some((key, value)) => (key.len() + 2, value),
            None if content.ends_with(':') => return line.to_owned(),
            None => (content.len() - content.trim_start().len(), content.trim_start()),
        };
        let name = content[..key].trim_matches(|c: char| c.is_whitespace() || ":-".contains(c));
        if value.is_empty() || STRUCTURE.contains(&name) {
            return line.to_owned();
        }
        let mark = mark(salt, value.as_bytes());
        format!("{}{mark}{}", &content[..key], &line[content.len()..])
    });
    lines.collect()
}

impl Index {
    fn of(known: &BTreeMap<(std::cmp::Reverse<usize>, String), Known>) -> Self {
        let (long, short): (Vec<_>, Vec<_>) =
            known.iter().partition(|((_, text), _)| is_masked_in_texts(text));
        let keys: BTreeSet<&str> =
            short.iter().flat_map(|(_, it)| it.keys.iter().map(String::as_str)).collect();
        let mut keys: Vec<&str> = keys.into_iter().filter(|key| !key.is_empty()).collect();
        keys.sort_by_key(|key| std::cmp::Reverse(key.len()));
        let numbers: BTreeMap<&str, usize> =
            keys.iter().enumerate().map(|(number, key)| (*key, number)).collect();
        let keys_of = short.iter().map(|(_, it)| {
            let mut of: Vec<usize> =
                it.keys.iter().filter_map(|key| numbers.get(key.as_str()).copied()).collect();
            of.sort_unstable();
            of
        });
        Self {
            keys_of: keys_of.collect(),
            long: ManyTexts::new(long.iter().map(|((_, text), _)| text.as_str())),
            short: ManyTexts::new(short.iter().map(|((_, text), _)| text.as_str())),
            keys: ManyTexts::new(keys.iter().copied()),
            marks: long.iter().chain(&short).map(|(_, it)| it.mark.clone()).collect(),
            longs: long.len(),
        }
    }

    fn mark(&self, number: usize) -> &str {
        self.marks.get(number).map_or("", String::as_str)
    }

    /// The places of short values in a line, in order: they are words, alone on the line or with one
    /// of their keys as another word.
    fn words(&self, line: &str) -> Vec<(usize, Range<usize>)> {
        let is_word = |(_, place): &(usize, Range<usize>)| is_word(line, place);
        let mut found: Vec<(usize, Range<usize>)> = self.short.all(line).filter(is_word).collect();
        if found.is_empty() {
            return found;
        }
        found.sort_by_key(|(number, place)| (*number, place.start));
        let keys: BTreeSet<usize> =
            self.keys.all(line).filter(is_word).map(|(number, _)| number).collect();
        let is_told = |number: usize, place: &Range<usize>| {
            let of = self.keys_of.get(number).map(Vec::as_slice).unwrap_or_default();
            let is_named = if of.len() < keys.len() {
                of.iter().any(|key| keys.contains(key))
            } else {
                keys.iter().any(|key| of.binary_search(key).is_ok())
            };
            is_named || line.get(place.clone()) == Some(line.trim())
        };
        let mut taken: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (number, place) in found {
            let before = taken.range(..place.end).next_back();
            let is_free = before.is_none_or(|(_, (end, _))| *end <= place.start);
            if is_free && is_told(number, &place) {
                taken.insert(place.start, (place.end, number));
            }
        }
        taken.into_iter().map(|(start, (end, number))| (number, start..end)).collect()
    }
}

/// A text with what stands at some places replaced by the marks of their numbers.
fn replaced<'m>(
    text: &str,
    places: &[(usize, Range<usize>)],
    mark: impl Fn(usize) -> &'m str,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (number, place) in places {
        out.push_str(text.get(from..place.start).unwrap_or_default());
        out.push_str(mark(*number));
        from = place.end;
    }
    out + text.get(from..).unwrap_or_default()
}

/// True where no word goes on before a place or behind it.
fn is_word(line: &str, place: &Range<usize>) -> bool {
    let before = line.get(..place.start).and_then(|it| it.chars().next_back());
    let behind = line.get(place.end..).unwrap_or_default();
    !before.is_some_and(goes_on) && !behind.starts_with(goes_on)
}

/// True for what a word goes on with.
fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// True for a Secret of the core group.
pub fn is_secret(resource: &Resource) -> bool {
    resource.id.gvk.group.is_empty() && &*resource.id.gvk.kind == "Secret"
}

/// The bytes that a value stands for: `data` and `stringData` of the same bytes get the same mark.
fn plain_value(text: &str, is_encoded: bool) -> Vec<u8> {
    let packed: String = text.split_whitespace().collect();
    let decoded = is_encoded.then(|| STANDARD.decode(packed).ok()).flatten();
    decoded.unwrap_or_else(|| text.as_bytes().to_vec())
}

fn mark(salt: [u8; 16], value: &[u8]) -> String {
    if value.is_empty() {
        return String::new();
    }
    let mut hash = Sha256::new();
    hash.update(salt);
    hash.update(value);
    let hash = hash.finalize();
    let short = hash.iter().take(4).fold(0u32, |short, byte| short << 8 | u32::from(*byte));
    format!("<secret {short:08x}>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::resource::Scopes;
    use crate::engine::yaml::{Limits, SourceId, parse_documents, print_v3};

    fn secret(data: &str) -> Resource {
        let text = format!("apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n{data}");
        let parsed = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
        Resource::new(parsed.documents[0].node.clone(), &Scopes::default())
    }

    #[test]
    fn equal_values_have_equal_marks_and_no_value_is_left() {
        let mut secrets = Secrets::masked([7; 16]);
        let resource =
            secret("data:\n  a: aHVudGVyMg==\n  b: eA==\nstringData:\n  c: hunter2\n  d: other\n");
        secrets.learn(&resource);
        let printed = print_v3(&secrets.node(&resource));
        assert!(!printed.contains("hunter2") && !printed.contains("aHVudGVy"), "{printed}");
        let marks: Vec<&str> =
            printed.lines().filter_map(|line| line.split_once("<secret ")).map(|it| it.1).collect();
        assert_eq!(marks.len(), 4, "{printed}");
        assert_eq!(marks[0], marks[2]);
        assert_ne!(marks[0], marks[3]);
        let line = "  - password=hunter2 # aHVudGVyMg==\n";
        assert!(!secrets.text(line).contains("hunter2") && !secrets.text(line).contains("aHV"));
        assert_eq!(secrets.text("x: 1\nmax\n"), "x: 1\nmax\n");
        // `other` is a value; `other-app` is a name.
        assert_eq!(secrets.text("name: other-app, another"), "name: other-app, another");
        assert_eq!(secrets.text("namespace: other"), "namespace: other");
        assert!(!secrets.text("d=other").contains("other"));
        assert_eq!(secrets.text("flag=x\n"), "flag=x\n");
        assert_ne!(secrets.text("  b: x\n"), "  b: x\n");
        assert_ne!(secrets.text("x\n"), "x\n");
        let other = Secrets::masked([8; 16]);
        assert_ne!(print_v3(&other.node(&resource)), printed);
        assert_eq!(print_v3(&Secrets::shown().node(&resource)), print_v3(&resource.node));
    }

    #[test]
    fn what_stands_for_a_value_is_not_looked_into() {
        let mut secrets = Secrets::masked([7; 16]);
        secrets.learn(&secret("stringData:\n  a: hunter2hunter2\n  b: secret\n  c: hunter2\n"));
        let masked = secrets.text("x: hunter2hunter2, secret\n");
        let marks: Vec<&str> = masked.split("<secret ").collect();
        assert_eq!(marks.len(), 3, "{masked}");
        assert!(marks[1].ends_with(">, ") && marks[2].ends_with(">\n"), "{masked}");
    }

    /// What [`Secrets::text`] says, by looking for one value after the other.
    fn one_by_one(secrets: &Secrets, text: &str) -> String {
        let mut masked = text.to_owned();
        for ((_, value), known) in secrets.known.iter().filter(|((_, it), _)| it.len() >= WORD) {
            masked = masked.replace(value, &known.mark);
        }
        let lines = masked.split_inclusive('\n').map(|line| {
            let has = |key: &str| {
                let mut places = line.match_indices(key).map(|(at, _)| at..at + key.len());
                places.any(|place| is_word(line, &place))
            };
            let mut out = line.to_owned();
            for ((_, value), known) in secrets.known.iter().filter(|((_, it), _)| it.len() < WORD) {
                if line.trim() == value || known.keys.iter().any(|key| has(key)) {
                    let mut from = 0;
                    while let Some(at) = out[from..].find(value.as_str()).map(|at| from + at) {
                        let place = at..at + value.len();
                        let put = if is_word(&out, &place) { &known.mark } else { value };
                        from = at + put.len();
                        out.replace_range(place, &put.clone());
                    }
                }
            }
            out
        });
        lines.collect()
    }

    proptest::proptest! {
        #[test]
        fn all_values_at_once_are_one_after_the_other(
            values in proptest::collection::vec(("[kl]{1,2}", "[klm]{1,9}"), 1..12),
            text in "[klmn =\n]{0,80}",
        ) {
            let mut secrets = Secrets::masked([7; 16]);
            let data: BTreeMap<String, String> = values.into_iter().collect();
            let data: String = data.iter().map(|(key, value)| format!("  {key}: {value}\n")).collect();
            secrets.learn(&secret(&format!("stringData:\n{data}")));
            proptest::prop_assert_eq!(secrets.text(&text), one_by_one(&secrets, &text));
        }
    }
}
