//! Nodes that Kustomize holds in several places of a tree.
//!
//! Kustomize: a label or annotation that a transformer adds is one node object under every field that it is added to, and
//! so is an element that comes out of a strategic merge more than once. Whatever later writes to it in one of these
//! places writes to it in all of them, until the tree goes through JSON.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::yaml::{Mark, Node, Scalar, Style, Value, push_entry};

use super::Resource;

/// One step from a node to a node in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathStep {
    /// The value of a key.
    Key(Arc<str>),
    /// An element.
    Index(usize),
}

/// The places of one node, sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedNode {
    /// What stands in all of them.
    node: Node,
    places: Arc<Vec<Vec<PathStep>>>,
}

impl Resource {
    /// Remembers that the scalars in these places are one node, which has this style when there is one.
    pub fn share(&mut self, mut places: Vec<Vec<PathStep>>, style: Option<Style>) {
        places.sort_unstable();
        places.dedup();
        if let Some(style) = style {
            for place in &places {
                if let Some(scalar) = at_mut(&mut self.node, place).and_then(Node::as_scalar_mut) {
                    scalar.style = style;
                }
            }
        }
        let first = places.first().and_then(|place| at(&self.node, place));
        if let Some(node) = first.filter(|node| places.len() > 1 && node.as_scalar().is_some()) {
            self.shared.push(SharedNode { node: node.clone(), places: Arc::new(places) });
        }
    }

    /// Scalars that aliases put into several places are one node each: they have one mark. The place of the anchor, which
    /// comes first, is a node of its own.
    pub(super) fn share_aliases(&mut self) {
        let mut by_mark = IndexMap::new();
        gather_scalars(&self.node, &mut Vec::new(), &mut by_mark);
        for mut places in by_mark.into_values().filter(|places| places.len() > 2) {
            places.remove(0);
            self.share(places, None);
        }
    }

    /// The marks of elements that stand in a list more than once and are one node.
    pub fn repeated_elements(&self) -> IndexSet<Mark> {
        let elements = self.shared.iter().filter(|shared| !shared.is_scalar());
        elements.map(|shared| shared.node.mark).collect()
    }

    /// After a strategic merge: the elements with these marks are one node each.
    pub fn share_elements(&mut self, repeated: &IndexSet<Mark>) {
        self.shared.retain(SharedNode::is_scalar);
        if repeated.is_empty() {
            return;
        }
        let mut lists = Vec::new();
        find_lists(&self.node, &mut Vec::new(), &mut lists);
        for (place, items) in lists {
            let mut by_mark: IndexMap<Mark, Vec<usize>> = IndexMap::new();
            for (index, item) in items.iter().enumerate() {
                if repeated.contains(&item.mark) {
                    by_mark.entry(item.mark).or_default().push(index);
                }
            }
            for indices in by_mark.into_values() {
                let [first, _, ..] = indices[..] else { continue };
                let at = |index: &usize| [&place[..], &[PathStep::Index(*index)]].concat();
                let places = Arc::new(indices.iter().map(at).collect());
                self.shared.push(SharedNode { node: items[first].clone(), places });
            }
        }
    }

    /// The annotations of the resource itself are nodes of their own now.
    pub(super) fn unshare_annotations(&mut self) {
        let is_own = |place: &Vec<PathStep>| match &place[..] {
            [PathStep::Key(a), PathStep::Key(b), ..] => &**a == "metadata" && &**b == "annotations",
            _ => false,
        };
        for group in &mut self.shared {
            if group.places.iter().any(is_own) {
                Arc::make_mut(&mut group.places).retain(|place| !is_own(place));
            }
        }
        self.shared.retain(|group| group.places.len() > 1);
    }

    /// The scalars of mappings that came in the place of others (`$patch: replace`) are nodes of their own now.
    pub fn unshare_replaced(&mut self, before: &Node) {
        let holder = |node: &Node, place: &[PathStep]| {
            let (_, path) = place.split_last()?;
            at(node, path).map(|holder| holder.mark)
        };
        let Self { node, shared, .. } = self;
        for group in shared.iter_mut() {
            let is_kept = |place: &Vec<PathStep>| holder(node, place) == holder(before, place);
            if !group.places.iter().all(is_kept) {
                Arc::make_mut(&mut group.places).retain(is_kept);
            }
        }
        shared.retain(|group| group.places.len() > 1);
    }

    /// Writes what was written to a shared node in one of its places in the others too. Places that are gone are forgotten.
    pub(super) fn spread_shared(&mut self) {
        let mut shared = std::mem::take(&mut self.shared);
        for group in &mut shared {
            let is_scalar = group.is_scalar();
            let stands = |place: &Vec<PathStep>| {
                at(&self.node, place).is_some_and(|node| !is_scalar || node.as_scalar().is_some())
            };
            if !group.places.iter().all(stands) {
                Arc::make_mut(&mut group.places).retain(stands);
            }
            let Some(changed) = group.written(&self.node) else { continue };
            for place in group.places.iter() {
                if let Some(node) = at_mut(&mut self.node, place) {
                    node.mark = changed.mark;
                    node.value = changed.value.clone();
                    if !is_scalar {
                        node.comments.clone_from(&changed.comments);
                    }
                }
            }
            group.node = changed;
        }
        shared.retain(|group| group.places.len() > 1);
        self.shared = shared;
    }
}

