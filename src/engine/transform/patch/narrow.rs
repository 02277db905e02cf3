//! What a patch has to see of a resource, and what came of it put back.

use crate::resource::{ResMap, Resource, Slot};
use crate::transform::shown::{is_reached_by, take_back};
use crate::transform::{Narrowed, WideCollections};
use crate::yaml::Node;

use super::Context;

/// A resource before a patch, as far as the patch has to do with it: whoever held the resource itself would have it copied.
pub(super) fn seen(
    patch: &Node,
    slot: Slot,
    resources: &ResMap,
    cx: &mut Context<'_>,
) -> Option<Resource> {
    let resource = resources.get(slot)?;
    let narrowed = narrowed(patch, resource, cx);
    let node = narrowed.map_or_else(|| resource.node.clone(), |it| it.tree);
    Some(Resource { node, id: resource.id.clone(), ..Resource::default() })
}

/// The tree of a resource without what a patch passes by, where that is much.
pub(super) fn narrowed(
    patch: &Node,
    resource: &Resource,
    cx: &mut Context<'_>,
) -> Option<Narrowed> {
    let is_apart = resource.shared.is_empty() && !is_reached_by(patch);
    if !is_apart {
        return None;
    }
    cx.wide.narrowed(&resource.node, patch, (cx.schema, cx.profile))
}

/// Gives a resource the tree that came of it.
pub(super) fn put(
    resource: &mut Resource,
    node: Node,
    reaches: bool,
    narrowed: Option<Narrowed>,
    wide: &mut WideCollections,
) {
    if let Some(narrowed) = narrowed {
        // Nothing in it is shared.
        resource.node = wide.widened(narrowed, node, &mut resource.node);
        return;
    }
    let before = resource.node.clone();
    if reaches {
        take_back(resource, node);
    } else {
        resource.node = node;
    }
    resource.unshare_replaced(&before);
}
