//! The edits of a kustomization file by entry: fields, and the elements of lists and mappings.

use std::ops::Range;
use std::sync::Arc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::edit::FileEdit;
use super::fields::{canonical_text, is_same};
use crate::engine::yaml::{
    Mapping, MappingEntry, Node, Value, parse_nodes, print_preserving_style,
};

/// A kustomization file as a list of fields with edited and unchanged parts.
#[derive(Clone, Debug)]
pub(super) struct EntryParts(Vec<Part>);

/// A field, an entry of a field, or an element of a list, which has no key.
#[derive(Clone, Debug)]
enum Part {
    /// A part that both texts have.
    Same(MappingEntry),
    /// An edit with its index: the part of the first text, and the part of the second text that
    /// replaces it.
    Edit(usize, Option<MappingEntry>, Option<MappingEntry>),
    List(Node, Vec<Self>),
    Mapping(Node, Vec<Self>),
}

impl EntryParts {
    /// The text without the edits that `is_taken_back` selects by index. A list without elements is
    /// left out.
    pub(super) fn text(&self, is_taken_back: &dyn Fn(usize) -> bool) -> Arc<[u8]> {
        let root = mapping(selected_entries(&self.0, is_taken_back));
        print_preserving_style(&root).into_bytes().into()
    }
}

/// The parts of the first text where an edit is reverted, otherwise those of the second text.
fn selected_entries(parts: &[Part], is_taken_back: &dyn Fn(usize) -> bool) -> Vec<MappingEntry> {
    let selected = parts.iter().filter_map(|part| match part {
        Part::Same(entry) => Some(entry.clone()),
        Part::Edit(edit, old, _) if is_taken_back(*edit) => old.clone(),
        Part::Edit(_, _, new) => new.clone(),
        Part::List(key, items) => {
            let items = selected_entries(items, is_taken_back).into_iter().map(|it| it.value);
            let value = Node::sequence(items.collect());
            (!value.is_empty_collection()).then(|| MappingEntry { key: key.clone(), value })
        }
        Part::Mapping(key, entries) => {
            let value = mapping(selected_entries(entries, is_taken_back));
            Some(MappingEntry { key: key.clone(), value })
        }
    });
    selected.collect()
}

fn mapping(entries: Vec<MappingEntry>) -> Node {
    let entries = entries.into();
    Value::Mapping(Arc::new(Mapping { entries, ..Mapping::default() })).into()
}

fn item(node: &Node) -> MappingEntry {
    MappingEntry { key: Node::default(), value: node.clone() }
}

/// The only document of a text, if it is a mapping, with the lines of the text.
fn parse_mapping(text: &str) -> Option<(Node, Vec<&str>)> {
    let parsed = parse_nodes(text.as_bytes()).ok()?;
    let [root] = <[Node; 1]>::try_from(parsed).ok()?;
    root.as_mapping()?;
    Some((root, text.split_inclusive('\n').collect()))
}

/// The edits between two texts of a kustomization file; `None` if one of them is no mapping.
pub(super) fn entry_edits(old: &str, new: &str) -> Option<(Vec<FileEdit>, EntryParts)> {
    let ((old, old_lines), (new, new_lines)) = (parse_mapping(old)?, parse_mapping(new)?);
    Some(node_edits((&old, &old_lines), (&new, &new_lines)))
}

fn node_edits(
    (old, old_lines): (&Node, &[&str]),
    (new, new_lines): (&Node, &[&str]),
) -> (Vec<FileEdit>, EntryParts) {
    let mut found = EntryDiff { lines: [old_lines, new_lines], edits: Vec::new() };
    let ranges = (field_lines(old, old_lines), field_lines(new, new_lines));
    let pairs = paired_entries((old, &ranges.0), (new, &ranges.1)).into_iter();
    let parts = pairs.map(|(old, new)| found.field(old, new)).collect();
    (found.edits, EntryParts(parts))
}

/// Edits that each add an entry of a kustomization file, except for the first entry at `line`; `None`
/// if the text is not a mapping.
pub(super) fn added_entries(text: &str, line: u32) -> Option<(Vec<FileEdit>, EntryParts)> {
    let (new, lines) = parse_mapping(text)?;
    let kept = |entry: &MappingEntry| {
        if matches!(entry.key.text(), Some("apiVersion" | "kind" | "metadata")) {
            return Some(entry.clone());
        }
        let at = entry.value.items()?.iter().find(|item| item.mark.line == line)?;
        Some(MappingEntry { key: entry.key.clone(), value: Node::sequence(vec![at.clone()]) })
    };
    let old = mapping(new.entries().iter().filter_map(kept).collect());
    let (mut edits, parts) = node_edits((&old, &lines), (&new, &lines));
    for edit in &mut edits {
        // Both sides have the same file: an edit has one location on both.
        edit.old = edit.new.start..edit.new.start;
    }
    Some((edits, parts))
}

