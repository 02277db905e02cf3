//! Explains why a strategic merge patch without a target finds no resource.

use crate::diagnostic::{IdDifference, PatchMissed, PlacedObject};
use crate::load::nearest_name;
use crate::resource::{ResId, ResMap, Resource};

/// The reason why no resource has the id of a patch: all parts in which the most similar resource
/// differs.
pub(super) fn no_match(patch: &Resource, resources: &ResMap) -> PatchMissed {
    let id = &patch.id;
    let of_kind: Vec<&ResId> = resources
        .iter()
        .map(|(_, resource)| &resource.id)
        .filter(|other| other.gvk.kind == id.gvk.kind)
        .collect();
    let namesakes = resources.find_any_name(&id.name);
    let namesakes = namesakes.into_iter().filter_map(|slot| Some(&resources.get(slot)?.id));
    let namesakes = namesakes.filter(|other| other.gvk.kind == id.gvk.kind);
    if let Some(other) = namesakes.min_by_key(|other| id_differences(id, other).len()) {
        let other_parts = id_differences(id, other);
        let (kind, name) = (other.gvk.kind.to_string(), id.name.to_string());
        return PatchMissed::SameKindAndName { kind, name, other: other_parts };
    }
    if of_kind.is_empty() {
        // Kinds of one group often replace each other, as a StatefulSet does a Deployment.
        let mut others = resources.iter().map(|(_, resource)| &resource.id);
        let is_other = |other: &&ResId| {
            !id.gvk.group.is_empty() && other.gvk.group == id.gvk.group && other.name == id.name
        };
        let other = others.find(is_other).map(PlacedObject::from);
        return PatchMissed::NoneOfKind { kind: id.gvk.kind.to_string(), other };
    }
    if let Some(name) = nearest_name(&id.name, of_kind.iter().map(|other| &*other.name)) {
        let called = of_kind.iter().filter(|other| *other.name == *name);
        let parts = called.map(|other| id_differences(id, other)).min_by_key(Vec::len);
        return PatchMissed::SimilarName {
            name: name.to_owned(),
            other: parts.unwrap_or_default(),
        };
    }
    let is_in = |other: &&&ResId| other.name.len() > 2 && id.name.contains(&*other.name);
    if let Some(other) = of_kind.iter().find(is_in) {
        return PatchMissed::CurrentName(other.name.to_string());
    }
    let shown = of_kind.iter().take(5).map(|other| other.name.to_string());
    PatchMissed::OfKind(id.gvk.kind.to_string(), shown.collect())
}

/// The differences between the id of a patch and that of a resource, besides the name.
fn id_differences(patch: &ResId, other: &ResId) -> Vec<IdDifference> {
    let mut parts = Vec::new();
    if other.gvk != patch.gvk {
        let (is, says) = (other.gvk.api_version(), patch.gvk.api_version());
        parts.push(IdDifference::ApiVersion { resource: is.clone(), patch: says.clone() });
    }
    if other.effective_namespace() != patch.effective_namespace() {
        let (is, says) = (other.namespace.to_string(), patch.namespace.to_string());
        parts.push(IdDifference::Namespace { resource: is, patch: says });
    }
    parts
}
