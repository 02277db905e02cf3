//! The change of a resource by a step, as a diff. If many steps each write a little of a large
//! resource, most of both texts is equal: the equal parts are left out before printing and
//! comparing, and the left-out lines are added to the line numbers.

use crate::display::sanitize;
use crate::engine::resource::{Change, QuickSet, ResId};
use crate::engine::yaml::{Mapping, MappingEntry, Node, Style, Value, print_preserving_style};

use super::layout::layout_for_diff;
use crate::answers::recording::change_index::have_same_positions;
use crate::answers::secrets::Secrets;
use crate::draft::LineChanges;

/// The number of context lines around a difference.
const CONTEXT_LINES: usize = 3;
/// The number of entries or elements that are kept beside a difference: more lines than are shown
/// between two differences.
const KEPT_ITEMS: usize = 2 * CONTEXT_LINES + 2;
/// The maximum length of a key that is printed on one line with its value.
const MAX_SIMPLE_KEY_CHARS: usize = 64;
/// The minimum number of entries or elements to leave out.
const MIN_ITEMS_LEFT_OUT: usize = 64;

/// The change of one resource as a unified diff of its text; Secrets are masked unless requested.
pub fn change_diff(change: &Change, secrets: &Secrets) -> String {
    let id = change
        .after
        .as_ref()
        .or(change.before.as_ref())
        .map(|resource| sanitize(&selector_text(&resource.id)).into_owned())
        .unwrap_or_default();
    let after = change.after.as_ref().map(|resource| secrets.masked_node(resource));
    let before = change.before.as_ref().map(|resource| secrets.masked_node(resource));
    unified(before.as_ref(), after.as_ref(), (&format!("a/{id}"), &format!("b/{id}")))
}

/// The shortest text that names a resource with its namespace, as in `web/Deployment/example`.
fn selector_text(id: &ResId) -> String {
    let namespace = &*id.namespace;
    let separator = if namespace.is_empty() { "" } else { "/" };
    format!("{namespace}{separator}{}/{}", id.gvk.kind, id.name)
}

/// The difference between two states of a resource as a unified diff of their texts.
pub fn unified(before: Option<&Node>, after: Option<&Node>, names: (&str, &str)) -> String {
    let (Some(before), Some(after)) = (before, after) else {
        return diff_printed(before, after, names, 0);
    };
    match ShortenedPair::shorten(before, after) {
        Some(ShortenedPair { before, after, lines }) => {
            diff_with_common_layout(&before, &after, names, lines)
        }
        None => diff_with_common_layout(before, after, names, 0),
    }
}

/// The diff of two nodes after the first was given the layout of the second; `lines` were left out
/// before both.
fn diff_with_common_layout(
    before: &Node,
    after: &Node,
    names: (&str, &str),
    lines: usize,
) -> String {
    let (before, after) = layout_for_diff(before, after);
    diff_printed(Some(&before), Some(&after), names, lines)
}

/// The diff of the printed texts of two nodes, before which `lines` were left out.
fn diff_printed(
    before: Option<&Node>,
    after: Option<&Node>,
    names: (&str, &str),
    lines: usize,
) -> String {
    let text = |node: Option<&Node>| node.map_or_else(String::new, print_preserving_style);
    let (before, after) = (text(before), text(after));
    LineChanges::new(&before, &after).unified_with_names(CONTEXT_LINES, names, lines)
}

/// Two states of a value without the equal parts that are far from a difference.
struct ShortenedPair<T> {
    before: T,
    after: T,
    /// The lines that were left out before the first difference.
    lines: usize,
}

impl ShortenedPair<Node> {
    /// Leaves out distant equal parts. `None` if little can be left out, or if the left-out part
    /// could affect the rest: comments move to other lines, only the first of two equal keys
    /// counts, and an element may correspond to an element with another index.
    fn shorten(before: &Node, after: &Node) -> Option<Self> {
        if before.has_comments() || after.has_comments() {
            return None;
        }
        Self::from_nodes(before, after)
    }

    /// Like [`Self::shorten`], for nodes without comments.
    fn from_nodes(before: &Node, after: &Node) -> Option<Self> {
        let (old, new) = (multiline_collection(before)?, multiline_collection(after)?);
        let (before, after, lines) = match (old, new) {
            (MultilineCollection::Mapping(old), MultilineCollection::Mapping(new)) => {
                let short = ShortenedPair::from_lists(&old.entries, &new.entries)?;
                if !(are_keys_unique(&old.entries) && are_keys_unique(&new.entries)) {
                    return None;
                }
                let of = |node: &Node, entries| with_entries(node, entries);
                (of(before, short.before), of(after, short.after), short.lines)
            }
            (MultilineCollection::List(old), MultilineCollection::List(new)) => {
                let short = ShortenedPair::from_lists(old, new)?;
                if !have_same_positions(old, new) {
                    return None;
                }
                (with_items(before, short.before), with_items(after, short.after), short.lines)
            }
            _ => return None,
        };
        Some(Self { before, after, lines })
    }
}

