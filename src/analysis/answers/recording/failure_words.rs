//! The error of a build in plain words, and the most informative line of a message.

use crate::engine::diagnostic::{DuplicateOrigin, EntryLocation, Fault, Hint};
use crate::engine::evaluate::{ErrorCause, StepError};
use crate::engine::resource::ResMapError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedTwice {
    /// The resource, as in `ConfigMap otel-agent`.
    pub resource: String,
    /// The entries in which both ways to the resource differ, as written: first that of the
    /// resource that was added before.
    pub entries: [String; 2],
}

impl AddedTwice {
    /// The last part of the entry beside an own one; `None` if neither or both are own.
    pub fn other_entry(&self, is_own: impl Fn(&str) -> bool) -> Option<String> {
        let [first, second] = &self.entries;
        let other = match (is_own(first), is_own(second)) {
            (true, false) => second,
            (false, true) => first,
            _ => return None,
        };
        let name = other.trim_end_matches('/').rsplit('/').next();
        Some(name.unwrap_or(other).to_owned())
    }
}

/// The two entries that add the same resource, if that is the error.
pub fn added_twice(error: &StepError) -> Option<AddedTwice> {
    let clash = match &error.cause {
        ErrorCause::Clash(clash) => clash,
        ErrorCause::Fault(fault) => match fault.innermost() {
            Fault::Clash(clash) => clash,
            _ => return None,
        },
        _ => return None,
    };
    let ResMapError::Duplicate { id, .. } = clash;
    let Some(Hint::DuplicateId(
        DuplicateOrigin::Same { ways, .. } | DuplicateOrigin::Other { ways, .. },
    )) = &error.hint
    else {
        return None;
    };
    let (first, second) = ways.0.iter().zip(&ways.1).find(|(first, second)| first != second)?;
    let name = |entry: &EntryLocation| {
        if entry.name.is_empty() {
            format!("{}:{}", entry.file, entry.line)
        } else {
            entry.name.clone()
        }
    };
    let resource = format!("{} {}", id.gvk.kind, id.name);
    Some(AddedTwice { resource, entries: [name(first), name(second)] })
}

/// The error as text: of two resources with one id, the entries that add them; otherwise its
/// message.
pub fn failure_words(error: &StepError) -> String {
    match added_twice(error) {
        Some(AddedTwice { resource, entries: [first, second] }) => {
            let shared = shared_folder(&first, &second);
            let (first, second) = (&first[shared..], &second[shared..]);
            format!("{resource} is added by {first} and by {second}")
        }
        None => error.message.clone(),
    }
}

/// The bytes of the folder that two paths share, up to its last slash.
fn shared_folder(one: &str, other: &str) -> usize {
    let same = one.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b);
    same.filter(|((_, sign), _)| *sign == '/').last().map_or(0, |((at, _), _)| at + 1)
}

/// The beginning of the error that has the problems of a Composition, each in one more line.
const COMPOSITION_HEADING: &str = "invalid Composition at path ";

/// The first line of a message. A line that ends in a colon only introduces the next line, which is
/// then included, and so does the heading of an invalid Composition.
///
/// Errors of Kustomize continue below `yaml: unmarshal errors:` and below `Failed to read
/// kustomization file under …:`.
pub fn headline(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let mut told = lines.next().unwrap_or_default().to_owned();
    if told.starts_with(COMPOSITION_HEADING)
        && let Some(problem) = lines.next()
    {
        told.push_str(": ");
        told.push_str(problem);
    }
    while told.ends_with(':')
        && let Some(next) = lines.next()
    {
        told.push(' ');
        told.push_str(next);
    }
    shorten_ids(&told)
}

/// The text with each id `Kind.version.group/name.namespace` of Kustomize as `Kind/name in
/// namespace`.
pub fn shorten_ids(text: &str) -> String {
    let is_edge = |letter: char| letter.is_whitespace() || "\"'`(),;".contains(letter);
    let parts = text.split_inclusive(is_edge).map(|part| {
        let word = part.trim_end_matches(is_edge);
        shorten_id(word).map_or_else(|| part.to_owned(), |id| id + &part[word.len()..])
    });
    parts.collect()
}

/// The short form of an id of Kustomize; `None` for other words.
fn shorten_id(word: &str) -> Option<String> {
    let (gvk, rest) = word.split_once('/')?;
    let (kind, version) = gvk.split_once('.')?;
    let (version, _) = version.split_once('.')?;
    let (name, namespace) = rest.rsplit_once('.')?;
    let is_kind = kind.starts_with(|letter: char| letter.is_ascii_uppercase());
    if !is_kind || !(version == "[noVer]" || version.starts_with('v')) || name.contains('/') {
        return None;
    }
    let name = if name == "[noName]" { String::new() } else { format!("/{name}") };
    let place = if namespace == "[noNs]" { String::new() } else { format!(" in {namespace}") };
    Some(format!("{kind}{name}{place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headline_has_the_next_line_after_a_colon_and_short_ids() {
        for (text, expected) in [
            ("one\ntwo", "one"),
            ("yaml: errors:\n  line 3: twice\n  line 4", "yaml: errors: line 3: twice"),
            (
                "invalid Composition at path c\ncomposition.yaml:3: one\ncomposition.yaml:4: two",
                "invalid Composition at path c: composition.yaml:3: one",
            ),
            ("all:", "all:"),
            ("", ""),
            (
                "no matches for Id Role.v1.rbac.authorization.k8s.io/a.b.[noNs]; failed",
                "no matches for Id Role/a.b; failed",
            ),
            ("\"ConfigMap.v1.[noGrp]/a.shop\": x", "\"ConfigMap/a in shop\": x"),
            ("no match for Pod.[noVer].[noGrp]/[noName].[noNs]", "no match for Pod"),
            ("at base/v1.yaml (see a/b.c)", "at base/v1.yaml (see a/b.c)"),
        ] {
            assert_eq!(headline(text), expected);
        }
    }
}
