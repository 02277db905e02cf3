//! Keys: their decoded texts, clashes between them, and the orders in which go-yaml prints them.

use std::borrow::Cow;
use std::cmp::Ordering;

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

/// Sorts keys into go-yaml v2's natural order; they must be sorted bytewise.
pub(super) fn sort_naturally(keys: &mut Vec<Key<'_>>) {
    sort(keys, &|one, other| compare_naturally(&one.0, &other.0));
}

/// Sorts the entries of a mapping as go-yaml prints a map of Go.
pub fn sort_entries(entries: &mut Vec<MappingEntry>) {
    entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
    sort(entries, &|one, other| {
        let (one, other) = (one.key.text(), other.key.text());
        compare_naturally(one.unwrap_or_default(), other.unwrap_or_default())
    });
}

/// Sorts by an order that may have cycles (`v12`, `v1beta1`, `v2`), for which Kustomize's own
/// output is random. Here equal sets of keys always have the same order.
fn sort<T>(keys: &mut Vec<T>, order: &dyn Fn(&T, &T) -> Ordering) {
    if keys.windows(2).all(|pair| order(&pair[0], &pair[1]) != Ordering::Greater) {
        return;
    }
    // The standard sort may panic on an order with cycles; this merge sort cannot.
    let mut width = 1;
    let mut spare = Vec::with_capacity(keys.len());
    while width < keys.len() {
        let mut runs = std::mem::take(keys).into_iter();
        while runs.len() > 0 {
            let mut left = take(&mut runs, width).peekable();
            let mut right = take(&mut runs, width).peekable();
            while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
                let right_first = order(a, b) == Ordering::Greater;
                spare.extend(if right_first { right.next() } else { left.next() });
            }
            spare.extend(left);
            spare.extend(right);
        }
        *keys = std::mem::take(&mut spare);
        width *= 2;
    }
}

fn take<T>(from: &mut impl Iterator<Item = T>, count: usize) -> std::vec::IntoIter<T> {
    from.by_ref().take(count).collect::<Vec<_>>().into_iter()
}

pub(super) fn compare_naturally(a: &str, b: &str) -> Ordering {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let start = (0..=same).rev().find(|&at| a.is_char_boundary(at)).unwrap_or(0);
    let (rest_a, rest_b) = (&a[start..], &b[start..]);
    let (Some(x), Some(y)) = (rest_a.chars().next(), rest_b.chars().next()) else {
        return a.len().cmp(&b.len());
    };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let after_digit = (x == '0' || y == '0')
        && a[..start].chars().rev().take_while(|c| is_digit(*c)).any(|c| c != '0');
    let (number_a, length_a) = number(rest_a, after_digit);
    let (number_b, length_b) = number(rest_b, after_digit);
    number_a.cmp(&number_b).then(length_a.cmp(&length_b)).then(x.cmp(&y))
}

/// The number at the start of a text, in Go's wrapping arithmetic, and its count of digits.
fn number(text: &str, after_digit: bool) -> (i64, usize) {
    let digits = text.chars().take_while(|c| is_digit(*c));
    digits.fold((i64::from(after_digit), 0), |(value, length), c| {
        let digit = i64::from(u32::from(c)) - i64::from(b'0');
        (value.wrapping_mul(10).wrapping_add(digit), length + 1)
    })
}

/// Limitation: outside ASCII, Unicode's number forms count as digits, too.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || !c.is_ascii() && c.is_numeric()
}
