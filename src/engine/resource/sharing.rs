//! Marks nodes of a resource as shared, and copies writes to all of their positions.

use std::sync::Arc;

use crate::yaml::Node;

use super::Resource;
use super::shared::{PathStep, SharedNode, at, at_mut};

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

    /// Makes the scalars at all other positions separate nodes.
    fn keep_shared(&mut self, is_kept: impl Fn(&Node, &[PathStep]) -> bool) {
        let Self { node, shared, .. } = self;
        for group in shared.iter_mut() {
            if !group.places.iter().all(|place| is_kept(node, place)) {
                Arc::make_mut(&mut group.places).retain(|place| is_kept(node, place));
            }
        }
        shared.retain(|group| group.places.len() > 1);
    }

    /// Makes the annotations separate nodes: Kustomize rewrote them as texts (`SetAnnotations`).
    pub fn unshare_annotations(&mut self) {
        self.keep_shared(|_, place| match place {
            [PathStep::Key(a), PathStep::Key(b), ..] => &**a != "metadata" || &**b != "annotations",
            _ => true,
        });
    }

    /// Makes the scalars in mappings that a patch replaced (`$patch: replace`) separate nodes
    /// again.
    pub fn unshare_replaced(&mut self, before: &Node) {
        let holder = |node: &Node, place: &[PathStep]| {
            let (_, path) = place.split_last()?;
            at(node, path).map(|holder| holder.mark)
        };
        self.keep_shared(|node, place| holder(node, place) == holder(before, place));
    }

    /// Copies a write at one position of a shared node to its other positions. Positions that no
    /// longer exist are dropped.
    pub fn spread_shared(&mut self) {
        // Most writes do not affect shared nodes.
        if self.shared.iter().all(|group| group.is_unchanged_in(&self.node)) {
            return;
        }
        self.keep_shared(|node, place| at(node, place).and_then(Node::as_scalar).is_some());
        let Self { node, shared, .. } = self;
        for group in shared {
            let Some(changed) = group.written(node) else { continue };
            for place in group.places.iter() {
                if let Some(node) = at_mut(node, place) {
                    node.mark = changed.mark;
                    node.value = changed.value.clone();
                }
            }
            group.node = changed;
        }
    }
}
