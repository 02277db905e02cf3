//! Queries and edits of a node of the tree; equality of trees by three criteria: printed form, value
//! as read, data.

use std::sync::Arc;

use super::{
    Comments, Mapping, MappingEntry, Mark, Node, NodeKind, Scalar, Style, Tag, Value, WriterId,
    resolve_v3,
};

impl NodeKind {
    /// Go's name of the kind, as Kustomize's messages have it (`MappingNode`).
    pub fn go_name(self) -> &'static str {
        match self {
            Self::Scalar => "ScalarNode",
            Self::Sequence => "SequenceNode",
            Self::Mapping => "MappingNode",
        }
    }
}

impl Default for Node {
    fn default() -> Self {
        Self::null()
    }
}

impl Node {
    /// A scalar of the given text, tag and style.
    pub fn scalar(text: impl Into<Arc<str>>, tag: Tag, style: Style) -> Self {
        let text = text.into();
        Value::Scalar(Scalar { text, tag, style, ..Scalar::default() }).into()
    }

    /// A scalar with the string tag; printed plain if a plain scalar is read back as a string.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::scalar(text, Tag::Str, Style::Plain)
    }

    /// A plain scalar without a tag: its type is resolved when it is printed.
    pub fn plain(text: impl Into<Arc<str>>) -> Self {
        Self::scalar(text, Tag::None, Style::Plain)
    }

    /// `null`, written out.
    pub fn null() -> Self {
        Self::scalar("null", Tag::Null, Style::Plain)
    }

    /// An empty block mapping.
    pub fn mapping() -> Self {
        Value::Mapping(Arc::default()).into()
    }

    /// A block sequence of these items.
    pub fn sequence(items: Vec<Self>) -> Self {
        Value::Sequence(Arc::new(items), Style::Plain).into()
    }

    /// The same node with another mark.
    #[must_use]
    pub fn marked(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }

    /// Gives the node and all nodes below it the same mark, because the output of a program or a
    /// template has no lines in a file.
    pub fn mark_all(&mut self, mark: Mark) {
        self.for_each_mut(&mut |node| node.mark = mark);
    }

    /// Changes the node and all nodes below it, keys included.
    pub fn for_each_mut(&mut self, change: &mut impl FnMut(&mut Self)) {
        change(self);
        match &mut self.value {
            Value::Scalar(_) => {}
            Value::Sequence(items, _) => {
                for item in Arc::make_mut(items) {
                    item.for_each_mut(change);
                }
            }
            Value::Mapping(mapping) => {
                for entry in &mut Arc::make_mut(mapping).entries {
                    entry.key.for_each_mut(change);
                    entry.value.for_each_mut(change);
                }
            }
        }
    }

    /// Puts all collections in brackets and braces.
    pub fn set_flow_style(&mut self) {
        self.for_each_mut(&mut |node| match &mut node.value {
            Value::Scalar(_) => {}
            Value::Sequence(_, style) => *style = Style::Flow,
            Value::Mapping(mapping) => Arc::make_mut(mapping).style = Style::Flow,
        });
    }

    /// The style of a mapping or list; `None` for a scalar.
    pub fn collection_style(&self) -> Option<Style> {
        match &self.value {
            Value::Mapping(mapping) => Some(mapping.style),
            Value::Sequence(_, style) => Some(*style),
            Value::Scalar(_) => None,
        }
    }

    /// The same tree with the step as writer of all nodes; the locations are kept.
    #[must_use]
    pub fn written_by(mut self, step: Mark) -> Self {
        self.mark = self.mark.written_by(step);
        for child in self.children_mut() {
            *child = std::mem::take(child).written_by(step);
        }
        self
    }

    /// The kind of the node: scalar, sequence or mapping.
    pub fn kind(&self) -> NodeKind {
        match self.value {
            Value::Scalar(_) => NodeKind::Scalar,
            Value::Sequence(..) => NodeKind::Sequence,
            Value::Mapping(_) => NodeKind::Mapping,
        }
    }

    /// True for an alias in a text that is printed as it was written.
    pub fn is_alias(&self) -> bool {
        self.comments.as_ref().is_some_and(|beside| !beside.alias.is_empty())
    }

    /// True if it is an alias or contains one.
    pub fn has_aliases(&self) -> bool {
        let has_alias_key = |node: &Self| node.entries().iter().any(|entry| entry.key.is_alias());
        self.nodes().any(|node| node.is_alias() || has_alias_key(node))
    }

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<&Scalar> {
        match &self.value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The scalar to write to, if it is one.
    pub fn as_scalar_mut(&mut self) -> Option<&mut Scalar> {
        match &mut self.value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The text of a scalar, whatever its type.
    pub fn text(&self) -> Option<&str> {
        self.as_scalar().map(|scalar| &*scalar.text)
    }

    /// True for a scalar with this text. A fast path for key searches, where most keys differ.
    pub(super) fn is_text(&self, text: &str) -> bool {
        self.as_scalar().is_some_and(|scalar| {
            scalar.text.len() == text.len() && is_same(scalar.text.as_bytes(), text.as_bytes())
        })
    }

    /// The items of a sequence.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.value {
            Value::Sequence(items, _) => Some(items),
            _ => None,
        }
    }

    /// The items of a sequence, to write to; copies the list when it is shared.
    pub fn items_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.value {
            Value::Sequence(items, _) => Some(Arc::make_mut(items)),
            _ => None,
        }
    }

    /// The mapping, if it is one.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.value {
            Value::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// The mapping, to write to; copies its entries when it is shared.
    pub fn as_mapping_mut(&mut self) -> Option<&mut Mapping> {
        match &mut self.value {
            Value::Mapping(mapping) => Some(Arc::make_mut(mapping)),
            _ => None,
        }
    }

    /// Sets a field of a mapping; other kinds stay the same.
    pub fn set(&mut self, key: &str, value: Self) {
        if let Some(mapping) = self.as_mapping_mut() {
            mapping.set(key, value);
        }
    }

    /// Removes a field of a mapping, if it has that field.
    pub fn remove(&mut self, key: &str) -> Option<Self> {
        self.as_mapping_mut()?.remove(key)
    }

    /// The entries of a mapping; empty for any other kind.
    pub fn entries(&self) -> &[MappingEntry] {
        self.as_mapping().map_or(&[], |mapping| mapping.entries.as_slice())
    }

    /// The items of a sequence, or the values of a mapping.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = &Self> {
        let values = self.entries().iter().map(|entry| &entry.value);
        self.items().unwrap_or_default().iter().chain(values)
    }

    /// Same as [`Self::children`], for writing.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        let (items, entries): (&mut [Self], &mut [MappingEntry]) = match &mut self.value {
            Value::Scalar(_) => (&mut [], &mut []),
            Value::Sequence(items, _) => (&mut Arc::make_mut(items)[..], &mut []),
            Value::Mapping(mapping) => (&mut [], Arc::make_mut(mapping).entries.values_mut()),
        };
        items.iter_mut().chain(entries.iter_mut().map(|entry| &mut entry.value))
    }

    /// The items or values at the same places of two nodes, one level down.
    pub fn child_pairs<'n>(&'n self, other: &'n Self) -> Vec<(&'n Self, &'n Self)> {
        let items = self.items().unwrap_or_default().iter();
        let items = items.zip(other.items().unwrap_or_default());
        let same = |entry: &'n MappingEntry| Some((&entry.value, other.get(entry.key.text()?)?));
        items.chain(self.entries().iter().filter_map(same)).collect()
    }

    /// The node and all nodes below it except for keys, each before its own children.
    pub fn nodes(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let node = open.pop()?;
            open.extend(node.children().rev());
            Some(node)
        })
    }

    /// The items of the sequence at a key; empty for any other value.
    pub fn items_of(&self, key: &str) -> &[Self] {
        self.get(key).and_then(Self::items).unwrap_or_default()
    }

    /// The text of the scalar at these keys.
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path)?.text()
    }

    /// The text of the scalar at a key.
    pub fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The first entry with this key.
    pub fn entry(&self, key: &str) -> Option<&MappingEntry> {
        self.as_mapping()?.entry(key)
    }

    /// The last entry with this key.
    pub fn last_entry(&self, key: &str) -> Option<&MappingEntry> {
        let mapping = self.as_mapping()?;
        mapping.entries.get(mapping.last_place(key)?)
    }

    /// The value of the first entry with this key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_mapping()?.get(key)
    }

    /// The value of the first entry with this key, to write to.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        // Looked up first: a miss must not copy a shared mapping.
        self.get(key)?;
        self.as_mapping_mut()?.get_mut(key)
    }

    /// The node at the end of a chain of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// True for a null scalar, however it is spelled.
    pub fn is_null(&self) -> bool {
        self.as_scalar().is_some_and(Scalar::is_null)
    }

    /// True if this node or one below it has a comment, or is a collection with a written tag.
    pub fn has_comments(&self) -> bool {
        self.comments.is_some()
            || match &self.value {
                Value::Scalar(_) => false,
                Value::Sequence(items, _) => items.iter().any(Self::has_comments),
                Value::Mapping(mapping) => mapping
                    .entries
                    .iter()
                    .any(|entry| entry.key.has_comments() || entry.value.has_comments()),
            }
    }

    /// True for an empty mapping or an empty sequence.
    pub fn is_empty_collection(&self) -> bool {
        match &self.value {
            Value::Scalar(_) => false,
            Value::Sequence(items, _) => items.is_empty(),
            Value::Mapping(mapping) => mapping.entries.is_empty(),
        }
    }

    /// Sets the writer of this node and of all nodes below it, except of those that have one.
    pub fn stamp(&mut self, writer: WriterId) {
        self.for_each_mut(&mut |node| {
            if node.mark.writer == WriterId::NONE {
                node.mark.writer = writer;
            }
        });
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self { value, mark: Mark::default(), comments: None }
    }
}

