//! Merges two changes of the same text.

use similar::DiffOp;

use super::line_changes::list_diff;

/// A range of lines of the base, and the lines that replace it.
struct Hunk<'t> {
    start: usize,
    end: usize,
    lines: &'t [&'t [u8]],
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn hunks<'t>(base: &[&[u8]], other: &'t [&'t [u8]]) -> Vec<Hunk<'t>> {
    let ops = list_diff(base, other);
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let hunk = |op: &DiffOp| {
        let (old, new) = (op.old_range(), op.new_range());
        Hunk { start: old.start, end: old.end, lines: other.get(new).unwrap_or_default() }
    };
    changed.map(hunk).collect()
}

/// The base with both changes, line by line; `None` if the changes overlap.
pub(super) fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let (base, ours, theirs) = (lines(base), lines(ours), lines(theirs));
    let mut all = hunks(&base, &ours);
    let others = hunks(&base, &theirs);
    let meets = |hunk: &Hunk<'_>, other: &Hunk<'_>| {
        hunk.start < other.end && other.start < hunk.end || hunk.start == other.start
    };
    if all.iter().any(|hunk| others.iter().any(|other| meets(hunk, other))) {
        return None;
    }
    all.extend(others);
    all.sort_by_key(|hunk| (hunk.start, hunk.end));
    let mut out = Vec::new();
    let mut at = 0;
    for hunk in all {
        out.extend(base.get(at..hunk.start)?.concat());
        out.extend(hunk.lines.concat());
        at = hunk.end;
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
