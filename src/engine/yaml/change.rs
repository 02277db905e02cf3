//! Changing a few nodes of a tree; unchanged parts are shared.

use std::sync::Arc;

use super::{Mapping, MappingEntry, Node, Value};

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
