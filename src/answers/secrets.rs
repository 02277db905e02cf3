//! Values of Secrets, masked: one function for every face.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

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
}

impl Secrets {
    /// Values are shown as they are.
    pub fn shown() -> Self {
        Self::default()
    }

    /// Values are masked with marks that this salt makes.
    pub fn masked(salt: [u8; 16]) -> Self {
        Self { salt: Some(salt), known: BTreeMap::new() }
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

    /// A text in which every value of a known Secret is masked.
    pub fn text(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for ((_, value), known) in &self.known {
            if !masked.contains(value) {
                continue;
            }
            if value.len() >= WORD {
                masked = masked.replace(value, &known.mark);
                continue;
            }
            let lines = masked.split_inclusive('\n').map(|line| {
                let is_told =
                    line.trim() == value || known.keys.iter().any(|key| has_word(line, key));
                if is_told { words_replaced(line, value, &known.mark) } else { line.to_owned() }
            });
            masked = lines.collect();
        }
        masked
    }
}

/// A text with a value masked where it is a word of its own.
fn words_replaced(text: &str, value: &str, mark: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(value) {
        let (before, behind) = (&rest[..at], &rest[at + value.len()..]);
        let begins = before.chars().next_back().or_else(|| out.chars().next_back());
        let is_word = !begins.is_some_and(goes_on) && !behind.starts_with(goes_on);
        out.push_str(before);
        out.push_str(if is_word { mark } else { value });
        rest = behind;
    }
    out + rest
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(goes_on) && !line[at + word.len()..].starts_with(goes_on)
    })
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
}