fn gather_scalars(
    node: &Node,
    place: &mut Vec<PathStep>,
    found: &mut IndexMap<(Mark, usize), Vec<Vec<PathStep>>>,
) {
    match &node.value {
        Value::Scalar(scalar) if node.mark.line > 0 => {
            // What a merge key copied has a text of its own.
            let text = Arc::as_ptr(&scalar.text).cast::<u8>().addr();
            found.entry((node.mark, text)).or_default().push(place.clone());
        }
        Value::Scalar(_) => {}
        Value::Sequence(items, _) => {
            for (index, item) in items.iter().enumerate() {
                place.push(PathStep::Index(index));
                gather_scalars(item, place, found);
                place.pop();
            }
        }
        Value::Mapping(mapping) => {
            for entry in &mapping.entries {
                place.push(PathStep::Key(entry.key.text().unwrap_or_default().into()));
                gather_scalars(&entry.value, place, found);
                place.pop();
            }
        }
    }
}

impl SharedNode {
    fn is_scalar(&self) -> bool {
        self.node.as_scalar().is_some()
    }

    /// What the node is now; `None` when nobody wrote to it.
    fn written(&self, root: &Node) -> Option<Node> {
        let nodes: Vec<&Node> = self.places.iter().filter_map(|place| at(root, place)).collect();
        if let Some(own) = self.node.as_scalar() {
            return written_scalar(own, &nodes);
        }
        let mut now = self.node.clone();
        for other in nodes.into_iter().filter(|node| **node != self.node) {
            take_over(&mut now, &self.node, other);
        }
        (now != self.node).then_some(now)
    }
}

/// What a scalar is now: the last text in the order of keys counts, in the quotes that an earlier place got.
fn written_scalar(own: &Scalar, nodes: &[&Node]) -> Option<Node> {
    let scalars: Vec<&Scalar> = nodes.iter().filter_map(|node| node.as_scalar()).collect();
    let is_said = |scalar: &&Scalar| (&scalar.text, &scalar.tag) != (&own.text, &own.tag);
    let said = scalars.iter().rposition(is_said);
    let index = said.or_else(|| scalars.iter().rposition(|scalar| *scalar != own))?;
    let mut written = (*nodes.get(index)?).clone();
    let is_quoted = |scalar: &&Scalar| !is_said(scalar) && scalar.style != own.style;
    if let Some(quoted) = scalars[..index].iter().find(|scalar| is_quoted(scalar))
        && said.is_some()
        && let Some(scalar) = written.as_scalar_mut()
        && scalar.style == Style::Plain
    {
        scalar.style = quoted.style;
    }
    Some(written)
}

/// Does to a node what made another of what both were before.
fn take_over(now: &mut Node, before: &Node, after: &Node) {
    let is_mapping = |node: &Node| node.as_mapping().is_some();
    if is_mapping(now) && is_mapping(before) && is_mapping(after) {
        if let Some(mapping) = now.as_mapping_mut() {
            mapping.entries.retain(|entry| {
                let key = entry.key.text().unwrap_or_default();
                before.get(key).is_none() || after.get(key).is_some()
            });
            for entry in after.entries() {
                let key = entry.key.text().unwrap_or_default();
                let (old, new) = (before.get(key), &entry.value);
                match (mapping.get_mut(key), old) {
                    _ if old == Some(new) => {}
                    (Some(now), Some(old)) => take_over(now, old, new),
                    (Some(now), None) => *now = new.clone(),
                    (None, _) => push_entry(&mut mapping.entries, entry.clone()),
                }
            }
        }
        return;
    }
    *now = after.clone();
}

/// All lists in a tree and where they are.
fn find_lists<'n>(
    node: &'n Node,
    way: &mut Vec<PathStep>,
    found: &mut Vec<(Vec<PathStep>, &'n [Node])>,
) {
    let step = |step: PathStep, node: &'n Node, way: &mut Vec<PathStep>, found: &mut _| {
        way.push(step);
        find_lists(node, way, found);
        way.pop();
    };
    match &node.value {
        Value::Scalar(_) => {}
        Value::Mapping(mapping) => {
            for entry in &mapping.entries {
                let Some(key) = entry.key.as_scalar() else { continue };
                step(PathStep::Key(key.text.clone()), &entry.value, way, found);
            }
        }
        Value::Sequence(items, _) => {
            found.push((way.clone(), items));
            for (index, item) in items.iter().enumerate() {
                step(PathStep::Index(index), item, way, found);
            }
        }
    }
}

fn at<'n>(node: &'n Node, place: &[PathStep]) -> Option<&'n Node> {
    place.iter().try_fold(node, |node, step| match step {
        PathStep::Key(key) => node.get(key),
        PathStep::Index(index) => node.items()?.get(*index),
    })
}

fn at_mut<'n>(node: &'n mut Node, place: &[PathStep]) -> Option<&'n mut Node> {
    place.iter().try_fold(node, |node, step| match step {
        PathStep::Key(key) => node.get_mut(key),
        PathStep::Index(index) => node.items_mut()?.get_mut(*index),
    })
}