/// Compares two texts of equal length; short texts, as most keys are, without a call of `memcmp`.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    /// The first and the last `N` bytes of a text; `None` for a shorter text.
    fn ends<const N: usize>(text: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
        Some((text.first_chunk()?, text.last_chunk()?))
    }
    match one.len() {
        8..=16 => ends::<8>(one) == ends::<8>(other),
        4..=7 => ends::<4>(one) == ends::<4>(other),
        0..=3 => one.iter().eq(other),
        _ => ends::<8>(one) == ends::<8>(other) && one == other,
    }
}

impl Comments {
    /// True if one of the comments has a text.
    pub fn has_texts(&self) -> bool {
        [&self.head, &self.line, &self.foot].iter().any(|text| !text.is_empty())
    }
}

impl Scalar {
    /// Sets a standard tag of YAML, or none.
    pub fn set_tag(&mut self, tag: Tag) {
        self.tag = tag;
        self.other_tag = None;
    }

    /// The name of a tag that YAML does not define; empty for other tags.
    pub fn tag_name(&self) -> &str {
        self.other_tag.as_ref().map_or("", |name| name)
    }

    /// True for the null tag. In Kustomize, a text that a transformer wrote without a tag is not
    /// null until it is printed or read again.
    pub fn is_null(&self) -> bool {
        self.tag == Tag::Null
    }
}

