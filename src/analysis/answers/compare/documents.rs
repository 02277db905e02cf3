//! The documents of two texts of a file, paired by object: the difference of two texts of the same
//! object is clearer than that of two documents at the same position.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::entry_edits::line_index;
use super::entry_lines::EntryLines;

/// Lines of the first text with the lines of the second text that replace them.
type ReplacedLines = Vec<(Range<usize>, Range<usize>)>;

/// The lines of both texts paired by document: documents between two pairs are added, removed or
/// renamed, and their lines are compared together. `None` for single documents, if two documents
/// cannot be distinguished, and if documents changed places.
pub(super) fn paired_documents(
    old: &EntryLines<'_>,
    new: &EntryLines<'_>,
) -> Option<ReplacedLines> {
    let (before, after) = (documents(old)?, documents(new)?);
    let known: BTreeMap<&DocumentKey, &Range<usize>> =
        before.iter().map(|(object, lines)| (object, lines)).collect();
    let pairs: Vec<(&Range<usize>, &Range<usize>)> =
        after.iter().filter_map(|(object, lines)| Some((*known.get(object)?, lines))).collect();
    let is_single = before.len() < 2 && after.len() < 2;
    if is_single || !pairs.is_sorted_by_key(|(from, _)| from.start) {
        return None;
    }
    let ends = (old.lines.len()..old.lines.len(), new.lines.len()..new.lines.len());
    let mut parts = ReplacedLines::new();
    let mut at = (0, 0);
    for (from, to) in pairs.into_iter().chain([(&ends.0, &ends.1)]) {
        let between = (at.0..from.start, at.1..to.start);
        at = (from.end, to.end);
        parts.extend([between, (from.clone(), to.clone())]);
    }
    parts.retain(|(from, to)| !from.is_empty() || !to.is_empty());
    Some(parts)
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
