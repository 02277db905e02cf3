//! Why a strategic merge patch without a target finds no resource.

use crate::load::nearest_name;
use crate::resource::{ResId, ResMap, Resource};

/// Why no resource has the id of a patch: every part in which the nearest one differs.
pub(super) fn no_match(patch: &Resource, resources: &ResMap) -> String {
    let id = &patch.id;
    let of_kind: Vec<&ResId> = resources
        .iter()
        .map(|(_, resource)| &resource.id)
        .filter(|other| other.gvk.kind == id.gvk.kind)
        .collect();
    let namesakes = resources.with_any_name(&id.name);
    let namesakes = namesakes.into_iter().filter_map(|slot| Some(&resources.get(slot)?.id));
    let namesakes = namesakes.filter(|other| other.gvk.kind == id.gvk.kind);
    if let Some(other) = namesakes.min_by_key(|other| other_parts(id, other).len()) {
        let other_parts = other_parts(id, other);
        return format!("{} {} {}", other.gvk.kind, id.name, other_parts.join(", and "));
    }
    if of_kind.is_empty() {
        return format!("there is no {} here", id.gvk.kind);
    }
    if let Some(name) = nearest_name(&id.name, of_kind.iter().map(|other| &*other.name)) {
        let called = of_kind.iter().filter(|other| *other.name == *name);
        let parts = called.map(|other| other_parts(id, other)).min_by_key(Vec::len);
        return match parts.unwrap_or_default().join(", and ") {
            parts if parts.is_empty() => format!("did you mean {name}?"),
            parts => format!("did you mean {name}? it {parts}"),
        };
    }
    let is_in = |other: &&&ResId| other.name.len() > 2 && id.name.contains(&*other.name);
    if let Some(other) = of_kind.iter().find(is_in) {
        return format!("{} is the name at this step", other.name);
    }
    let shown = of_kind.iter().take(5).map(|other| &*other.name).collect::<Vec<_>>().join(", ");
    format!("resources of kind {}: {shown}", id.gvk.kind)
}

/// In which parts but its name a resource is another than the one that a patch names.
fn other_parts(patch: &ResId, other: &ResId) -> Vec<String> {
    let mut parts = Vec::new();
    if other.gvk != patch.gvk {
        let (is, says) = (other.gvk.api_version(), patch.gvk.api_version());
        parts.push(format!("is of apiVersion {is}, the patch says {says}"));
    }
    if other.effective_namespace() != patch.effective_namespace() {
        parts.push(match (&*other.namespace, &*patch.namespace) {
            ("", says) => format!("has no namespace, the patch says {says}"),
            (is, "") => format!("is in namespace {is}, the patch says none"),
            (is, says) => format!("is in namespace {is}, the patch says {says}"),
        });
    }
    parts
}