impl Node {
    /// The tree with nodes replaced by `change`, bottom up; `None` if no node changes. Keys are not
    /// visited.
    pub fn changed(&self, change: &dyn Fn(&Self) -> Option<Self>) -> Option<Self> {
        let below = match &self.value {
            Value::Scalar(_) => None,
            Value::Sequence(items, style) => changed_items(items, |item| item.changed(change))
                .map(|items| Value::Sequence(Arc::new(items), *style)),
            Value::Mapping(mapping) => {
                let entries = changed_items(&mapping.entries, |entry| {
                    let value = entry.value.changed(change)?;
                    Some(MappingEntry { key: entry.key.clone(), value })
                });
                let style = mapping.style;
                entries.map(|entries| {
                    Value::Mapping(Arc::new(Mapping { entries: entries.into(), style }))
                })
            }
        };
        let below = below.map(|value| {
            let comments = self.comments.clone();
            Self { value, mark: self.mark, comments }
        });
        change(below.as_ref().unwrap_or(self)).or(below)
    }
}

/// The items with replacements by `change`; `None`, without a copy, if no item changes.
pub fn changed_items<T: Clone>(
    items: &[T],
    mut change: impl FnMut(&T) -> Option<T>,
) -> Option<Vec<T>> {
    let (first, new) =
        items.iter().enumerate().find_map(|(index, item)| Some((index, change(item)?)))?;
    let mut changed = Vec::with_capacity(items.len());
    changed.extend_from_slice(&items[..first]);
    changed.push(new);
    let rest = &items[first + 1..];
    changed.extend(rest.iter().map(|item| change(item).unwrap_or_else(|| item.clone())));
    Some(changed)
}

impl Node {
    /// True if both nodes print the same: text, tag, style and structure, without marks and
    /// comments.
    pub fn same_content(&self, other: &Self) -> bool {
        self.same_by(other, Scalar::is_same_as)
    }

    /// True if both nodes print the same, except for explicit tags that match the resolved type.
    pub fn same_reading(&self, other: &Self) -> bool {
        self.same_by(other, Scalar::reads_as)
    }

