//! The edits between two texts of a file. YAML texts are divided alike, into documents, entries and
//! elements: a part that one text lacks is an edit, and parts of both texts are compared further.
//! Other texts are compared by line.

use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::canonical::{canonical_text, is_same};
use super::edit::FileEdit;
use super::element_names::identifying_key;
use super::element_pairing::{best_pairs, pair_by_similarity};
use super::entry_lines::EntryLines;
use super::text_parts::{PartKind, TextPart};
use crate::engine::resource::QuickMap;
use crate::engine::yaml::{Node, Style};

/// The edits in the order of the second text. In a kustomization file (`is_target_file`), the order of
/// fields and the layout are no edits.
pub(super) fn entry_edits(
    old: &EntryLines<'_>,
    new: &EntryLines<'_>,
    is_target_file: bool,
) -> Vec<FileEdit> {
    let mut found = EntryDiff { texts: [old, new], is_target_file, edits: Vec::new() };
    if !found.add_document_edits() {
        found.add_line_edits(0..old.lines.len(), 0..new.lines.len(), [0; 2]);
    }
    found.edits.sort_by_key(|edit| (edit.new.start, edit.new.end));
    found.edits
}

/// The indices of a part in both texts; `None` for a text without it.
type Pair = (Option<usize>, Option<usize>);

struct EntryDiff<'a> {
    texts: [&'a EntryLines<'a>; 2],
    is_target_file: bool,
    edits: Vec<FileEdit>,
}

