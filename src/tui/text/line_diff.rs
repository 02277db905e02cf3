//! Two lists of lines side by side: equal lines, changed lines, and the changed words in them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation as _;

use super::TextLine;
use super::changed_part::{differing_range, hidden_range};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiffRowKind {
    Same,
    Removed,
    Added,
    /// Left replaced by right; side by side only.
    Changed,
    /// This number of equal lines, folded.
    Fold(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DiffRow {
    pub kind: DiffRowKind,
    pub left: Option<usize>,
    pub right: Option<usize>,
}

impl DiffRow {
    fn new(kind: DiffRowKind, left: Option<usize>, right: Option<usize>) -> Self {
        Self { kind, left, right }
    }

    pub(crate) fn differs(self) -> bool {
        !matches!(self.kind, DiffRowKind::Same | DiffRowKind::Fold(_))
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct LineDiff {
    pub left: Vec<TextLine>,
    pub right: Vec<TextLine>,
    ops: Vec<DiffOp>,
    /// For each changed line of the left side, the byte ranges that differ.
    pub left_words: BTreeMap<usize, Vec<Range<usize>>>,
    /// As `left_words`, for the right side.
    pub right_words: BTreeMap<usize, Vec<Range<usize>>>,
    /// For each changed line of the left side, the line of the right side that replaces it; and the
    /// reverse.
    pairs: [BTreeMap<usize, usize>; 2],
}

/// A drawn line with the bytes that differ.
#[derive(Clone, Debug)]
pub(crate) struct ShownLine<'d> {
    pub text: Cow<'d, TextLine>,
    pub words: Cow<'d, [Range<usize>]>,
}

impl LineDiff {
    pub(crate) fn new(left: Vec<TextLine>, right: Vec<TextLine>) -> Self {
        let texts = [&left, &right].map(|it| it.iter().map(TextLine::text).collect::<Vec<_>>());
        let texts = texts.each_ref().map(|it| it.iter().map(String::as_str).collect::<Vec<_>>());
        let [old, new] = texts;
        let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
        let mut left_words = BTreeMap::new();
        let mut right_words = BTreeMap::new();
        let mut pairs = [BTreeMap::new(), BTreeMap::new()];
        for op in ops.iter().filter(|op| matches!(op, DiffOp::Replace { .. })) {
            let [removed, added] = changed_words(&old[op.old_range()], &new[op.new_range()]);
            left_words
                .extend(removed.into_iter().map(|(line, it)| (op.old_range().start + line, it)));
            right_words
                .extend(added.into_iter().map(|(line, it)| (op.new_range().start + line, it)));
            for (left, right) in op.old_range().zip(op.new_range()) {
                pairs[0].insert(left, right);
                pairs[1].insert(right, left);
                let (start, [left_end, right_end]) = differing_range([old[left], new[right]]);
                // Lines that only have indentation and dashes in common are unrelated: their
                // differing words are not marked.
                if old[left][..start].trim_start_matches([' ', '-']).is_empty() {
                    continue;
                }
                left_words.entry(left).or_insert_with(|| whole(start..left_end));
                right_words.entry(right).or_insert_with(|| whole(start..right_end));
            }
        }
        Self { left, right, ops, left_words, right_words, pairs }
    }

    /// The line of a row on one side in `cells`. If a changed line is longer, the beginning that it
    /// has in common with the other line is cut, so that the difference is visible.
    pub(crate) fn shown(&self, row: DiffRow, cells: usize) -> Option<ShownLine<'_>> {
        let (number, is_left) = match (row.kind, row.left, row.right) {
            (DiffRowKind::Removed, Some(at), _) | (_, Some(at), None) => (at, true),
            (_, _, Some(at)) => (at, false),
            _ => return None,
        };
        let (lines, words) =
            if is_left { (&self.left, &self.left_words) } else { (&self.right, &self.right_words) };
        let text = lines.get(number)?;
        if row.kind == DiffRowKind::Same {
            return Some(ShownLine { text: Cow::Borrowed(text), words: Cow::Borrowed(&[]) });
        }
        let words = words.get(&number).map_or(&[] as &[_], Vec::as_slice);
        let whole = ShownLine { text: Cow::Borrowed(text), words: Cow::Borrowed(words) };
        let other = self.pairs[usize::from(!is_left)].get(&number);
        let others = if is_left { &self.right } else { &self.left };
        let Some(other) = other.and_then(|at| others.get(*at)) else { return Some(whole) };
        let (own, other) = (text.text(), other.text());
        let Some(cut) = hidden_range([&own, &other], cells) else { return Some(whole) };
        let moved = |at: usize| at.max(cut.end) - cut.end + cut.start + "…".len();
        let visible = words.iter().filter(|word| word.end > cut.end);
        let words: Vec<_> = visible.map(|word| moved(word.start)..moved(word.end)).collect();
        Some(ShownLine { text: Cow::Owned(text.without(&cut)), words: Cow::Owned(words) })
    }

    /// The numbers of removed and added lines.
    pub(crate) fn changed_lines(&self) -> (usize, usize) {
        self.ops
            .iter()
            .filter(|op| !matches!(op, DiffOp::Equal { .. }))
            .fold((0, 0), |(removed, added), op| {
                (removed + op.old_range().len(), added + op.new_range().len())
            })
    }

    /// The rows with `context` lines around each change.
    pub(crate) fn rows(&self, split: Split, context: usize) -> Vec<DiffRow> {
        let mut rows = Vec::new();
        let last = self.ops.len().saturating_sub(1);
        for (index, op) in self.ops.iter().enumerate() {
            let (old, new) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { len, .. } = *op {
                let before = if index == 0 { 0 } else { context };
                let after = if index == last { 0 } else { context };
                equal_rows(&mut rows, old.start, new.start, len, before, after);
            } else if split == Split::SideBySide {
                let both = old.len().min(new.len());
                for offset in 0..old.len().max(new.len()) {
                    let left = old.clone().nth(offset);
                    let right = new.clone().nth(offset);
                    let kind = match offset {
                        offset if offset < both => DiffRowKind::Changed,
                        _ if left.is_some() => DiffRowKind::Removed,
                        _ => DiffRowKind::Added,
                    };
                    rows.push(DiffRow::new(kind, left, right));
                }
            } else {
                rows.extend(old.map(|at| DiffRow::new(DiffRowKind::Removed, Some(at), None)));
                rows.extend(new.map(|at| DiffRow::new(DiffRowKind::Added, None, Some(at))));
            }
        }
        rows
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Split {
    #[default]
    Unified,
    SideBySide,
}

/// Adds rows for equal lines; all but `before` at the start and `after` at the end are folded.
fn equal_rows(
    rows: &mut Vec<DiffRow>,
    old: usize,
    new: usize,
    len: usize,
    before: usize,
    after: usize,
) {
    let same = |at: usize| DiffRow::new(DiffRowKind::Same, Some(old + at), Some(new + at));
    // Folding a single line saves no row.
    if len <= before + after + 1 {
        rows.extend((0..len).map(same));
        return;
    }
    rows.extend((0..before).map(same));
    rows.push(DiffRow::new(DiffRowKind::Fold(len - before - after), None, None));
    rows.extend((len - after..len).map(same));
}

/// A list with this range, or an empty list for an empty range.
fn whole(range: Range<usize>) -> Vec<Range<usize>> {
    if range.is_empty() { Vec::new() } else { vec![range] }
}

/// The words that differ of these replaced lines and of the lines that replace them.
pub(crate) fn changed_words_of_lines(
    sides: [&[String]; 2],
) -> [BTreeMap<usize, Vec<Range<usize>>>; 2] {
    let [old, new] = sides.map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
    changed_words(&old, &new)
}

/// The words of replaced lines that differ, by line: byte ranges, adjacent ones joined. None if less
/// than half of the words of both sides are equal, because then little of the lines is.
fn changed_words(old: &[&str], new: &[&str]) -> [BTreeMap<usize, Vec<Range<usize>>>; 2] {
    let words = |lines: &[&str]| -> Vec<(usize, Range<usize>)> {
        let of_line = |(line, text): (usize, &&str)| {
            let words = text.split_word_bound_indices().map(|(at, word)| at..at + word.len());
            words.map(move |range| (line, range)).collect::<Vec<_>>()
        };
        lines.iter().enumerate().flat_map(of_line).collect()
    };
    let sides = [(old, words(old)), (new, words(new))];
    let [old_texts, new_texts] = sides.each_ref().map(|(lines, words)| {
        words.iter().map(|(line, range)| &lines[*line][range.clone()]).collect::<Vec<&str>>()
    });
    let ops = capture_diff_slices(Algorithm::Myers, &old_texts, &new_texts);
    let equal: usize =
        ops.iter().map(|op| if let DiffOp::Equal { len, .. } = op { *len } else { 0 }).sum();
    let mut changed = [BTreeMap::new(), BTreeMap::new()];
    if 4 * equal < old_texts.len() + new_texts.len() {
        return changed;
    }
    for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        for (side, part) in [op.old_range(), op.new_range()].into_iter().enumerate() {
            for (line, range) in &sides[side].1[part] {
                let of_line: &mut Vec<Range<usize>> = changed[side].entry(*line).or_default();
                match of_line.last_mut() {
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => of_line.push(range.clone()),
                }
            }
        }
    }
    changed
}
