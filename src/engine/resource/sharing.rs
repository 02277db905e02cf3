//! Marks nodes of a resource as shared, and copies writes to all of their positions.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::yaml::Node;

use super::Resource;
use super::shared::{PathStep, SharedNode, at, at_mut, visit_places};

impl Resource {
    /// Marks the scalars of each group of positions as one shared node.
    pub fn share_all(&mut self, groups: impl IntoIterator<Item = Vec<Vec<PathStep>>>) {
        for mut places in groups {
            places.sort_unstable();
            places.dedup();
            let first = places.first().and_then(|place| at(&self.node, place));
            if let Some(node) = first.filter(|node| places.len() > 1 && node.as_scalar().is_some())
            {
                self.shared.push(SharedNode { node: node.clone(), places: Arc::new(places) });
            }
        }
    }

    /// Marks the scalars of aliases as shared nodes: all aliases of one anchor have the same mark.
    /// The scalar at the anchor, which comes first, is not shared.
    pub(super) fn share_aliases(&mut self) {
        let mut by_mark: IndexMap<_, Vec<_>> = IndexMap::new();
        visit_places(&self.node, &mut Vec::new(), &mut |node, place| {
            if let Some(scalar) = node.as_scalar().filter(|_| node.mark.line > 0) {
                // A copy by a merge key has a separate text.
                let text = Arc::as_ptr(&scalar.text).cast::<u8>().addr();
                by_mark.entry((node.mark, text)).or_default().push(place.to_vec());
            }
        });
        let groups = by_mark.into_values().filter(|places| places.len() > 2).map(|mut places| {
            places.remove(0);
            places
        });
        self.share_all(groups);
    }

    /// Makes the annotations separate nodes: Kustomize rewrote them as texts (`SetAnnotations`).
    pub fn unshare_annotations(&mut self) {
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

    /// Makes the scalars in mappings that a patch replaced (`$patch: replace`) separate nodes
    /// again.
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

    /// Copies a write at one position of a shared node to its other positions. Positions that no
    /// longer exist are dropped.
    pub fn spread_shared(&mut self) {
        let Self { node, shared, .. } = self;
        let mut first = 0;
        // Most writes do not affect shared nodes.
        while let Some(next) = shared[first..].iter().position(|it| !it.is_unchanged_in(node)) {
            let group = &mut shared[first + next];
            first += next + 1;
            let stands =
                |place: &Vec<PathStep>| at(node, place).and_then(Node::as_scalar).is_some();
            if !group.places.iter().all(stands) {
                Arc::make_mut(&mut group.places).retain(stands);
            }
            let Some(changed) = group.written(node) else { continue };
            for place in group.places.iter() {
                if let Some(node) = at_mut(node, place) {
                    node.mark = changed.mark;
                    node.value = changed.value.clone();
                }
            }
            group.node = changed;
        }
        shared.retain(|group| group.places.len() > 1);
    }
}
