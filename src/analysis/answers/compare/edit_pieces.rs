//! Edits inside a line: if a collection is written on one line (`[a, b]`, `{a: 1}`) and both lines have
//! the same structure, each changed element is a separate edit. And edits inside a scalar of several
//! lines: reverting only some of them would give a text that neither side contains, and no field would
//! have its former value.

use std::ops::{Range, RangeInclusive};

use super::edit::{FileEdit, LinePart};
use super::entry_lines::EntryLines;
use crate::engine::yaml::{Style, quoted_length};

/// Replaces each edit of one line by edits of the changed elements of a collection in it. Other
/// edits are unchanged.
pub(super) fn split_flow_edits(
    edits: Vec<FileEdit>,
    old: &EntryLines<'_>,
    new: &EntryLines<'_>,
) -> Vec<FileEdit> {
    let split = |edit: FileEdit| {
        let lines = (&old.lines[edit.old.clone()], &new.lines[edit.new.clone()]);
        let ([old], [new]) = lines else { return vec![edit] };
        element_edits(&edit, old, new).unwrap_or_else(|| vec![edit])
    };
    edits.into_iter().flat_map(split).collect()
}

/// The edits of the changed elements; `None` if the lines differ in the text around elements.
fn element_edits(edit: &FileEdit, old: &str, new: &str) -> Option<Vec<FileEdit>> {
    let (olds, news) = (elements(old)?, elements(new)?);
    if texts_around(old, &olds) != texts_around(new, &news) {
        return None;
    }
    let column =
        |line: &str, at: usize| u32::try_from(line[..at].chars().count() + 1).unwrap_or(u32::MAX);
    let pairs = olds.into_iter().zip(news);
    let changed = pairs.filter(|(one, other)| old[one.clone()] != new[other.clone()]);
    let edits = changed.map(|(one, other)| {
        let part = LinePart {
            columns: [column(old, one.start), column(new, other.start)],
            elements: [old[one].to_owned(), new[other.clone()].to_owned()],
            range: other,
        };
        FileEdit { part: Some(part), ..edit.clone() }
    });
    Some(edits.collect())
}

/// The innermost elements of the collection that is the value of a line (`key: [a, b]`,
/// `- {a: 1}`), in order. `None` for a line without such a collection.
fn elements(line: &str) -> Option<Vec<Range<usize>>> {
    let indent = line.len() - line.trim_start_matches([' ', '-']).len();
    let value = line.get(indent..)?;
    let start = if value.starts_with(['[', '{']) {
        indent
    } else {
        let colon = [": [", ": {"].into_iter().filter_map(|it| value.find(it)).min()?;
        let key = &value[..colon];
        (!key.contains([' ', '"', '\'', '#'])).then_some(indent + colon + 2)?
    };
    let mut found = Vec::new();
    let (mut depth, mut from, mut at) = (0_usize, start, start);
    loop {
        let sign = line[at..].chars().next()?;
        let before = line[from..at].trim_start();
        match sign {
            '"' | '\'' if before.is_empty() || before.ends_with(": ") => {
                at += quoted_length(&line[at..], sign)?;
            }
            '[' | '{' | ']' | '}' | ',' => {
                let first = at - before.len();
                found.push(first..first + before.trim_end().len());
                found.pop_if(|element| element.start == element.end);
                at += 1;
                from = at;
                match sign {
                    '[' | '{' => depth += 1,
                    ']' | '}' => depth -= 1,
                    _ => {}
                }
            }
            '#' if line[..at].ends_with(' ') => return None,
            _ => at += sign.len_utf8(),
        }
        if depth == 0 {
            let rest = line[at..].trim();
            return (rest.is_empty() || rest.starts_with('#')).then_some(found);
        }
    }
}

fn texts_around<'l>(line: &'l str, elements: &[Range<usize>]) -> Vec<&'l str> {
    let starts = [0].into_iter().chain(elements.iter().map(|it| it.end));
    let ends = elements.iter().map(|it| it.start).chain([line.len()]);
    starts.zip(ends).map(|(start, end)| &line[start..end]).collect()
}

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
