//! Dangers of RBAC changes: the rights that a role adds, and the subjects that a binding adds.

use std::collections::BTreeSet;

use super::danger;
use crate::engine::diagnostic::{DangerRemark, Diagnostic, PlacedObject, RbacGrant};
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

/// Findings for the rights that a changed role adds, or the subjects that a changed binding adds.
pub(super) fn access_dangers(
    before: Option<&Node>,
    after: &Node,
    resource: &Resource,
) -> Vec<Diagnostic> {
    if &*resource.id.gvk.group != "rbac.authorization.k8s.io" {
        return Vec::new();
    }
    let (field, more) = match &*resource.id.gvk.kind {
        "Role" | "ClusterRole" => ("rules", new_rights(before, after)),
        "RoleBinding" | "ClusterRoleBinding" => ("subjects", new_subjects(before, after)),
        _ => return Vec::new(),
    };
    if more.is_empty() {
        return Vec::new();
    }
    let (object, grants) = (PlacedObject::from(&resource.id), more);
    vec![danger(field, DangerRemark::Grants { object, grants })]
}

/// The rights of the new role that no right of the old role covers; `*` covers every value.
fn new_rights(before: Option<&Node>, after: &Node) -> Vec<RbacGrant> {
    let old = before.map(rights).unwrap_or_default();
    let is_granted = |right: &RbacGrant| old.iter().any(|other| covers(other, right));
    rights(after).into_iter().filter(|right| !is_granted(right)).collect()
}

/// True if the first right includes the second one; `*` includes every value.
fn covers(one: &RbacGrant, other: &RbacGrant) -> bool {
    let fits = |have: &str, want: &str| have == "*" || have == want;
    match (one, other) {
        (
            RbacGrant::Right { verb, group, resource, name },
            RbacGrant::Right { verb: to, group: of, resource: with, name: called },
        ) => fits(verb, to) && fits(group, of) && fits(resource, with) && fits(name, called),
        (RbacGrant::Right { .. } | RbacGrant::Subject { .. }, _) => false,
    }
}

/// The rights that the rules of a role grant, one for each combination of verb, group, resource and
/// name.
fn rights(role: &Node) -> BTreeSet<RbacGrant> {
    let mut rights = BTreeSet::new();
    let mut add = |verb: &str, group: &str, resource: &str, name: &str| {
        let [verb, group, resource, name] = [verb, group, resource, name].map(str::to_owned);
        rights.insert(RbacGrant::Right { verb, group, resource, name });
    };
    for rule in role.items_of("rules") {
        let texts = |field: &str| rule.items_of(field).iter().filter_map(Node::text);
        let names: Vec<&str> = texts("resourceNames").collect();
        let names = if names.is_empty() { vec!["*"] } else { names };
        for verb in texts("verbs") {
            for group in texts("apiGroups") {
                for resource in texts("resources") {
                    for name in &names {
                        add(verb, group, resource, name);
                    }
                }
            }
            texts("nonResourceURLs").for_each(|url| add(verb, "(URL)", url, "*"));
        }
    }
    rights
}

fn new_subjects(before: Option<&Node>, after: &Node) -> Vec<RbacGrant> {
    let old = before.map(subjects).unwrap_or_default();
    let mut new: Vec<RbacGrant> =
        subjects(after).into_iter().filter(|subject| !old.contains(subject)).collect();
    new.sort_by_cached_key(ToString::to_string);
    new
}

fn subjects(binding: &Node) -> BTreeSet<RbacGrant> {
    let text = |subject: &Node, key: &str| subject.text_of(key).unwrap_or_default().to_owned();
    let items = binding.items_of("subjects");
    let subject = |subject: &Node| RbacGrant::Subject {
        kind: text(subject, "kind"),
        name: text(subject, "name"),
        namespace: text(subject, "namespace"),
    };
    items.iter().map(subject).collect()
}
