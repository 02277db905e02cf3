//! Edits inside a collection that is written on one line (`[a, b]`, `{a: 1}`): if both lines have
//! the same structure, each changed element is a separate edit.

use std::ops::Range;

use crate::engine::yaml::quoted_length;

use super::edit::{FileEdit, LinePart};
use super::entry_lines::EntryLines;

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