impl<T: CollectionMember> ShortenedPair<Vec<T>> {
    /// Leaves out equal parts at the beginning and the end of both lists; a single part between
    /// them is shortened as well.
    fn from_lists(old: &[T], new: &[T]) -> Option<Self> {
        let are_equal = |(one, other): &(&T, &T)| one == other;
        let first = old.iter().zip(new).take_while(are_equal).count();
        let rest = old[first..].iter().rev().zip(new[first..].iter().rev());
        let last = rest.take_while(are_equal).count();
        let (old_end, new_end) = (old.len() - last, new.len() - last);
        let inner = match (&old[first..old_end], &new[first..new_end]) {
            ([one], [other]) => one.shorten_pair(other),
            _ => None,
        };
        let (begin, end) =
            (first.saturating_sub(KEPT_ITEMS), new.len() - last.saturating_sub(KEPT_ITEMS));
        let front = count_printed_lines(&new[..begin]);
        let begin = front.map_or(0, |_| begin);
        let mut lines = front.unwrap_or(0);
        let back = count_printed_lines(&new[end..]).map_or(0, |_| new.len() - end);
        let mut same: (Vec<T>, Vec<T>) = (Vec::new(), Vec::new());
        let mut is_cut = inner.is_some() || begin + back >= MIN_ITEMS_LEFT_OUT;
        for part in &new[begin..first] {
            let (part, left_out) = part.shortened_equal_member(true)?;
            is_cut |= left_out > 0;
            lines += left_out;
            same.0.push(part);
        }
        for part in &new[new_end..new.len() - back] {
            let (part, left_out) = part.shortened_equal_member(false)?;
            is_cut |= left_out > 0;
            same.1.push(part);
        }
        if !is_cut {
            return None;
        }
        let (old, new) = match inner {
            Some(inner) => {
                lines += inner.lines;
                (vec![inner.before], vec![inner.after])
            }
            None => (old[first..old_end].to_vec(), new[first..new_end].to_vec()),
        };
        let around = |middle: Vec<T>| [same.0.clone(), middle, same.1.clone()].concat();
        Some(Self { before: around(old), after: around(new), lines })
    }
}

/// An entry of a mapping or an element of a list.
trait CollectionMember: Clone + PartialEq {
    /// The number of lines on which the member is printed; `None` if the number is not simple to
    /// compute.
    fn lines(&self) -> Option<usize>;
    /// Shortens the member and the member that replaces it.
    fn shorten_pair(&self, other: &Self) -> Option<ShortenedPair<Self>>;
    /// The last entries of a large collection if `keeps_end`, otherwise the first, and the number
    /// of lines left out. `None` if nothing can be left out.
    fn keep_one_end(&self, keeps_end: bool) -> Option<(Self, usize)>;
    /// True if the printed member does not depend on the members around it.
    fn is_printed_alike(&self) -> bool;

    /// An unchanged member, cut if it is large, and the number of lines left out; `None` if its
    /// printed form is not certain without the members around it.
    fn shortened_equal_member(&self, keeps_end: bool) -> Option<(Self, usize)> {
        match self.keep_one_end(keeps_end) {
            None => self.is_printed_alike().then(|| (self.clone(), 0)),
            cut => cut,
        }
    }
}

impl CollectionMember for MappingEntry {
    fn lines(&self) -> Option<usize> {
        let is_plain = |key: &str| key.len() <= MAX_SIMPLE_KEY_CHARS && is_on_one_line(&self.key);
        self.key.text().filter(|key| is_plain(key))?;
        match multiline_collection(&self.value) {
            Some(block) => Some(1 + block.lines()?),
            None => is_on_one_line(&self.value).then_some(1),
        }
    }

    fn shorten_pair(&self, other: &Self) -> Option<ShortenedPair<Self>> {
        if self.key != other.key {
            return None;
        }
        let ShortenedPair { before, after, lines } =
            ShortenedPair::from_nodes(&self.value, &other.value)?;
        let of = |value| Self { key: self.key.clone(), value };
        Some(ShortenedPair { before: of(before), after: of(after), lines })
    }

    fn keep_one_end(&self, keeps_end: bool) -> Option<(Self, usize)> {
        let (value, lines) = self.value.keep_one_end(keeps_end)?;
        Some((Self { key: self.key.clone(), value }, lines))
    }

    fn is_printed_alike(&self) -> bool {
        self.value.is_printed_alike()
    }
}

