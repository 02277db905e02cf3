//! References of built-in types to resources that are not in the output, while it has one with a
//! similar name.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use crate::engine::diagnostic::{Hint, Object, SilentRemark};
use crate::engine::evaluate::StepKind;
use crate::engine::load::name_distance;
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::Mark;

use super::containers::pod_spec;
use super::{LastStates, PathPart, Scan, dotted_path, last_step, of_field, visit_entries};

/// The minimum length of a name; shorter names are similar to too many others.
const MIN_NAME_CHARS: usize = 5;

const MAX_EDITS: usize = 2;

const SCALED_KINDS: [&str; 3] = ["Deployment", "StatefulSet", "ReplicaSet"];

struct NameReference<'n> {
    kind: &'n str,
    name: &'n str,
    mark: Mark,
    field: String,
}

/// Finds references to resources that are not in the output, if a resource has a similar name.
pub(super) fn missing_references(scan: &mut Scan<'_, '_>) {
    let Some(step) = last_step(scan.trace, StepKind::NameReferences) else { return };
    let last = scan.last;
    let by_kind = resources_by_kind(last);
    let mut seen: BTreeSet<(Slot, String, String)> = BTreeSet::new();
    for (slot, resource) in last {
        for NameReference { kind, name, mark, field } in references(resource) {
            let near = similar_resource_name((kind, name), resource, &by_kind);
            let near = near.filter(|_| !may_be_made(name, last));
            let (kind, name) = (kind.to_owned(), name.to_owned());
            let key = (*slot, kind.clone(), name.clone());
            let Some(near) = near.filter(|_| seen.insert(key)) else { continue };
            let object = Object::from(&resource.id);
            let remark = SilentRemark::MissingResource { object, field: field.clone(), kind, name };
            let diagnostic = of_field(remark, mark, (*slot, resource), field);
            scan.found.push((step, diagnostic.hint(Hint::DidYouMean(near))));
        }
    }
}

/// The resources of one kind in one namespace, and all names that they have or had.
#[derive(Default)]
struct SameKind<'t> {
    resources: Vec<&'t Resource>,
    names: IndexSet<&'t str>,
}

fn resources_by_kind<'t>(last: &LastStates<'t>) -> IndexMap<[&'t str; 2], SameKind<'t>> {
    let mut found: IndexMap<[&str; 2], SameKind<'_>> = IndexMap::new();
    for it in last.values() {
        let same = found.entry([&it.id.gvk.kind, it.id.effective_namespace()]).or_default();
        same.resources.push(it);
        same.names.insert(&it.id.name);
        same.names.extend(it.names.previous().iter().map(|named| &*named.name));
    }
    found
}

/// The references of a resource to `ConfigMaps`, Secrets, claims and scaled workloads.
fn references(resource: &Resource) -> Vec<NameReference<'_>> {
    let mut found = Vec::new();
    let node = &resource.node;
    if &*resource.id.gvk.kind == "HorizontalPodAutoscaler" {
        let name = node.at(&["spec", "scaleTargetRef", "name"]);
        let kind = node.text_at(&["spec", "scaleTargetRef", "kind"]);
        if let (Some(name), Some(kind)) = (name, kind.filter(|kind| SCALED_KINDS.contains(kind))) {
            let (text, mark) = (name.text().unwrap_or_default(), name.mark);
            let field = "spec.scaleTargetRef.name".to_owned();
            found.push(NameReference { kind, name: text, mark, field });
        }
        return found;
    }
    let Some((path, pod)) = pod_spec(node) else { return found };
    let mut path: Vec<PathPart<'_>> = path.iter().map(|key| PathPart::Key(key)).collect();
    visit_entries(pod, &mut path, &mut |path, key, around, value| {
        let above = path.iter().rev().find_map(|part| match part {
            PathPart::Key(key) => Some(*key),
            PathPart::Element(_) => None,
        });
        let kind = match (above.unwrap_or_default(), key) {
            ("configMap" | "configMapRef" | "configMapKeyRef", "name") => "ConfigMap",
            ("secret", "secretName") | ("secretRef" | "secretKeyRef", "name") => "Secret",
            ("persistentVolumeClaim", "claimName") => "PersistentVolumeClaim",
            _ => return,
        };
        let is_optional = around.text_of("optional") == Some("true");
        if let Some(name) = value.text().filter(|_| !is_optional) {
            let field = dotted_path(path, key);
            found.push(NameReference { kind, name, mark: value.mark, field });
        }
    });
    found
}

/// The name of a resource in the same namespace that a reference probably means.
fn similar_resource_name(
    (kind, wanted): (&str, &str),
    referrer: &Resource,
    by_kind: &IndexMap<[&str; 2], SameKind<'_>>,
) -> Option<String> {
    let none = SameKind::default();
    let in_sight = by_kind.get(&[kind, referrer.id.effective_namespace()]).unwrap_or(&none);
    if wanted.contains('$') || in_sight.names.contains(wanted) {
        return None;
    }
    if SCALED_KINDS.contains(&kind) {
        let [only] = in_sight.resources[..] else { return None };
        let first = only.names.previous().first().map(|named| &named.name);
        return Some(first.unwrap_or(&only.id.name).to_string());
    }
    let near = |name: &str| {
        let is_near = wanted.len() >= MIN_NAME_CHARS
            && name_distance(wanted, name, MAX_EDITS).is_some()
            && !differs_only_in_digits(wanted, name);
        is_near.then(|| name.to_owned())
    };
    in_sight.resources.iter().find_map(|it| {
        let names = it.names.previous().iter().map(|named| &*named.name);
        names.chain([&*it.id.name]).find_map(near)
    })
}

/// True if a custom resource has a name, or contains it: an operator may make the object, as it does
/// for a `SealedSecret`.
fn may_be_made(name: &str, last: &LastStates<'_>) -> bool {
    last.values().any(|it| {
        let group = &it.id.gvk.group;
        let is_custom = group.contains('.') && !group.ends_with(".k8s.io");
        is_custom && (*it.id.name == *name || it.node.nodes().any(|node| node.text() == Some(name)))
    })
}

/// True if two names differ only in digits. Such names, as `db-1` and `db-2`, belong to different
/// objects, and neither is misspelt.
fn differs_only_in_digits(one: &str, other: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    bare(one).trim_matches('-') == bare(other).trim_matches('-')
}

#[cfg(test)]
mod tests {
    use super::differs_only_in_digits;

    #[test]
    fn numbered_names_are_different_objects() {
        assert!(differs_only_in_digits("db-1", "db-2") && differs_only_in_digits("db", "db-2"));
        assert!(!differs_only_in_digits("app-cofnig", "app-config"));
    }
}
