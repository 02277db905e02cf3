//! The documents of two texts of a file, paired by object: after documents were reordered, the
//! difference of two texts of the same object is clearer than that of two documents at the same
//! position.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::edit::LineRanges;
use super::entry_edits::line_index;
use super::entry_lines::EntryLines;

/// In the order of the second text. If documents changed places, removed documents come last.
type ReplacedLines = Vec<LineRanges>;

/// The lines of both texts paired by document. `None` for single documents, if two documents cannot
/// be distinguished, or if a removed document could not be restored at the end.
pub(super) fn paired_documents(
    old: &EntryLines<'_>,
    new: &EntryLines<'_>,
) -> Option<ReplacedLines> {
    let (before, after) = (documents(old)?, documents(new)?);
    let (old, new) = (&old.lines, &new.lines);
    let known: BTreeMap<&DocumentKey, &Range<usize>> =
        before.iter().map(|(object, lines)| (object, lines)).collect();
    let partners: Vec<Option<&Range<usize>>> =
        after.iter().map(|(object, _)| known.get(object).copied()).collect();
    if before.len() < 2 && after.len() < 2 {
        return None;
    }
    if partners.iter().flatten().is_sorted_by_key(|lines| lines.start) {
        return Some(documents_in_order(&after, &partners, old.len(), new.len()));
    }
    let mut parts = ReplacedLines::new();
    let mut at = 0;
    for ((_, lines), partner) in after.iter().zip(partners) {
        let from = partner.map_or(at..at, Range::clone);
        at = from.end;
        parts.push((from, lines.clone()));
    }
    let stays: BTreeSet<&DocumentKey> = after.iter().map(|(object, _)| object).collect();
    for (object, lines) in &before {
        if !stays.contains(object) {
            let is_apart = old[lines.start].starts_with("---");
            let can_follow = new.last().is_some_and(|line| line.ends_with('\n'));
            if !is_apart || !can_follow {
                return None;
            }
            parts.push((lines.clone(), new.len()..new.len()));
        }
    }
    Some(parts)
}

/// The lines of documents that did not change places. The documents between two pairs are added,
/// removed or renamed: their lines are compared together.
fn documents_in_order(
    after: &[(DocumentKey, Range<usize>)],
    partners: &[Option<&Range<usize>>],
    old_lines: usize,
    new_lines: usize,
) -> ReplacedLines {
    let mut parts = ReplacedLines::new();
    let mut ends = (0, 0);
    let both = after.iter().zip(partners);
    let pairs = both.filter_map(|((_, lines), partner)| Some(((*partner)?.clone(), lines.clone())));
    for (from, to) in pairs.chain([(old_lines..old_lines, new_lines..new_lines)]) {
        let between = (ends.0..from.start, ends.1..to.start);
        ends = (from.end, to.end);
        parts.extend(
            [between, (from, to)]
                .into_iter()
                .filter(|(from, to)| !from.is_empty() || !to.is_empty()),
        );
    }
    parts
}

/// The object of a document: group and version, kind, namespace and name.
type DocumentKey = [String; 4];

/// The lines of each document, from its `---` on; `None` if two documents contain the same object,
/// or a document has no name.
fn documents(text: &EntryLines<'_>) -> Option<Vec<(DocumentKey, Range<usize>)>> {
    let is_mark = |line: &&str| line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty());
    let mut found: Vec<(DocumentKey, Range<usize>)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut begin = 0;
    for (number, document) in text.documents.iter().enumerate() {
        let value = |path: &[&str]| document.node.text_at(path).map(str::to_owned);
        let namespace = value(&["metadata", "namespace"]).unwrap_or_default();
        let name = value(&["metadata", "name"])?;
        let object = [value(&["apiVersion"])?, value(&["kind"])?, namespace, name];
        // A document of comments alone belongs to the next document.
        let below = line_index(&document.node) + 1;
        let end = text.lines.iter().skip(below).position(is_mark).map(|count| below + count);
        let is_last = number + 1 == text.documents.len();
        if is_last != end.is_none() || !seen.insert(object.clone()) {
            return None;
        }
        let end = end.unwrap_or(text.lines.len());
        found.push((object, begin..end));
        begin = end;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(documents: &[(&str, &str)]) -> String {
        let text = |(name, value): &(&str, &str)| {
            format!(
                "---\n# one\napiVersion: v1\nkind: A\nmetadata:\n  labels: {{name: x}}\n  name: {name}\nv: {value}\n"
            )
        };
        documents.iter().map(text).collect()
    }

    fn paired(old: &str, new: &str) -> Option<ReplacedLines> {
        paired_documents(&EntryLines::read(old), &EntryLines::read(new))
    }

    #[test]
    fn documents_that_changed_places_are_paired_by_their_objects() {
        let old = text(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let parts = paired(&old, &text(&[("b", "2"), ("d", "1"), ("a", "1")]));
        let expected = vec![(8..16, 0..8), (16..16, 8..16), (0..8, 16..24), (16..24, 24..24)];
        assert_eq!(parts, Some(expected));
        let parts = paired(&old, &text(&[("a", "2"), ("c", "1"), ("d", "1")]));
        let expected = vec![(0..8, 0..8), (8..16, 8..8), (16..24, 8..16), (24..24, 16..24)];
        assert_eq!(parts, Some(expected), "the same order");
        assert_eq!(paired(&text(&[("a", "1")]), &text(&[("a", "2")])), None);
        assert_eq!(paired(&old, &text(&[("b", "2"), ("a", "1"), ("a", "1")])), None);
        let first = old.strip_prefix("---\n").unwrap();
        assert_eq!(paired(first, &text(&[("c", "2"), ("b", "1")])), None, "a has no mark");
    }
}