impl EntryDiff<'_> {
    /// False for texts that cannot be divided into documents.
    fn add_document_edits(&mut self) -> bool {
        let [old, new] = self.texts;
        let (mut olds, mut news) = (TextPart::documents(old), TextPart::documents(new));
        if let ([old], [new]) = (olds.as_slice(), news.as_slice()) {
            self.compare(old, new);
            return true;
        }
        if olds.is_empty() || news.is_empty() {
            return false;
        }
        let names = object_names(&olds).zip(object_names(&news));
        let pairs = match &names {
            Some((old_names, new_names)) if !are_moved(old_names, new_names) => {
                pairs_in_order(old_names, new_names, &|_, _| Vec::new())
            }
            Some((old_names, new_names)) => {
                let pairs = pairs_by_name(old_names, new_names);
                // A removed document is restored at the end.
                let mut gone = pairs.iter().filter(|(_, new)| new.is_none());
                let is_apart = |at: usize| old.lines[olds[at].lines.start].starts_with("---");
                let can_follow = new.lines.last().is_some_and(|line| line.ends_with('\n'));
                if !gone.all(|(old, _)| can_follow && old.is_some_and(is_apart)) {
                    return false;
                }
                for (at, by) in pairs.iter().filter_map(|(old, new)| old.zip(*new)) {
                    olds[at].lines.start = olds[at].content_start(old);
                    news[by].lines.start = news[by].content_start(new);
                }
                pairs
            }
            None => {
                let nodes = |parts: &[TextPart<'_>]| -> Vec<Node> {
                    parts.iter().map(|part| part.node.clone()).collect()
                };
                element_pairs(&nodes(&olds), &nodes(&news))
            }
        };
        self.compare_children(&olds, &news, pairs);
        true
    }

    fn compare(&mut self, old: &TextPart<'_>, new: &TextPart<'_>) {
        let [before, after] = self.texts;
        let is_same = || is_same(old.node, new.node);
        if before.lines[old.lines.clone()] == after.lines[new.lines.clone()]
            || self.is_target_file && is_same()
        {
            return;
        }
        let (olds, news) = (old.children(before), new.children(after));
        let indents = [old.column, new.column];
        if let ([one, ..], [other, ..]) = (olds.as_slice(), news.as_slice())
            && self.are_alike((old, one), (new, other))
        {
            if !self.is_target_file {
                let heads = (old.lines.start..one.lines.start, new.lines.start..other.lines.start);
                self.add_line_edits(heads.0, heads.1, indents);
            }
            let pairs = match (old.node.items(), new.node.items()) {
                (Some(olds), Some(news)) => element_pairs(olds, news),
                _ if self.is_target_file => pairs_by_name(&keys(&olds), &keys(&news)),
                _ => pairs_in_order(&keys(&olds), &keys(&news), &|_, _| Vec::new()),
            };
            return self.compare_children(&olds, &news, pairs);
        }
        // Lines of a literal block are the lines of a file; other scalars are changed as a whole.
        let has_lines = |node: &Node, children: &[TextPart<'_>]| match node.as_scalar() {
            Some(scalar) => scalar.style == Style::Literal,
            None => children.is_empty(),
        };
        let have_lines = has_lines(old.node, &olds) && has_lines(new.node, &news);
        if old.kind == PartKind::Document || have_lines || is_same() {
            self.add_line_edits(old.lines.clone(), new.lines.clone(), indents);
        } else {
            self.add(old.lines.clone(), new.lines.clone(), indents);
        }
    }

    /// True if each child of a part can take the place of one of the other part.
    fn are_alike(
        &self,
        (old, one): (&TextPart<'_>, &TextPart<'_>),
        (new, other): (&TextPart<'_>, &TextPart<'_>),
    ) -> bool {
        let is_kind = (one.kind == PartKind::Element) == (other.kind == PartKind::Element);
        let follows_dash = old.begins_with(one);
        is_kind
            && follows_dash == new.begins_with(other)
            && (!follows_dash || one.kind == other.kind)
            && (self.is_target_file || one.column == other.column)
    }

    fn compare_children(&mut self, olds: &[TextPart<'_>], news: &[TextPart<'_>], pairs: Vec<Pair>) {
        let start = |parts: &[TextPart<'_>]| parts.first().map_or(0, |first| first.lines.start);
        let indents = [olds, news].map(|parts| parts.first().map_or(0, |first| first.column));
        let (mut old_end, mut new_end) = (start(olds), start(news));
        for (old, new) in pairs {
            let (old, new) = (old.map(|at| &olds[at]), new.map(|at| &news[at]));
            match (old, new) {
                (Some(old), Some(new)) => self.compare(old, new),
                (Some(old), None) => self.add(old.lines.clone(), new_end..new_end, indents),
                (None, Some(new)) => self.add(old_end..old_end, new.lines.clone(), [0; 2]),
                (None, None) => {}
            }
            old_end = old.map_or(old_end, |old| old.lines.end);
            new_end = new.map_or(new_end, |new| new.lines.end);
        }
    }

    /// Adds an edit of these lines, without equal lines at both ends.
    fn add(&mut self, mut old: Range<usize>, mut new: Range<usize>, indents: [usize; 2]) {
        let [before, after] = self.texts.map(|text| &text.lines);
        let are_long = |old: &Range<usize>, new: &Range<usize>| old.len() > 1 && new.len() > 1;
        while are_long(&old, &new) && before[old.start] == after[new.start] {
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while are_long(&old, &new) && before[old.end - 1] == after[new.end - 1] {
            (old.end, new.end) = (old.end - 1, new.end - 1);
        }
        self.edits.push(FileEdit { indents, ..FileEdit::of_lines(old, new) });
    }

    /// Adds an edit for each changed line, if equal numbers of lines replace each other.
    fn add_line_edits(&mut self, old: Range<usize>, new: Range<usize>, indents: [usize; 2]) {
        let [before, after] = self.texts.map(|text| &text.lines);
        let (before, after) = (&before[old.clone()], &after[new.clone()]);
        for op in capture_diff_slices(Algorithm::Myers, before, after) {
            let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
            let (from, to) = (moved(op.old_range(), old.start), moved(op.new_range(), new.start));
            match op {
                DiffOp::Equal { .. } => {}
                _ if from.len() == to.len() => {
                    from.zip(to).for_each(|(at, by)| self.add(at..at + 1, by..by + 1, indents));
                }
                _ => self.add(from, to, indents),
            }
        }
    }
}

fn keys<'t>(parts: &[TextPart<'t>]) -> Vec<PartKind<'t>> {
    parts.iter().map(|part| part.kind).collect()
}