impl CollectionMember for Node {
    fn lines(&self) -> Option<usize> {
        match multiline_collection(self) {
            Some(block @ MultilineCollection::Mapping(_)) => block.lines(),
            Some(MultilineCollection::List(_)) => None,
            None => is_on_one_line(self).then_some(1),
        }
    }

    fn shorten_pair(&self, other: &Self) -> Option<ShortenedPair<Self>> {
        ShortenedPair::from_nodes(self, other)
    }

    fn keep_one_end(&self, keeps_end: bool) -> Option<(Self, usize)> {
        fn cut<T: CollectionMember>(all: &[T], keeps_end: bool) -> Option<(Vec<T>, usize)> {
            let many =
                all.len().checked_sub(KEPT_ITEMS).filter(|rest| *rest >= MIN_ITEMS_LEFT_OUT)?;
            let (rest, kept) = if keeps_end {
                all.split_at(many)
            } else {
                (&all[KEPT_ITEMS..], &all[..KEPT_ITEMS])
            };
            // The kept part must be printed as in the complete collection.
            count_printed_lines(kept)?;
            Some((kept.to_vec(), count_printed_lines(rest)?))
        }
        match multiline_collection(self)? {
            MultilineCollection::Mapping(mapping) => {
                let (entries, lines) = cut(&mapping.entries, keeps_end)?;
                are_keys_unique(&mapping.entries).then(|| (with_entries(self, entries), lines))
            }
            MultilineCollection::List(items) => {
                let (items, lines) = cut(items, keeps_end)?;
                Some((with_items(self, items), lines))
            }
        }
    }

    fn is_printed_alike(&self) -> bool {
        let entries = self.entries();
        are_keys_unique(entries)
            && entries.iter().all(CollectionMember::is_printed_alike)
            && self.items().unwrap_or_default().iter().all(CollectionMember::is_printed_alike)
    }
}

/// A collection that is printed on separate lines.
#[derive(Clone, Copy)]
enum MultilineCollection<'n> {
    Mapping(&'n Mapping),
    List(&'n [Node]),
}

impl MultilineCollection<'_> {
    fn lines(self) -> Option<usize> {
        match self {
            Self::Mapping(mapping) => {
                count_printed_lines(&mapping.entries).filter(|_| are_keys_unique(&mapping.entries))
            }
            Self::List(items) => count_printed_lines(items),
        }
    }
}

/// The collection in a node; `None` if the node is no collection that is printed on separate lines.
fn multiline_collection(node: &Node) -> Option<MultilineCollection<'_>> {
    match &node.value {
        Value::Mapping(mapping) if mapping.style != Style::Flow && !mapping.entries.is_empty() => {
            Some(MultilineCollection::Mapping(mapping))
        }
        Value::Sequence(items, style) if *style != Style::Flow && !items.is_empty() => {
            Some(MultilineCollection::List(items))
        }
        _ => None,
    }
}

/// The number of lines on which all members are printed; `None` if the number for a member is not
/// known.
fn count_printed_lines(parts: &[impl CollectionMember]) -> Option<usize> {
    parts.iter().map(CollectionMember::lines).sum()
}

/// True for a value that is printed on the line on which it begins.
fn is_on_one_line(node: &Node) -> bool {
    let is_apart = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    match &node.value {
        Value::Scalar(scalar) => {
            !matches!(scalar.style, Style::Literal | Style::Folded)
                && !scalar.tagged
                && !scalar.text.contains(is_apart)
        }
        Value::Sequence(items, _) => items.iter().all(is_on_one_line),
        Value::Mapping(mapping) => {
            let entry_is_on_one_line =
                |entry: &MappingEntry| is_on_one_line(&entry.key) && is_on_one_line(&entry.value);
            are_keys_unique(&mapping.entries) && mapping.entries.iter().all(entry_is_on_one_line)
        }
    }
}

/// True if every key is a scalar that occurs once.
fn are_keys_unique(entries: &[MappingEntry]) -> bool {
    let mut seen: QuickSet<&str> = QuickSet::default();
    seen.reserve(entries.len());
    entries.iter().all(|entry| entry.key.text().is_some_and(|key| seen.insert(key)))
}

/// A mapping in the style of `node` with other entries.
fn with_entries(node: &Node, entries: Vec<MappingEntry>) -> Node {
    let style = node.as_mapping().map(|mapping| mapping.style).unwrap_or_default();
    Node {
        value: Value::Mapping(Mapping { entries: entries.into(), style }.into()),
        ..node.clone()
    }
}

/// A list in the style of `node` with other elements.
fn with_items(node: &Node, items: Vec<Node>) -> Node {
    let style = match &node.value {
        Value::Sequence(_, style) => *style,
        _ => Style::Plain,
    };
    Node { value: Value::Sequence(items.into(), style), ..node.clone() }
}

#[cfg(test)]
mod tests;
