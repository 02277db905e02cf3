//! An index of known values of Secrets that finds all of them in one pass.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::multi_text_search::MultiTextSearch;

/// The minimum length of values that are masked in every field that contains them.
pub(super) const MIN_FIELD_BYTES: usize = 8;
/// The minimum length of values that are masked in messages. A shorter value is masked if it is a
/// word that is alone on a line or beside its key: `shop` may be a password, and is the name of a
/// namespace.
pub(super) const MIN_MESSAGE_BYTES: usize = 6;
/// The length below which a value of lower case letters alone is masked only in fields that are
/// equal to it, not in fields that contain it: `postgres` is a part of many images.
const MAX_WORD_LIKE_BYTES: usize = 16;
/// The masked ranges of a text, each with its replacement `<secret …>`.
pub(super) type MaskedRanges<'m> = Vec<(Range<usize>, Cow<'m, str>)>;
/// The known values of Secrets, the longest first, with their replacements.
pub(super) type KnownValues = BTreeMap<(Reverse<usize>, String), SecretMark>;

#[derive(Clone, Debug, Default)]
pub(super) struct SecretMark {
    pub mark: String,
    pub keys: BTreeSet<String>,
}

#[derive(Debug)]
pub(super) struct SecretIndex {
    long: MultiTextSearch,
    /// Values shorter than [`MIN_MESSAGE_BYTES`] and values that are names, with separate numbers
    /// from 0.
    short: MultiTextSearch,
    keys: MultiTextSearch,
    /// For each short value, the indices of its keys.
    keys_of: Vec<BTreeSet<usize>>,
    /// The replacements of the values, those of the long values first.
    marks: Vec<String>,
    longs: usize,
    /// For each long value, true if it is masked in fields that contain it.
    of_fields: Vec<bool>,
}

impl SecretIndex {
    pub(super) fn new(known: &KnownValues, names: &BTreeSet<Arc<str>>) -> Self {
        let is_long = |text: &str| text.len() >= MIN_MESSAGE_BYTES && !names.contains(text);
        let (long, short): (Vec<_>, Vec<_>) =
            known.iter().partition(|((_, text), _)| is_long(text));
        let keys: BTreeSet<&str> =
            short.iter().flat_map(|(_, it)| it.keys.iter().map(String::as_str)).collect();
        let mut keys: Vec<&str> = keys.into_iter().filter(|key| !key.is_empty()).collect();
        keys.sort_by_key(|key| Reverse(key.len()));
        let numbers: BTreeMap<&str, usize> =
            keys.iter().enumerate().map(|(number, key)| (*key, number)).collect();
        let keys_of = short.iter().map(|(_, it)| {
            it.keys.iter().filter_map(|key| numbers.get(key.as_str()).copied()).collect()
        });
        Self {
            keys_of: keys_of.collect(),
            long: MultiTextSearch::new(long.iter().map(|((_, text), _)| text.as_str())),
            short: MultiTextSearch::new(short.iter().map(|((_, text), _)| text.as_str())),
            keys: MultiTextSearch::new(keys.iter().copied()),
            marks: long.iter().chain(&short).map(|(_, it)| it.mark.clone()).collect(),
            longs: long.len(),
            of_fields: long.iter().map(|((_, text), _)| is_masked_in_fields(text)).collect(),
        }
    }

    pub(super) fn ranges_in_field(&self, text: &str) -> MaskedRanges<'_> {
        let is_wanted = |number: usize| self.of_fields.get(number) == Some(&true);
        self.attach_marks(self.long.covered_ranges(text, is_wanted))
    }

    pub(super) fn ranges_in_message(&self, text: &str) -> MaskedRanges<'_> {
        let mut found = self.long.covered_ranges(text, |_| true);
        let mut from = 0;
        for line in text.split_inclusive('\n').filter(|_| !self.keys_of.is_empty()) {
            let words = self.words(line).into_iter();
            found.extend(words.map(|(it, at)| (self.longs + it, from + at.start..from + at.end)));
            from += line.len();
        }
        self.attach_marks(found)
    }

    fn attach_marks(&self, found: Vec<(usize, Range<usize>)>) -> MaskedRanges<'_> {
        let mark = |number: usize| self.marks.get(number).map_or("", String::as_str);
        found.into_iter().map(|(number, range)| (range, mark(number).into())).collect()
    }

    /// The positions of short values in a line, in order: as words, alone on the line or with one
    /// of their keys as another word.
    fn words(&self, line: &str) -> Vec<(usize, Range<usize>)> {
        let is_word = |(_, place): &(usize, Range<usize>)| is_word(line, place);
        let mut found: Vec<(usize, Range<usize>)> =
            self.short.all_occurrences(line).filter(is_word).collect();
        if found.is_empty() {
            return found;
        }
        found.sort_by_key(|(number, place)| (*number, place.start));
        let keys: BTreeSet<usize> =
            self.keys.all_occurrences(line).filter(is_word).map(|(number, _)| number).collect();
        let is_told = |number: usize, place: &Range<usize>| {
            let is_named = self.keys_of.get(number).is_some_and(|of| !of.is_disjoint(&keys));
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

/// A text with these ranges replaced. A range over several lines is replaced on each of them, so
/// that the text has as many lines as before.
pub(super) fn replaced(text: &str, mut places: MaskedRanges<'_>) -> String {
    places.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (range, mark) in places {
        for part in line_parts(text, range.start.max(from)..range.end) {
            out.push_str(text.get(from..part.start).unwrap_or_default());
            out.push_str(&mark);
            from = part.end;
        }
    }
    out + text.get(from..).unwrap_or_default()
}

/// For each line of a range, the part that contains text; blank lines are left out.
pub(super) fn line_parts(
    text: &str,
    range: Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'_> {
    let mut from = range.start;
    let lines = text.get(range).unwrap_or_default().split_inclusive('\n');
    lines.filter_map(move |line| {
        let start = from + line.len() - line.trim_start().len();
        let end = from + line.trim_end().len();
        from += line.len();
        (start < end).then_some(start..end)
    })
}

/// True if the range neither begins nor ends within a word.
pub(super) fn is_word(line: &str, place: &Range<usize>) -> bool {
    let before = line.get(..place.start).and_then(|it| it.chars().next_back());
    let behind = line.get(place.end..).unwrap_or_default();
    !before.is_some_and(is_word_char) && !behind.starts_with(is_word_char)
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// True for a value that is masked in every field that contains it, not only in equal fields.
pub(super) fn is_masked_in_fields(value: &str) -> bool {
    let is_word = value.bytes().all(|byte| byte.is_ascii_lowercase());
    value.len() >= MIN_FIELD_BYTES && (value.len() >= MAX_WORD_LIKE_BYTES || !is_word)
}
