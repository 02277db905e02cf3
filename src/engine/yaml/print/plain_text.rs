//! A fast path for texts that are printed unchanged, as most are.

use std::cmp::Ordering;

use super::super::parse::Bytes;
use super::super::scalar::{ScalarType, resolve_v3, v1_1_is_string};
use super::super::{Scalar, Style, Tag};
use super::keys::{MAX_SIMPLE_KEY_BYTES, compare_naturally};

/// Bytes without influence at any position of a text: printable, and no part of `: ` or ` #`.
static NEUTRAL_BYTES: Bytes =
    Bytes::from_bytes(b"!\"$%&'()*+,-./;<=>?@[\\]^_`{|}~").with_letters_and_digits();

/// The bytes of which most keys consist.
static WORD_BYTES: Bytes = Bytes::from_bytes(b"_-./").with_letters_and_digits();

/// A text that one scan shows to be plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlainText {
    /// Without a space, the only character at which a line could be broken.
    Whole,
    /// With spaces, at which lines could be broken.
    Spaced,
}

impl PlainText {
    /// Classifies a text in one pass; `None` if the pass cannot show that it is plain.
    pub(super) fn classify(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (first, last) = (*bytes.first()?, *bytes.last()?);
        if !first.is_ascii_alphanumeric() && !matches!(first, b'/' | b'_')
            || matches!(last, b' ' | b':')
        {
            return None;
        }
        let mut tame = Self::Whole;
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|byte| !NEUTRAL_BYTES.has(*byte)) {
            let (found, behind) = (rest[at], &rest[at + 1..]);
            match (found, behind.first()) {
                (b' ', Some(b'#')) | (b':', Some(b' ')) => return None,
                (b' ', _) => tame = Self::Spaced,
                (b':' | b'#', _) => {}
                _ => return None,
            }
            rest = behind;
        }
        Some(tame)
    }
}

/// True if YAML 1.1 reads the text as a string. Only a text with one of a few first characters has
/// to be checked.
pub(super) fn reads_as_string(text: &str) -> bool {
    match text.as_bytes().first() {
        None => false,
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => v1_1_is_string(text),
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => {
            text.len() > 5 || v1_1_is_string(text)
        }
        Some(_) => true,
    }
}

/// True for a key that can only be a text on one line, and that is printed unchanged.
pub(super) fn is_word(key: &Scalar) -> bool {
    let text = key.text.as_bytes();
    !key.tagged
        && matches!(key.tag, Tag::None | Tag::Str)
        && !matches!(key.style, Style::Literal | Style::Folded)
        && text.len() <= MAX_SIMPLE_KEY_BYTES
        && text.first().is_some_and(u8::is_ascii_alphabetic)
        && text.iter().all(|byte| WORD_BYTES.has(*byte))
        && reads_as_string(&key.text)
}

/// True if a key precedes another, both bytewise and in go-yaml v2's natural order.
pub(super) fn is_before(one: &str, other: &str) -> bool {
    let mut pairs = one.bytes().zip(other.bytes());
    match pairs.find(|(a, b)| a != b) {
        None => one.len() < other.len(),
        Some((a, b)) if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => a < b,
        Some((a, b)) => a < b && compare_naturally(one, other) != Ordering::Greater,
    }
}

/// The text of a scalar that is printed unchanged, and whether it is a string; `None` for other
/// scalars.
pub(super) fn plain_unchanged(scalar: &Scalar) -> Option<PlainScalar<'_>> {
    let text = &*scalar.text;
    match scalar.tag {
        // A text of several lines is written as a literal, which may not begin with a tab.
        Tag::Str if scalar.style != Style::Folded && !text.starts_with('\t') => {
            Some(PlainScalar::Text(text))
        }
        Tag::None
            if scalar.style == Style::Plain
                && text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
                && !text.contains('\n')
                && resolve_v3(text) == ScalarType::Str =>
        {
            Some(PlainScalar::Text(text))
        }
        Tag::Int if !scalar.tagged && scalar.style == Style::Plain && is_decimal(text) => {
            Some(PlainScalar::Number(text))
        }
        Tag::Bool if !scalar.tagged && scalar.style == Style::Plain => {
            matches!(text, "true" | "false").then_some(PlainScalar::Number(text))
        }
        _ => None,
    }
}

