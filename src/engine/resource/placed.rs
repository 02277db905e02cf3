//! A tree with the places that Kustomize's nodes have, which marks do not tell: marks say who wrote a value, and stay.

use std::sync::Arc;

use crate::yaml::{Entry, Mapping, Mark, Node, Scalar, Style, Tag, Value, v1_1_reads_string};

use super::Resource;
use super::places::Placed;
use super::shared::{at, at_mut};

impl Resource {
    /// The tree as Kustomize has it, each mark the place of a node in the text that it was read from: the line within its
    /// piece, and none for what was made. A collection that was made has no tag. Nothing when there are nodes in it whose
    /// places nobody knows.
    pub fn placed(&self) -> Option<Node> {
        if self.places_are_lost() {
            return None;
        }
        Some(match &self.places.placed {
            Some(placed) => self.over(&self.node, &placed.seen, &placed.places),
            None => self.as_read(&self.node),
        })
    }

    /// The same object was read with the lines that go-yaml counts, which are others.
    pub(super) fn counted_by_go(&mut self, node: Option<Node>) {
        let Some(node) = node else { return };
        let places = read_below(&node, self.lines_before);
        self.places.placed = Some(Arc::new(Placed { seen: self.node.clone(), places }));
    }

    /// Where the nodes stand to go-yaml, where it counts other lines.
    pub fn places_by_go(&self) -> Option<&Node> {
        self.places.placed.as_ref().map(|placed| &placed.places)
    }

    /// A step left the nodes in these places. What the tree lacks, or has besides, is not looked for.
    pub fn stands_as(&mut self, mut places: Node) {
        if let Some(before) = self.placed() {
            self.spread_places(&before, &mut places);
        }
        self.places.placed = Some(Arc::new(Placed { seen: self.node.clone(), places }));
    }

    /// A node that stands in several places of the tree was written in one of them: it is written in the others.
    fn spread_places(&self, before: &Node, places: &mut Node) {
        for shared in &self.shared {
            let is_written = |node: &Node, place: &Vec<_>| at(node, place) != at(before, place);
            let written = shared.places.iter().rfind(|place| is_written(places, place));
            let Some(mut now) = written.and_then(|place| at(places, place)).cloned() else {
                continue;
            };
            // The walk comes to it again, and puts quotes around what would be misread.
            if written != shared.places.last()
                && let Some(scalar) = now.as_scalar_mut()
                && scalar.style == Style::Plain
                && scalar.tag == Tag::Str
                && !v1_1_reads_string(&scalar.text)
            {
                scalar.style = Style::DoubleQuoted;
            }
            for place in shared.places.iter() {
                if let Some(node) = at_mut(places, place) {
                    *node = now.clone();
                }
            }
        }
    }

    /// A tree that was read once, and written to by steps that make new nodes.
    fn as_read(&self, node: &Node) -> Node {
        let mark = self.kept_mark(node);
        let is_read = mark.writer == self.node.mark.writer && mark.line > 0;
        let line = mark.line.saturating_sub(self.lines_before);
        let place = Mark { line, column: mark.column, ..Mark::default() };
        let mark = if is_read { place } else { Mark::default() };
        below(node, mark, &|node| self.as_read(node))
    }

    /// What a tree is that was such once, and had such places then: who wrote a value since gave it none.
    fn over(&self, now: &Node, seen: &Node, places: &Node) -> Node {
        let is_it = self.kept_mark(now) == self.kept_mark(seen) && tag(now) == tag(seen);
        if now.kind() != seen.kind() || now.kind() != places.kind() {
            return made(now);
        }
        let mark = if is_it { places.mark } else { Mark::default() };
        let comments = if is_it { &places.comments } else { &now.comments };
        let value = match (&now.value, &seen.value, &places.value) {
            (Value::Scalar(now), Value::Scalar(seen), Value::Scalar(places)) => {
                Value::Scalar(scalar_over(now, seen, places, is_it))
            }
            (Value::Sequence(items, _), Value::Sequence(seen, _), Value::Sequence(old, style)) => {
                let over = |(index, item): (usize, &Node)| match (seen.get(index), old.get(index)) {
                    (Some(seen), Some(places)) => self.over(item, seen, places),
                    _ => made(item),
                };
                Value::Sequence(Arc::new(items.iter().enumerate().map(over).collect()), *style)
            }
            (Value::Mapping(now), Value::Mapping(seen), Value::Mapping(places)) => {
                let entries = self.entries_over(now, seen, places);
                Value::Mapping(Arc::new(Mapping { entries, style: places.style }))
            }
            _ => return made(now),
        };
        Node { value, mark, comments: comments.clone() }
    }