/// The index of the line of a value, from 0.
pub(super) fn line_index(node: &Node) -> usize {
    usize::try_from(node.mark.line).unwrap_or(1).saturating_sub(1)
}

/// The range of lines of each field of a mapping, counted from 0.
fn field_lines(node: &Node, lines: &[&str]) -> Vec<Range<usize>> {
    let starts: Vec<usize> = node.entries().iter().map(|entry| line_index(&entry.key)).collect();
    let end = |at: usize| starts.iter().copied().filter(|start| *start > starts[at]).min();
    (0..starts.len())
        .map(|at| text_range(starts[at]..end(at).unwrap_or(lines.len()), lines))
        .collect()
}

/// The lines of each element of a list; if all elements are on one line, all lines of the field.
fn item_lines(items: &[Node], field: &Range<usize>, lines: &[&str]) -> Vec<Range<usize>> {
    let starts: Vec<usize> = items.iter().map(line_index).collect();
    let is_block =
        starts.iter().all(|start| *start > field.start) && starts.is_sorted_by(|a, b| a < b);
    if !is_block {
        return vec![field.clone(); items.len()];
    }
    let end = |at: usize| starts.get(at + 1).copied().unwrap_or(field.end);
    (0..starts.len()).map(|at| text_range(starts[at]..end(at), lines)).collect()
}

/// A range of at least one line, without the blank lines and comments before the next range.
fn text_range(range: Range<usize>, lines: &[&str]) -> Range<usize> {
    range.start..range.start + text_length(&range, lines).max(1)
}

/// The number of lines of a range without the blank lines and comments at its end.
pub(super) fn text_length(range: &Range<usize>, lines: &[&str]) -> usize {
    let is_text = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines = lines.get(range.start..range.end.min(lines.len())).unwrap_or_default();
    lines.iter().rposition(is_text).map_or(0, |at| at + 1)
}

/// The identity of an element: its name, its path, or the target of a patch.
fn identity(item: &Node) -> Option<String> {
    let name = item.get("name").or_else(|| item.get("path"));
    let target = || item.get("target").filter(|target| target.as_mapping().is_some());
    name.and_then(Node::text).map(str::to_owned).or_else(|| target().map(canonical_text))
}

/// Pairs the changed elements of a list in both orders: elements with the same identity, and
/// elements without one as long as both sides have such elements.
fn paired_items(
    (old, from): (&[Node], Range<usize>),
    (new, to): (&[Node], Range<usize>),
) -> Vec<(Option<usize>, Option<usize>)> {
    let mut found = Vec::new();
    let mut next = from.start;
    for new_at in to {
        let own = identity(&new[new_at]);
        let mut left = next..from.end;
        let partner = match own {
            Some(_) => left.find(|at| identity(&old[*at]) == own),
            None => left.next().filter(|at| identity(&old[*at]).is_none()),
        };
        let Some(partner) = partner else {
            found.push((None, Some(new_at)));
            continue;
        };
        found.extend((next..partner).map(|old_at| (Some(old_at), None)));
        found.push((Some(partner), Some(new_at)));
        next = partner + 1;
    }
    found.extend((next..from.end).map(|old_at| (Some(old_at), None)));
    found
}

struct EntryDiff<'a> {
    lines: [&'a [&'a str]; 2],
    edits: Vec<FileEdit>,
}

type LocatedEntry<'n> = (&'n MappingEntry, &'n Range<usize>);
/// An entry in both texts; `None` for a text without it.
type EntryPair<'n> = (Option<LocatedEntry<'n>>, Option<LocatedEntry<'n>>);

/// The entries of the second mapping with their counterparts, then those that only the first has.
fn paired_entries<'n>(
    (old, old_lines): (&'n Node, &'n [Range<usize>]),
    (new, new_lines): (&'n Node, &'n [Range<usize>]),
) -> Vec<EntryPair<'n>> {
    let olds = || old.entries().iter().zip(old_lines);
    let pairs = new.entries().iter().zip(new_lines).map(|(entry, lines)| {
        (olds().find(|(other, _)| other.key.same_value(&entry.key)), Some((entry, lines)))
    });
    let is_gone = |(entry, _): &LocatedEntry<'_>| {
        !new.entries().iter().any(|it| it.key.same_value(&entry.key))
    };
    pairs.chain(olds().filter(is_gone).map(|gone| (Some(gone), None))).collect()
}