/// The group and version, kind, namespace and name of the object in each document; `None` if an object
/// has no name, or two have the same.
fn object_names(documents: &[TextPart<'_>]) -> Option<Vec<[String; 4]>> {
    let name = |document: &TextPart<'_>| {
        let value = |path: &[&str]| document.node.text_at(path).map(str::to_owned);
        let namespace = value(&["metadata", "namespace"]).unwrap_or_default();
        Some([value(&["apiVersion"])?, value(&["kind"])?, namespace, value(&["metadata", "name"])?])
    };
    let names: Vec<[String; 4]> = documents.iter().map(name).collect::<Option<_>>()?;
    let mut sorted: Vec<&[String; 4]> = names.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1]).then_some(names)
}

/// True if names of both texts have another order in the second text.
fn are_moved<T: Eq + Hash>(old: &[T], new: &[T]) -> bool {
    !pairs_by_name(old, new).into_iter().filter_map(|(old, new)| new.and(old)).is_sorted()
}

/// Pairs parts of one name, in the order of the second text; parts that only the first text has come
/// last.
fn pairs_by_name<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Pair> {
    let mut left: QuickMap<&T, usize> = old.iter().enumerate().map(|(at, it)| (it, at)).collect();
    let mut pairs: Vec<Pair> =
        new.iter().enumerate().map(|(at, name)| (left.swap_remove(name), Some(at))).collect();
    let mut gone: Vec<usize> = left.into_values().collect();
    gone.sort_unstable();
    pairs.extend(gone.into_iter().map(|at| (Some(at), None)));
    pairs
}

/// Pairs equal parts in the order of both texts; `between` pairs the parts between these.
fn pairs_in_order<T: Eq + Hash>(
    old: &[T],
    new: &[T],
    between: &dyn Fn(Range<usize>, Range<usize>) -> Vec<(usize, usize)>,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut ends = (0, 0);
    let mut add = |at: usize, by: usize, is_pair: bool| {
        pairs.extend((ends.0..at).map(|old| (Some(old), None)));
        pairs.extend((ends.1..by).map(|new| (None, Some(new))));
        pairs.extend(is_pair.then_some((Some(at), Some(by))));
        ends = (at + usize::from(is_pair), by + usize::from(is_pair));
    };
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (from, to) = (op.old_range(), op.new_range());
        let equal = matches!(op, DiffOp::Equal { .. });
        let inner = if equal { from.zip(to).collect() } else { between(from, to) };
        for (at, by) in inner {
            add(at, by, true);
        }
    }
    add(old.len(), new.len(), false);
    pairs
}

/// The limit on compared pairs of texts; texts of longer lists are not paired.
const MAX_TEXTS_COMPARED: usize = 4_096;

/// Pairs the elements of two lists as their differences are: by their names, else by their content.
fn element_pairs(old: &[Node], new: &[Node]) -> Vec<Pair> {
    if let Some((_, old, new)) = identifying_key(old, new) {
        return pairs_in_order(&old, &new, &|_, _| Vec::new());
    }
    let texts = |items: &[Node]| items.iter().map(canonical_text).collect::<Vec<_>>();
    pairs_in_order(&texts(old), &texts(new), &|from, to| {
        let (gone, come) = (&old[from.clone()], &new[to.clone()]);
        let texts =
            |items: &'_ [Node]| items.iter().map(|it| it.text().map(str::to_owned)).collect();
        let (before, after): (Option<Vec<_>>, Option<Vec<_>>) = (texts(gone), texts(come));
        let pairs = match (before, after) {
            (Some(before), Some(after)) if before.len() == after.len() => {
                (0..before.len()).map(|at| (at, at)).collect()
            }
            (Some(before), Some(after)) if before.len() * after.len() <= MAX_TEXTS_COMPARED => {
                let score = |at: usize, by: usize| similarity(&before[at], &after[by]);
                best_pairs([before.len(), after.len()], score)
            }
            (Some(_), Some(_)) => Vec::new(),
            _ => pair_by_similarity(gone, come),
        };
        pairs.into_iter().map(|(at, by)| (from.start + at, to.start + by)).collect()
    })
}

/// The number of common characters at the start and at the end of two texts; `None` if they are
/// less than half of the longer text.
fn similarity(one: &str, other: &str) -> Option<usize> {
    let lengths = [one, other].map(|text| text.chars().count());
    let start = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let end = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b).count();
    let common = (start + end).min(lengths[0].min(lengths[1]));
    (2 * common >= lengths[0].max(lengths[1])).then_some(common)
}