    /// The fields in the order that they had, and behind them those that are new.
    fn entries_over(&self, now: &Mapping, seen: &Mapping, places: &Mapping) -> Vec<Entry> {
        let text = |entry: &Entry| entry.key.text().unwrap_or_default().to_owned();
        let kept = places.entries.iter().filter_map(|entry| {
            let Some(value) = now.get(&text(entry)) else {
                return is_for_notes(entry, seen).then(|| entry.clone());
            };
            let value = match seen.get(&text(entry)) {
                Some(seen) => self.over(value, seen, &entry.value),
                // An apiVersion that a patch writes is put in after what it merges.
                None if value.text().is_some() && value.text() == entry.value.text() => {
                    entry.value.clone()
                }
                None => made(value),
            };
            Some(Entry { key: entry.key.clone(), value })
        });
        let is_new = |entry: &&Entry| places.get(&text(entry)).is_none();
        let new = now.entries.iter().filter(is_new);
        kept.chain(new.map(|entry| made_entry(entry, &made))).collect()
    }
}

/// Annotations that hold what Kustomize notes and nothing else, so that the tree has none.
fn is_for_notes(entry: &Entry, seen: &Mapping) -> bool {
    let is_made = entry.value.is_empty_collection() && entry.value.mark == Mark::default();
    entry.key.text() == Some("annotations") && is_made && seen.get("annotations").is_none()
}

/// A scalar that was another once, as it stood then: it keeps its style, and the tag while it is the same node.
fn scalar_over(now: &Scalar, seen: &Scalar, places: &Scalar, is_it: bool) -> Scalar {
    let mut over = now.clone();
    if (now.style, now.tagged) == (seen.style, seen.tagged) {
        (over.style, over.tagged) = (places.style, places.tagged);
    }
    if is_it {
        over.tag.clone_from(&places.tag);
        over.rare.clone_from(&places.rare);
    }
    over
}

fn tag(node: &Node) -> Option<&Tag> {
    node.as_scalar().map(|scalar| &scalar.tag)
}

/// A tree of which no node has a place.
fn made(node: &Node) -> Node {
    below(node, Mark::default(), &made)
}

/// A node with this mark, and what is below it as it is said.
fn below(node: &Node, mark: Mark, change: &dyn Fn(&Node) -> Node) -> Node {
    let value = match &node.value {
        Value::Scalar(_) => node.value.clone(),
        Value::Sequence(items, style) => {
            Value::Sequence(Arc::new(items.iter().map(change).collect()), *style)
        }
        Value::Mapping(mapping) => {
            let entries = mapping.entries.iter().map(|entry| made_entry(entry, change)).collect();
            Value::Mapping(Arc::new(Mapping { entries, style: mapping.style }))
        }
    };
    Node { value, mark, comments: node.comments.clone() }
}

fn made_entry(entry: &Entry, change: &dyn Fn(&Node) -> Node) -> Entry {
    Entry { key: change(&entry.key), value: change(&entry.value) }
}

/// A tree that was read, each mark the place of a node in its piece.
pub fn read_below(node: &Node, lines_before: u32) -> Node {
    let Mark { line, column, .. } = node.mark;
    let mark = Mark { line: line.saturating_sub(lines_before), column, ..Mark::default() };
    below(node, mark, &|node| read_below(node, lines_before))
}
