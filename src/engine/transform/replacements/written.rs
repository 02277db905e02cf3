//! A resource after a write by a target of a replacement.

use crate::resource::{ResMap, Slot};
use crate::transform::Context;
use crate::transform::bookkeeping_annotations::replace_tree;
use crate::yaml::{Mark, Node};

/// Gives a resource its new tree. With `is_exposed`, both trees include Kustomize's internal
/// annotations.
pub(super) fn put(
    slot: Slot,
    (before, node): (Node, Node),
    is_exposed: bool,
    resources: &mut ResMap,
    cx: &Context<'_>,
) {
    let kept = cx.unplaced.is_some().then(|| kept_places(&before, &node));
    resources.update(slot, |resource| {
        for (now, before) in kept.into_iter().flatten() {
            resource.record_kept_position(now, before);
        }
        if is_exposed {
            replace_tree(resource, node);
        } else {
            resource.node = node;
        }
        resource.unshare_replaced(&before);
    });
}

/// For each scalar with another mark than before: the new mark and the old one.
fn kept_places(before: &Node, now: &Node) -> Vec<(Mark, Mark)> {
    if before.as_scalar().and(now.as_scalar()).is_some() {
        return if before.mark == now.mark { Vec::new() } else { vec![(now.mark, before.mark)] };
    }
    let pairs = before.child_pairs(now).into_iter();
    let mut kept: Vec<_> = pairs.flat_map(|(old, new)| kept_places(old, new)).collect();
    kept.dedup();
    kept
}
