//! Two lists of lines side by side: equal lines, changed lines, and the changed words in them.

use std::collections::BTreeMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices, diff_ratio};
use unicode_segmentation::UnicodeSegmentation as _;

use super::TextLine;

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
    /// For each changed line of the left and of the right side, the byte ranges that differ.
    words: [ChangedWords; 2],
}

type ChangedWords = BTreeMap<usize, Vec<Range<usize>>>;

impl LineDiff {
    pub(crate) fn new(left: Vec<TextLine>, right: Vec<TextLine>) -> Self {
        let [old, new] =
            [&left, &right].map(|it| it.iter().map(TextLine::text).collect::<Vec<_>>());
        let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
        let mut words = [ChangedWords::new(), ChangedWords::new()];
        for op in ops.iter().filter(|op| matches!(op, DiffOp::Replace { .. })) {
            let (removed, added) = (op.old_range(), op.new_range());
            let starts = [removed.start, added.start];
            let pairs = removed.clone().zip(added.clone());
            let mut changed = changed_words([&old[removed], &new[added]]);
            if changed.iter().all(BTreeMap::is_empty) {
                // Single lines may be alike in blocks that are not.
                for (number, (left, right)) in pairs.enumerate() {
                    let words = changed_words([&old[left..=left], &new[right..=right]]);
                    for (changed, words) in changed.iter_mut().zip(words) {
                        changed.extend(words.into_values().map(|ranges| (number, ranges)));
                    }
                }
            }
            for ((words, start), changed) in words.iter_mut().zip(starts).zip(changed) {
                words.extend(changed.into_iter().map(|(line, ranges)| (start + line, ranges)));
            }
        }
        Self { left, right, ops, words }
    }

    /// The line of a row on one side, and the bytes that differ.
    pub(crate) fn line(&self, row: DiffRow) -> Option<(&TextLine, &[Range<usize>])> {
        let (lines, side, at) = match (row.kind, row.left, row.right) {
            (DiffRowKind::Removed, Some(at), _) | (_, Some(at), None) => (&self.left, 0, at),
            (_, _, Some(at)) => (&self.right, 1, at),
            _ => return None,
        };
        let words = self.words[side].get(&at).map_or(&[] as &[_], Vec::as_slice);
        Some((lines.get(at)?, words))
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

/// The words of replaced lines that differ, by line: byte ranges, adjacent ones joined. None if less
/// than half of the words of both sides are equal, because then little of the lines is.
pub(crate) fn changed_words(sides: [&[String]; 2]) -> [ChangedWords; 2] {
    let words = |lines: &[String]| -> Vec<(usize, Range<usize>)> {
        let of_line = |(line, text): (usize, &String)| {
            let words = text.split_word_bound_indices().map(|(at, word)| at..at + word.len());
            words.map(|range| (line, range)).collect::<Vec<_>>()
        };
        lines.iter().enumerate().flat_map(of_line).collect()
    };
    let words = sides.map(words);
    let [old, new] = [0, 1].map(|side| {
        let lines = sides[side];
        let texts = words[side].iter().map(|(line, range)| &lines[*line][range.clone()]);
        texts.collect::<Vec<&str>>()
    });
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut changed = [ChangedWords::new(), ChangedWords::new()];
    if diff_ratio(&ops, old.len(), new.len()) < 0.5 {
        return changed;
    }
    for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        for (side, part) in [op.old_range(), op.new_range()].into_iter().enumerate() {
            for (line, range) in &words[side][part] {
                let of_line = changed[side].entry(*line).or_default();
                match of_line.last_mut() {
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => of_line.push(range.clone()),
                }
            }
        }
    }
    changed
}
