//! A resource after a write by a target of a replacement.

use crate::resource::{ResMap, Slot};
use crate::transform::bookkeeping_annotations::replace_tree;
use crate::yaml::Node;

/// The trees of one resource before and after a write by a target of a replacement.
pub(super) struct TargetWrite {
    pub(super) slot: Slot,
    pub(super) before: Node,
    pub(super) node: Node,
    /// True if both trees include Kustomize's internal annotations.
    pub(super) is_exposed: bool,
}

impl TargetWrite {
    /// Gives the resource its new tree.
    pub(super) fn put(self, resources: &mut ResMap) {
        let Self { slot, before, node, is_exposed } = self;
        resources.update(slot, |resource| {
            if is_exposed {
                replace_tree(resource, node);
            } else {
                resource.node = node;
            }
            resource.unshare_replaced(&before);
        });
    }
}
