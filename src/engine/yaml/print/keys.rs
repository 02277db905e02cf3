//! Keys: their decoded texts, and clashes between them.

use std::borrow::Cow;

use super::super::scalar::{ScalarType, resolve_v3};
use super::super::{
    Mapping, MappingEntry, MergeFault, Node, Scalar, Style, Tag, YamlCause, YamlError,
};
use super::value::{Decoded, ScalarPosition, decode, failure};

/// The maximum length in bytes of a key on one line with its colon.
pub(super) const MAX_SIMPLE_KEY_BYTES: usize = 128;

/// The level of a mapping: Kustomize decodes the root into a map with string keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum MappingLevel {
    /// The root: keys of any type become strings.
    Root,
    /// Below the root: every key must be a string.
    Nested,
}

/// The text of a key, and the index of its entry.
pub(in super::super) type Key<'a> = (Cow<'a, str>, usize);

/// Decodes the keys of a mapping and sorts them bytewise.
///
/// # Errors
/// Duplicate keys, and below the root keys that are not strings.
pub(in super::super) fn decode_keys(
    mapping: &Mapping,
    level: MappingLevel,
    flow: bool,
) -> Result<Vec<Key<'_>>, YamlError> {
    let entries = &mapping.entries;
    let mut keys = Vec::with_capacity(entries.len());
    let mut odd = None;
    for (index, entry) in entries.iter().enumerate() {
        let Some(scalar) = entry.key.as_scalar() else {
            return Err(failure(&entry.key, YamlCause::InvalidKey));
        };
        let (text, is_string) = if scalar.tag == Tag::Str && !is_block(scalar) {
            (Cow::Borrowed(&*scalar.text), true)
        } else {
            decode_key(entry, scalar, flow)?
        };
        if !is_string && odd.is_none() {
            odd = Some(&entry.key);
        }
        keys.push((text, index));
    }
    keys.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.cmp(&b.1)));
    if let Some(pair) = keys.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(duplicate(&entries[pair[0].1].key, &entries[pair[1].1].key));
    }
    match odd {
        Some(key) if level == MappingLevel::Nested => {
            Err(failure(key, YamlCause::KeysOfOtherTypes))
        }
        _ => Ok(keys),
    }
}

fn is_block(scalar: &Scalar) -> bool {
    matches!(scalar.style, Style::Literal | Style::Folded)
}

/// The text of one key, and whether go-yaml v3 reads it as a string.
fn decode_key<'a>(
    entry: &'a MappingEntry,
    scalar: &'a Scalar,
    flow: bool,
) -> Result<(Cow<'a, str>, bool), YamlError> {
    let key = &entry.key;
    let text = &*scalar.text;
    let place = match flow {
        true => ScalarPosition::Flow,
        false if text.len() > MAX_SIMPLE_KEY_BYTES || text.contains('\n') => ScalarPosition::Block,
        false => ScalarPosition::Key,
    };
    let decoded = decode(key, scalar, place)?;
    let quoted = scalar.style != Style::Plain || text.is_empty() || flow && text.contains(':');
    let is_string = match &scalar.tag {
        Tag::Str => true,
        // Only `<<` is a merge key: any other text with the merge tag is a string.
        Tag::Merge if text != "<<" => true,
        tag if scalar.tagged && *tag != Tag::None => false,
        Tag::Other | Tag::Binary => false,
        _ if quoted => true,
        _ => match resolve_v3(text) {
            ScalarType::Merge if !is_mergeable(&entry.value) => {
                return Err(failure(key, YamlCause::GoMerge(MergeFault::NoMap)));
            }
            ScalarType::Str | ScalarType::Merge => true,
            _ => false,
        },
    };
    match decoded {
        // Kustomize: a null key clashes with itself.
        Decoded::Null => Err(duplicate(key, key)),
        Decoded::Str(decoded) if is_string || scalar.tag == Tag::Binary => Ok((decoded, is_string)),
        _ => Ok((Cow::Borrowed(text), false)),
    }
}

fn is_mergeable(value: &Node) -> bool {
    let is_mapping = |node: &Node| node.as_mapping().is_some();
    is_mapping(value) || value.items().is_some_and(|items| items.iter().all(is_mapping))
}

fn duplicate(first: &Node, second: &Node) -> YamlError {
    let key = second.text().unwrap_or_default().into();
    let (line, first) = (second.mark.line, first.mark.line);
    failure(second, YamlCause::RepeatedKey { key, line, first })
}
