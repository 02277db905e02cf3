//! Keys: what they decode to, which of them clash, and go-yaml v2's natural order.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::super::scalar::{ScalarType, resolve_v3};
use super::super::{
    Entry, Mapping, MergeFault, Node, Scalar, Style, Tag, Value, YamlCause, YamlError,
};
use super::value::{Decoded, Place, decode, failure, refused};

/// The bytes of a key that still stands on one line with its colon.
pub(super) const MAX_SIMPLE_KEY: usize = 128;

/// Which mapping the keys belong to; Kustomize decodes the root into a map with string keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Level {
    /// The root: keys of any type become strings.
    Root,
    /// Below: every key must be a string.
    Nested,
}

/// One key with the number of its entry.
pub(in super::super) type Key<'a> = (Cow<'a, str>, usize);

/// Decodes the keys of a mapping and sorts them bytewise.
///
/// # Errors
/// Duplicate keys, and below the root keys that are not strings.
pub(in super::super) fn decode_keys(
    mapping: &Mapping,
    level: Level,
    flow: bool,
) -> Result<Vec<Key<'_>>, YamlError> {
    let entries = &mapping.entries;
    let mut keys = Vec::with_capacity(entries.len());
    let mut odd = None;
    for (index, entry) in entries.iter().enumerate() {
        let Some(scalar) = entry.key.as_scalar() else {
            return Err(failure(&entry.key, YamlCause::InvalidKey));
        };
        let is_last = index + 1 == entries.len();
        // In a collection that has brackets itself the comment is another node's.
        let may_be_cut = mapping.style != Style::Flow;
        if let Some(words) = cut_off(entry, flow, is_last).filter(|_| may_be_cut) {
            return Err(refused(&entry.key, words));
        }
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
        Some(key) if level == Level::Nested => Err(failure(key, YamlCause::KeysOfOtherTypes)),
        _ => Ok(keys),
    }
}

/// Why nobody can read a collection whose key has a comment behind it: in a flow collection go-yaml v3 writes the key's
/// colon into the comment, in a block the brackets of an empty one stand on a line of their own.
fn cut_off(entry: &Entry, flow: bool, is_last: bool) -> Option<&'static str> {
    let comments = entry.key.comments.as_ref();
    let style = match &entry.value.value {
        _ if comments.is_none_or(|comments| comments.line.is_empty()) => return None,
        Value::Mapping(mapping) => mapping.style,
        Value::Sequence(_, style) => *style,
        Value::Scalar(_) => return None,
    };
    match (flow, is_last) {
        (true, true) => Some("invalid map key"),
        (true, false) => Some("did not find expected ',' or '}'"),
        (false, _) => {
            let is_cut = style == Style::Plain && entry.value.is_empty_collection();
            is_cut.then_some("could not find expected ':'")
        }
    }
}

fn is_block(scalar: &Scalar) -> bool {
    matches!(scalar.style, Style::Literal | Style::Folded)
}

/// The text of one key, and whether go-yaml v3 reads it as a string.
fn decode_key<'a>(
    entry: &'a Entry,
    scalar: &'a Scalar,
    flow: bool,
) -> Result<(Cow<'a, str>, bool), YamlError> {
    let key = &entry.key;
    let text = &*scalar.text;
    let place = match flow {
        true => Place::Flow,
        false if text.len() > MAX_SIMPLE_KEY || text.contains('\n') => Place::Block,
        false => Place::Key,
    };
    let decoded = decode(key, scalar, place)?;
    let quoted = scalar.style != Style::Plain || text.is_empty() || flow && text.contains(':');
    let is_string = match &scalar.tag {
        Tag::Str => true,
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

/// Sorts keys, sorted bytewise before, into go-yaml v2's natural order.
///
/// Kustomize: that order has cycles (`v12`, `v1beta1`, `v2`), for which Kustomize's own output is random. Here
/// the same keys always come out in the same order.
pub(super) fn sort_naturally(keys: &mut Vec<Key<'_>>) {
    let ordered = |pair: &[Key<'_>]| natural(&pair[0].0, &pair[1].0) != Ordering::Greater;
    if keys.windows(2).all(ordered) {
        return;
    }
    // The standard sorts may panic on an order with cycles; this one only ever merges.
    let mut width = 1;
    let mut spare = Vec::with_capacity(keys.len());
    while width < keys.len() {
        let mut runs = std::mem::take(keys).into_iter();
        while runs.len() > 0 {
            let mut left = take(&mut runs, width).peekable();
            let mut right = take(&mut runs, width).peekable();
            while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
                let right_first = natural(&a.0, &b.0) == Ordering::Greater;
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

/// go-yaml v2's order of two keys.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
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

/// The number that a text starts with, in Go's wrapping arithmetic, and how many digits it has.
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
