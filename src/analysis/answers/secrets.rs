//! Values of Secrets, masked: one function for every face.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

use super::many_texts::ManyTexts;

/// Lines of a value that are no longer than this are not looked for by themselves.
const SHORTEST: usize = 4;
/// Shorter values are masked where they stand with their key, or alone on a line: `shop` may be a password, and is the name
/// of a namespace.
const WORD: usize = 6;

/// What stands for a value.
#[derive(Clone, Debug, Default)]
struct Known {
    mark: String,
    /// The keys that Secrets have it under.
    keys: BTreeSet<String>,
}

/// How values of Secrets are shown. Equal values have equal marks as long as the process lives; what a mark hides cannot be
/// found by trying, because nobody knows the salt.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    salt: Option<[u8; 16]>,
    /// What is masked in texts: a value, or a line of one, with its mark; the longest first.
    known: BTreeMap<(std::cmp::Reverse<usize>, String), Known>,
    /// What finds all of these in a text at once, from the first text on.
    index: OnceLock<Arc<Index>>,
}

/// What is known, laid out to be found. The texts have their numbers from the order in which they are known.
#[derive(Debug)]
struct Index {
    long: ManyTexts,
    /// Those shorter than [`WORD`], numbered from 0 again.
    short: ManyTexts,
    /// The keys of the short ones.
    keys: ManyTexts,
    /// Which of these each of the short ones has, in order.
    keys_of: Vec<Vec<usize>>,
    /// The marks, the long ones first.
    marks: Vec<String>,
    /// So many are long.
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

    /// True when values are masked.
    pub fn are_masked(&self) -> bool {
        self.salt.is_some()
    }

    /// Remembers the values of a Secret, so that [`Secrets::text`] finds them in the files that they come from.
    pub fn learn(&mut self, resource: &Resource) {
        if !self.are_masked() || !is_secret(resource) {
            return;
        }
        self.index = OnceLock::new();
        let mut learn = |key: &str, text: &str, mark: &str| {
            let whole = [text].into_iter();
            let lines = text.lines().filter(|line| line.trim().len() > SHORTEST);
            for piece in whole.chain(lines).map(str::trim).filter(|piece| !piece.is_empty()) {
                let place = (std::cmp::Reverse(piece.len()), piece.to_owned());
                let known = self.known.entry(place).or_default();
                mark.clone_into(&mut known.mark);
                known.keys.insert(key.to_owned());
            }
        };
        let salt = self.salt.unwrap_or_default();
        for (field, is_encoded) in [("data", true), ("stringData", false)] {
            for entry in resource.node.get(field).map(Node::entries).unwrap_or_default() {
                let Some(text) = entry.value.text() else { continue };
                let key = entry.key.text().unwrap_or_default();
                let plain = plain_value(text, is_encoded);
                let mark = mark(salt, &plain);
                learn(key, text, &mark);
                if let Ok(plain) = String::from_utf8(plain) {
                    learn(key, &plain, &mark);
                }
            }
        }
    }

    /// A text of bytes in which every value of a known Secret is masked; the bytes themselves when nothing is masked.
    pub fn bytes<'b>(&self, bytes: &'b [u8]) -> std::borrow::Cow<'b, [u8]> {
        if self.known.is_empty() {
            return bytes.into();
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => self.text(text).into_bytes().into(),
            Err(_) => bytes.into(),
        }
    }

    /// The tree of a resource, with its values masked when it is a Secret.
    pub fn node(&self, resource: &Resource) -> Node {
        let Some(salt) = self.salt.filter(|_| is_secret(resource)) else {
            return resource.node.clone();
        };
        let mut node = resource.node.clone();
        for (field, is_encoded) in [("data", true), ("stringData", false)] {
            let Some(data) = node.get_mut(field).and_then(Node::as_mapping_mut) else { continue };
            for entry in &mut data.entries {
                let text = entry.value.text().unwrap_or_default();
                let mark = mark(salt, &plain_value(text, is_encoded));
                entry.value = Node::string(mark).marked(entry.value.mark);
            }
        }
        // kubectl keeps a copy of all of it there.
        let last = "kubectl.kubernetes.io/last-applied-configuration";
        let annotations = node.get_mut("metadata").and_then(|it| it.get_mut("annotations"));
        if let Some(copy) = annotations.and_then(|it| it.get_mut(last)) {
            *copy = Node::string(mark(salt, copy.text().unwrap_or_default().as_bytes()));
        }
        node
    }

    /// A text in which every value of a known Secret is masked, the longest first. What stands for a value is not looked into.
    pub fn text(&self, text: &str) -> String {
        if self.known.is_empty() {
            return text.to_owned();
        }
        let index = self.index.get_or_init(|| Arc::new(Index::of(&self.known)));
        let mark = |number: usize| index.marks.get(number).map_or("", String::as_str);
        let masked = replaced(text, &index.long.apart(text), mark);
        if index.keys_of.is_empty() {
            return masked;
        }
        let short = |number: usize| mark(index.longs + number);
        masked.split_inclusive('\n').map(|line| replaced(line, &index.words(line), short)).collect()
    }
}

impl Index {
    fn of(known: &BTreeMap<(std::cmp::Reverse<usize>, String), Known>) -> Self {
        let longs = known.keys().take_while(|(_, text)| text.len() >= WORD).count();
        let texts = || known.keys().map(|(_, text)| text.as_str());
        let short = || known.values().skip(longs);
        let keys: BTreeSet<&str> =
            short().flat_map(|it| it.keys.iter().map(String::as_str)).collect();
        let mut keys: Vec<&str> = keys.into_iter().filter(|key| !key.is_empty()).collect();
        keys.sort_by_key(|key| std::cmp::Reverse(key.len()));
        let numbers: BTreeMap<&str, usize> =
            keys.iter().enumerate().map(|(number, key)| (*key, number)).collect();
        let keys_of = short().map(|it| {
            let mut of: Vec<usize> =
                it.keys.iter().filter_map(|key| numbers.get(key.as_str()).copied()).collect();
            of.sort_unstable();
            of
        });
        Self {
            long: ManyTexts::new(texts().take(longs)),
            short: ManyTexts::new(texts().skip(longs)),
            keys: ManyTexts::new(keys.iter().copied()),
            keys_of: keys_of.collect(),
            marks: known.values().map(|it| it.mark.clone()).collect(),
            longs,
        }
    }

    /// Where short values are masked in a line, in the order in which they stand: as words of their own, alone on the line or where one of their keys is a word of it.
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
