//! Values of Secrets, masked: one function for every face.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

/// Shorter values are masked only where they are all that is said: a `1` stands in every file.
const SHORTEST: usize = 4;
/// Values shorter than this are masked where they are a word: `shop` is no part of `shop-staging`.
const WORD: usize = 8;

/// How values of Secrets are shown. Equal values have equal marks as long as the process lives; what a mark hides cannot be
/// found by trying, because nobody knows the salt.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    salt: Option<[u8; 16]>,
    /// What is masked in texts: a value, or a line of one, with its mark; the longest first.
    known: BTreeMap<(std::cmp::Reverse<usize>, String), String>,
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
        let mut learn = |text: &str, mark: &str| {
            let whole = [text].into_iter();
            let lines = text.lines().filter(|line| line.trim().len() > SHORTEST);
            for piece in whole.chain(lines).map(str::trim).filter(|piece| !piece.is_empty()) {
                let key = (std::cmp::Reverse(piece.len()), piece.to_owned());
                self.known.insert(key, mark.to_owned());
            }
        };
        let salt = self.salt.unwrap_or_default();
        for (field, is_encoded) in [("data", true), ("stringData", false)] {
            for entry in resource.node.get(field).map(Node::entries).unwrap_or_default() {
                let Some(text) = entry.value.text() else { continue };
                let plain = plain_value(text, is_encoded);
                let mark = mark(salt, &plain);
                learn(text, &mark);
                if let Ok(plain) = String::from_utf8(plain) {
                    learn(&plain, &mark);
                }
            }
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
        for ((_, value), mark) in &self.known {
            if value.len() >= SHORTEST {
                if masked.contains(value) {
                    masked = replaced(&masked, value, mark);
                }
                continue;
            }
            let says_it = |line: &str| {
                let said = line.trim_end().rsplit(['=', ':', ' ']).next().unwrap_or_default();
                said.trim_matches(['"', '\'']) == value
            };
            if masked.lines().any(says_it) {
                let lines = masked.split_inclusive('\n').map(|line| {
                    if says_it(line) { line.replace(value.as_str(), mark) } else { line.to_owned() }
                });
                masked = lines.collect();
            }
        }
        masked
    }
}

/// A text with a value masked wherever it stands, a short one only where it is a word of its own.
fn replaced(text: &str, value: &str, mark: &str) -> String {
    if value.len() >= WORD {
        return text.replace(value, mark);
    }
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
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
        assert!(!secrets.text("url: db://me:other@host").contains("other"));
        assert_ne!(secrets.text("flag=x\n"), "flag=x\n");
        let other = Secrets::masked([8; 16]);
        assert_ne!(print_v3(&other.node(&resource)), printed);
        assert_eq!(print_v3(&Secrets::shown().node(&resource)), print_v3(&resource.node));
    }
}
