//! Merges the edits in one scalar of several lines: reverting only some of them would give a text
//! that neither side contains, and no field would have its former value.

use std::ops::{Range, RangeInclusive};

use super::edit::FileEdit;
use super::entry_lines::EntryLines;
use crate::engine::yaml::Style;

/// Joins neighbouring edits in the same scalar. Lines of a literal block (`|`) remain separate: they
/// are the lines of a file.
pub(super) fn join_edits_in_scalars(
    edits: Vec<FileEdit>,
    old: &EntryLines<'_>,
    new: &EntryLines<'_>,
) -> Vec<FileEdit> {
    if edits.len() < 2 {
        return edits;
    }
    let (old_scalars, new_scalars) = (scalar_lines(old), scalar_lines(new));
    let mut joined: Vec<FileEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        if let Some(last) = joined.last_mut()
            && last.old.start <= edit.old.start
            && (are_in_same_scalar(&new_scalars, &last.new, &edit.new)
                || are_in_same_scalar(&old_scalars, &last.old, &edit.old))
        {
            (last.old.end, last.new.end) = (edit.old.end, edit.new.end);
        } else {
            joined.push(edit);
        }
    }
    joined
}

/// True if the lines of one edit end, and those of the next one begin, in the same scalar.
fn are_in_same_scalar(
    scalars: &[RangeInclusive<usize>],
    lines: &Range<usize>,
    next: &Range<usize>,
) -> bool {
    if lines.is_empty() || next.is_empty() {
        return false;
    }
    let last = lines.end - 1;
    let at = scalars.partition_point(|scalar| *scalar.end() < last);
    scalars.get(at).is_some_and(|scalar| scalar.contains(&last) && scalar.contains(&next.start))
}

/// The lines of each scalar of several lines that is no literal block, from 0; none for a text that
/// is not YAML.
fn scalar_lines(text: &EntryLines<'_>) -> Vec<RangeInclusive<usize>> {
    // The first line (from 1) of each key and value, and whether it is a scalar that may fold lines.
    let nodes = text.documents.iter().flat_map(|document| document.node.nodes());
    let starts = nodes.flat_map(|node| {
        let can_fold = node.as_scalar().is_some_and(|scalar| scalar.style != Style::Literal);
        let keys = node.entries().iter().map(|entry| (entry.key.mark.line as usize, false));
        std::iter::once((node.mark.line as usize, can_fold)).chain(keys)
    });
    let mut starts: Vec<(usize, bool)> = starts.collect();
    // The last node that begins on a line is the only node that can continue on the next line.
    starts.sort_by_key(|(line, _)| *line);
    let mut found = Vec::new();
    for (at, (start, can_fold)) in starts.iter().enumerate() {
        let next = starts.get(at + 1).map_or(usize::MAX, |(line, _)| *line);
        let following = text.lines.iter().skip(*start);
        let end = (start + 1..next).zip(following).take_while(|(_, line)| is_indented(line));
        if let Some((end, _)) = end.last().filter(|_| *can_fold) {
            found.push(start - 1..=end - 1);
        }
    }
    found
}

/// True for an empty line, and for an indented line that is no comment.
fn is_indented(line: &str) -> bool {
    let text = line.trim_start_matches(' ');
    text.trim().is_empty() || text.len() < line.len() && !text.starts_with('#')
}
