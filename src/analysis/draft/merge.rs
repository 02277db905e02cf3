//! Merges two changes of the same text.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A range of lines of the base, and the lines that replace it.
type Hunk<'t> = (Range<usize>, &'t [&'t [u8]]);

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn hunks<'t>(base: &[&[u8]], other: &'t [&'t [u8]]) -> Vec<Hunk<'t>> {
    let ops = capture_diff_slices(Algorithm::Myers, base, other);
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed.map(|op| (op.old_range(), other.get(op.new_range()).unwrap_or_default())).collect()
}

/// The base with both changes, line by line; `None` if the changes overlap.
pub(super) fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let (base, ours, theirs) = (lines(base), lines(ours), lines(theirs));
    let mut all = hunks(&base, &ours);
    let others = hunks(&base, &theirs);
    let meets = |(own, _): &Hunk<'_>, (other, _): &Hunk<'_>| {
        own.start < other.end && other.start < own.end || own.start == other.start
    };
    if all.iter().any(|hunk| others.iter().any(|other| meets(hunk, other))) {
        return None;
    }
    all.extend(others);
    all.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = Vec::new();
    let mut at = 0;
    for (range, lines) in all {
        out.extend(base.get(at..range.start)?.concat());
        out.extend(lines.concat());
        at = range.end;
    }
    out.extend(base.get(at..)?.concat());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn merge_has_both_changes_or_none() {
        let both = merge(b"a\nb\nc\nd\n", b"A\nb\nc\nd\n", b"a\nb\nc\nD\ne");
        assert_eq!(both.as_deref(), Some(&b"A\nb\nc\nD\ne"[..]));
        assert_eq!(merge(b"a\nb\n", b"a\nB\n", b"a\nC\n"), None);
    }
}