impl EntryDiff<'_> {
    /// Adds an edit of these lines, without equal lines at both ends, and returns the index of the
    /// edit.
    fn add(&mut self, mut old: Range<usize>, mut new: Range<usize>) -> usize {
        let [before, after] = self.lines;
        let are_long = |old: &Range<usize>, new: &Range<usize>| old.len() > 1 && new.len() > 1;
        while are_long(&old, &new) && before.get(old.start) == after.get(new.start) {
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while are_long(&old, &new) && before.get(old.end - 1) == after.get(new.end - 1) {
            (old.end, new.end) = (old.end - 1, new.end - 1);
        }
        self.edits.push(FileEdit::of_lines(old, new));
        self.edits.len() - 1
    }

    fn field(&mut self, old: Option<LocatedEntry<'_>>, new: Option<LocatedEntry<'_>>) -> Part {
        if let (Some((before, old_at)), Some((after, new_at))) = (old, new)
            && !is_same(&before.value, &after.value)
        {
            if let (Some(old), Some(new)) = (before.value.items(), after.value.items()) {
                let items = self.diff_list((old, old_at), (new, new_at));
                return Part::List(after.key.clone(), items);
            }
            if before.value.as_mapping().is_some() && after.value.as_mapping().is_some() {
                let entries = self.mapping((&before.value, old_at), (&after.value, new_at));
                return Part::Mapping(after.key.clone(), entries);
            }
        }
        // If only one side has the list, each element of the list is a separate edit.
        let one = old.xor(new).and_then(|(entry, at)| Some((entry, entry.value.items()?, at)));
        if let Some((entry, items, at)) = one.filter(|(_, items, _)| !items.is_empty()) {
            let (old, new) = match old {
                Some(_) => ((items, at), (&items[..0], at)),
                None => ((&items[..0], at), (items, at)),
            };
            return Part::List(entry.key.clone(), self.diff_list(old, new));
        }
        let start = |other: Option<LocatedEntry<'_>>| other.map_or(0, |(_, lines)| lines.start);
        self.entry((old, new), [start(new), start(old)])
    }

    /// An entry that is edited in one piece; `places` are the lines of an entry that is missing in
    /// the first or the second text.
    fn entry(&mut self, (old, new): EntryPair<'_>, places: [usize; 2]) -> Part {
        if let (Some((before, _)), Some((after, _))) = (old, new)
            && is_same(&before.value, &after.value)
        {
            return Part::Same(after.clone());
        }
        let lines = |at: Option<LocatedEntry<'_>>, place: usize| {
            at.map_or(place..place, |(_, lines)| lines.clone())
        };
        let edit = self.add(lines(old, places[0]), lines(new, places[1]));
        let entry = |at: Option<LocatedEntry<'_>>| at.map(|(entry, _)| entry.clone());
        Part::Edit(edit, entry(old), entry(new))
    }

    /// The elements of a list in the new order, each unchanged or with its edit.
    fn diff_list(
        &mut self,
        (old, old_field): (&[Node], &Range<usize>),
        (new, new_field): (&[Node], &Range<usize>),
    ) -> Vec<Part> {
        let old_lines = item_lines(old, old_field, self.lines[0]);
        let new_lines = item_lines(new, new_field, self.lines[1]);
        let texts = |items: &[Node]| items.iter().map(canonical_text).collect::<Vec<_>>();
        let mut parts = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new)) {
            let (from, to) = (op.old_range(), op.new_range());
            if matches!(op, DiffOp::Equal { .. }) {
                parts.extend(new[to].iter().map(|node| Part::Same(item(node))));
                continue;
            }
            let lines = |lines: &[Range<usize>], own: Option<usize>, next: usize, end: usize| {
                let start = || lines.get(next).map_or(end, |lines| lines.start);
                own.map_or_else(|| start()..start(), |at| lines[at].clone())
            };
            let (mut old_at, mut new_at) = (from.start, to.start);
            for (before, after) in paired_items((old, from), (new, to)) {
                let old_range = lines(&old_lines, before, old_at, old_field.end);
                let new_range = lines(&new_lines, after, new_at, new_field.end);
                let edit = self.add(old_range, new_range);
                old_at += usize::from(before.is_some());
                new_at += usize::from(after.is_some());
                let (before, after) =
                    (before.map(|at| item(&old[at])), after.map(|at| item(&new[at])));
                parts.push(Part::Edit(edit, before, after));
            }
        }
        parts
    }

    fn mapping(
        &mut self,
        (old, old_field): (&Node, &Range<usize>),
        (new, new_field): (&Node, &Range<usize>),
    ) -> Vec<Part> {
        let keys = |node: &Node| -> Vec<Node> {
            node.entries().iter().map(|entry| entry.key.clone()).collect()
        };
        let old_lines = item_lines(&keys(old), old_field, self.lines[0]);
        let new_lines = item_lines(&keys(new), new_field, self.lines[1]);
        let pairs = paired_entries((old, &old_lines), (new, &new_lines)).into_iter();
        pairs.map(|pair| self.entry(pair, [old_field.end, new_field.end])).collect()
    }
}