    /// True if both trees have the same structure, and `same` returns true for each pair of
    /// scalars.
    fn same_by(&self, other: &Self, same: fn(&Scalar, &Scalar) -> bool) -> bool {
        match (&self.value, &other.value) {
            (Value::Scalar(a), Value::Scalar(b)) => same(a, b),
            (Value::Sequence(a, s), Value::Sequence(b, t)) => {
                Arc::ptr_eq(a, b)
                    || s == t
                        && a.len() == b.len()
                        && a.iter().zip(b.iter()).all(|(a, b)| a.same_by(b, same))
            }
            (Value::Mapping(a), Value::Mapping(b)) => {
                Arc::ptr_eq(a, b)
                    || a.style == b.style
                        && a.entries.len() == b.entries.len()
                        && a.entries.iter().zip(&b.entries).all(|(a, b)| {
                            a.key.same_by(&b.key, same) && a.value.same_by(&b.value, same)
                        })
            }
            _ => false,
        }
    }

    /// True if both nodes are the same data: layout, quoting and the order of keys are ignored.
    pub fn same_value(&self, other: &Self) -> bool {
        let is_plain = |scalar: &Scalar| scalar.style == Style::Plain;
        match (&self.value, &other.value) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let tags = a.tag == b.tag && (a.tag != Tag::None || is_plain(a) == is_plain(b));
                same_text(&a.text, &b.text)
                    && (tags || a.resolves_to(&b.tag) || b.resolves_to(&a.tag))
            }
            (Value::Sequence(a, _), Value::Sequence(b, _)) => {
                Arc::ptr_eq(a, b)
                    || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_value(b))
            }
            (Value::Mapping(a), Value::Mapping(b)) => {
                let is_same = |a: &MappingEntry, b: &MappingEntry| {
                    a.key.same_value(&b.key) && a.value.same_value(&b.value)
                };
                Arc::ptr_eq(a, b)
                    || a.entries.len() == b.entries.len()
                        && (a.entries.iter().zip(&b.entries).all(|(a, b)| is_same(a, b))
                            || a.has_same_values(b))
            }
            _ => false,
        }
    }
}

impl Mapping {
    /// True if both mappings, of the same length, have the same data, in any order.
    fn has_same_values(&self, other: &Self) -> bool {
        let is_equal = |entry: &MappingEntry| {
            let found = entry.key.text().and_then(|key| other.get(key));
            found.is_some_and(|found| found.same_value(&entry.value))
        };
        let is_known =
            |entry: &MappingEntry| entry.key.text().is_some_and(|key| self.contains(key));
        self.entries.iter().all(is_equal) && other.entries.iter().all(is_known)
    }
}

impl Scalar {
    /// True if text, tag and style of both scalars are equal, and a tag is written in both or in
    /// neither.
    fn is_same_as(&self, other: &Self) -> bool {
        same_text(&self.text, &other.text)
            && (&self.tag, self.style, self.tagged) == (&other.tag, other.style, other.tagged)
            && (self.tag != Tag::Other || self.tag_name() == other.tag_name())
    }

    /// True if both scalars print the same; one of them may lack the tag to which its text
    /// resolves.
    fn reads_as(&self, other: &Self) -> bool {
        let same = same_text(&self.text, &other.text) && self.style == other.style;
        self.is_same_as(other)
            || same && (self.resolves_to(&other.tag) || other.resolves_to(&self.tag))
    }

    fn resolves_to(&self, tag: &Tag) -> bool {
        let is_plain = self.style == Style::Plain;
        let says = || if is_plain { resolve_v3(&self.text).is_of(tag) } else { *tag == Tag::Str };
        self.tag == Tag::None && says()
    }
}

/// Compares pointers first: copies share their texts.
fn same_text(one: &Arc<str>, other: &Arc<str>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_items_are_shared() {
        let list =
            |texts: &[&str]| Node::sequence(texts.iter().copied().map(Node::plain).collect());
        let tree = Node::sequence(vec![list(&["a"]), list(&["b", "c"])]);
        let other = |node: &Node| (node.text() == Some("c")).then(|| Node::plain("d"));
        let changed = tree.changed(&other).unwrap();
        assert_eq!(changed, Node::sequence(vec![list(&["a"]), list(&["b", "d"])]));
        let first = |node: &Node| node.items().unwrap()[0].items().unwrap().as_ptr();
        assert_eq!(first(&changed), first(&tree));
        assert_eq!(tree.changed(&|_| None), None);
    }
}