pub(super) enum PlainScalar<'a> {
    /// A string, which may need quotes.
    Text(&'a str),
    /// A number or a boolean as printed.
    Number(&'a str),
}

/// A number whose text is its printed form.
fn is_decimal(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() < 18
        && bytes.iter().all(u8::is_ascii_digit)
        && bytes.first().is_some_and(|first| *first != b'0' || bytes.len() == 1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::scalar_analysis::ScalarAnalysis;
    use super::super::{Decoded, ScalarPosition, decode, print_output};
    use super::*;
    use crate::yaml::{Comments, MappingEntry, Node};

    const TEXTS: &str = "[aAnNyYoOtTeExf0019_.:#/<~,' \t\n\u{85}\u{e9}+-]{0,6}|[0-9]{1,20}|null|true|v1beta1|v[0-9]{1,3}";

    fn scalars() -> impl Strategy<Value = Node> {
        let tags = [Tag::None, Tag::Str, Tag::Int, Tag::Float, Tag::Bool, Tag::Null, Tag::Merge];
        let styles =
            [Style::Plain, Style::SingleQuoted, Style::DoubleQuoted, Style::Literal, Style::Folded];
        let scalar =
            (TEXTS, prop::sample::select(tags.to_vec()), prop::sample::select(styles.to_vec()));
        (scalar, prop::bool::weighted(0.1)).prop_map(|((text, tag, style), tagged)| {
            let mut node = Node::scalar(text, tag, style);
            if let Some(scalar) = node.as_scalar_mut() {
                scalar.tagged = tagged;
            }
            node
        })
    }

    fn keys() -> impl Strategy<Value = Node> {
        let words =
            "[abntyV][a-c0-9._/-]{0,3}".prop_map(|text| Node::scalar(text, Tag::Str, Style::Plain));
        prop_oneof![5 => words, 1 => scalars()]
    }

    fn mapping(entries: &[(Node, Node)], key: impl Fn(&Node) -> Node) -> Node {
        let mut node = Node::mapping();
        if let Some(mapping) = node.as_mapping_mut() {
            for (text, value) in entries {
                mapping.entries.push(MappingEntry { key: key(text), value: value.clone() });
            }
        }
        node
    }

    proptest! {
        #[test]
        fn unchanged_plain_scalars_reparse_equal(node in scalars()) {
            let scalar = node.as_scalar().unwrap();
            for place in [ScalarPosition::Block, ScalarPosition::Flow] {
                match plain_unchanged(scalar) {
                    None => {}
                    Some(PlainScalar::Text(text)) => {
                        prop_assert_eq!(decode(&node, scalar, place), Ok(Decoded::Str(text.into())));
                    }
                    Some(PlainScalar::Number(text)) => {
                        let printed = match decode(&node, scalar, place) {
                            Ok(Decoded::Int(value)) => value.to_string(),
                            Ok(Decoded::Bool(value)) => value.to_string(),
                            other => format!("{other:?}"),
                        };
                        prop_assert_eq!(printed, text);
                    }
                }
            }
        }

        #[test]
        fn classified_text_is_plain(text in TEXTS) {
            if let Some(tame) = PlainText::classify(&text) {
                prop_assert!(ScalarAnalysis::examine(&text).allows_plain());
                prop_assert_eq!(tame == PlainText::Spaced, text.contains(' '));
            }
        }

        /// The fast path for simple keys prints the same as the general path, which an empty
        /// comment forces.
        #[test]
        fn words_are_printed_as_any_other_key(
            entries in prop::collection::vec((keys(), scalars()), 0..6)
        ) {
            let commented = |key: &Node| {
                let mut key = key.clone();
                key.comments = Some(Arc::new(Comments::default()));
                key
            };
            let tree = mapping(&entries, Node::clone);
            let closer = mapping(&entries, commented);
            prop_assert_eq!(print_output(&tree), print_output(&closer));
        }

        /// A key that precedes another does so bytewise and in natural order.
        #[test]
        fn words_are_before_others_in_both_orders(one in TEXTS, other in TEXTS) {
            if is_before(&one, &other) {
                prop_assert!(one < other && compare_naturally(&one, &other) != Ordering::Greater);
            }
        }
    }
}
