//! Dangers of changed fields: RBAC, fields that the API server refuses to change, access of pods to their
//! Kubernetes node, volume claims, fields that stop or start work.

use std::collections::BTreeSet;

use super::danger;
use super::removals::is_true;
use crate::answers::compare::FieldChange;
use crate::answers::lint::faults::containers::{containers, pod_spec};
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
    let (field, grants) = match &*resource.id.gvk.kind {
        "Role" | "ClusterRole" => ("rules", new_rights(before, after)),
        "RoleBinding" | "ClusterRoleBinding" => ("subjects", new_subjects(before, after)),
        _ => return Vec::new(),
    };
    let object = PlacedObject::from(&resource.id);
    let found =
        (!grants.is_empty()).then(|| danger(field, DangerRemark::Grants { object, grants }));
    found.into_iter().collect()
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

/// Fields of a type that cannot be changed: everything at or below these keys. From the validation
/// of updates in Kubernetes (`pkg/apis/*/validation`).
const IMMUTABLE_FIELDS: &[(&str, &str, &[&[&str]])] = &[
    ("apps", "Deployment", &[&["spec", "selector"]]),
    ("apps", "DaemonSet", &[&["spec", "selector"]]),
    ("apps", "ReplicaSet", &[&["spec", "selector"]]),
    (
        "batch",
        "Job",
        &[
            &["spec", "selector"],
            &["spec", "template"],
            &["spec", "completionMode"],
            &["spec", "podFailurePolicy"],
            &["spec", "backoffLimitPerIndex"],
        ],
    ),
    ("", "Service", &[&["spec", "clusterIP"]]),
    ("", "Secret", &[&["type"]]),
    ("", "PersistentVolume", &[&["spec", "volumeMode"], &["spec", "nodeAffinity"]]),
    (
        "storage.k8s.io",
        "StorageClass",
        &[&["provisioner"], &["parameters"], &["reclaimPolicy"], &["volumeBindingMode"]],
    ),
    ("rbac.authorization.k8s.io", "RoleBinding", &[&["roleRef"]]),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding", &[&["roleRef"]]),
    ("apiextensions.k8s.io", "CustomResourceDefinition", &[&["spec", "scope"], &["spec", "group"]]),
    ("scheduling.k8s.io", "PriorityClass", &[&["value"], &["preemptionPolicy"]]),
    ("networking.k8s.io", "IngressClass", &[&["spec", "controller"]]),
    ("node.k8s.io", "RuntimeClass", &[&["handler"]]),
];

const MUTABLE_SPEC_FIELDS: &[(&str, &str, &[&str])] = &[
    (
        "apps",
        "StatefulSet",
        &[
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds",
        ],
    ),
    ("", "PersistentVolumeClaim", &["resources", "volumeAttributesClassName", "volumeName"]),
];

pub(super) fn immutable_field_dangers(
    before: &Resource,
    changes: &[&FieldChange],
) -> Vec<Diagnostic> {
    let (group, kind) = (&*before.id.gvk.group, &*before.id.gvk.kind);
    // Keys contain no list elements: an element belongs to the field that has the list.
    let is_immutable = |change: &&&FieldChange| {
        let keys = change.path.keys();
        let fields = IMMUTABLE_FIELDS.iter().filter(|it| it.0 == group && it.1 == kind);
        let listed = fields.flat_map(|it| it.2).any(|field| keys.starts_with(field));
        let but = MUTABLE_SPEC_FIELDS.iter().find(|it| it.0 == group && it.1 == kind);
        let not_listed = but.is_some_and(
            |(_, _, may)| matches!(keys.as_slice(), ["spec", field, ..] if !may.contains(field)),
        );
        listed || not_listed || is_frozen(before, &keys)
    };
    let told = |change: &&FieldChange| {
        let (field, object) = (change.path.to_string(), PlacedObject::from(&before.id));
        danger(field.clone(), DangerRemark::Immutable { field, object })
    };
    changes.iter().filter(is_immutable).map(told).collect()
}

/// True if the keys lead to data of a `ConfigMap` or Secret with `immutable: true`, or to that
/// field.
fn is_frozen(before: &Resource, keys: &[&str]) -> bool {
    let is_kind = matches!(&*before.id.gvk.kind, "ConfigMap" | "Secret");
    let says_so = before.node.text_of("immutable") == Some("true");
    let fields = ["data", "binaryData", "stringData", "immutable"];
    is_kind && says_so && keys.first().is_some_and(|key| fields.contains(key))
}

const HOST_NAMESPACES: [&str; 3] = ["hostNetwork", "hostPID", "hostIPC"];

/// The privileged containers, each as the name of its list and its own name.
fn privileged_containers(spec: &Node) -> BTreeSet<(&'static str, &str)> {
    let is_privileged = |it: &Node| it.text_at(&["securityContext", "privileged"]) == Some("true");
    let found = containers(spec).filter(|(_, container)| is_privileged(container));
    found.map(|(list, it)| (list, it.text_of("name").unwrap_or_default())).collect()
}

pub(super) fn node_access_dangers(before: Option<&Resource>, after: &Resource) -> Vec<Diagnostic> {
    let Some((path, now)) = pod_spec(&after.node) else { return Vec::new() };
    let path = path.join(".");
    let was = before.and_then(|before| pod_spec(&before.node)).map(|(_, spec)| spec);
    let object = PlacedObject::from(&after.id);
    let had = was.map(privileged_containers).unwrap_or_default();
    let mut found = Vec::new();
    for (list, container) in privileged_containers(now).difference(&had) {
        let field = format!("{path}.{list}[{container}].securityContext.privileged");
        let (object, container) = (object.clone(), (*container).to_owned());
        found.push(danger(field, DangerRemark::Privileged { object, container }));
    }
    for field in HOST_NAMESPACES {
        let is_on = |spec: &Node| spec.text_of(field) == Some("true");
        if is_on(now) && !was.is_some_and(is_on) {
            let remark = DangerRemark::HostNamespace { object: object.clone(), field };
            found.push(danger(format!("{path}.{field}"), remark));
        }
    }
    found
}

pub(super) fn volume_shrink_dangers(before: &Resource, after: &Resource) -> Vec<Diagnostic> {
    let asks = |spec: Option<&Node>| {
        spec?.text_at(&["resources", "requests", "storage"]).map(str::to_owned)
    };
    let mut claims: Vec<(String, Option<String>, Option<String>)> = Vec::new();
    match &*before.id.gvk.kind {
        "PersistentVolumeClaim" => {
            let spec = |resource: &Resource| asks(resource.node.get("spec"));
            claims.push(("spec.resources.requests.storage".to_owned(), spec(before), spec(after)));
        }
        "StatefulSet" => {
            let templates = |resource: &Resource| {
                let templates = resource.node.at(&["spec", "volumeClaimTemplates"]);
                templates.and_then(Node::items).unwrap_or_default().to_vec()
            };
            let name = |template: &Node| template.text_at(&["metadata", "name"]).map(str::to_owned);
            let now = templates(after);
            for old in templates(before) {
                let Some(same) = now.iter().find(|new| name(new) == name(&old)) else { continue };
                let path = format!("spec.volumeClaimTemplates[{}]", name(&old).unwrap_or_default());
                claims.push((path, asks(old.get("spec")), asks(same.get("spec"))));
            }
        }
        _ => {}
    }
    let shrunk = |(path, old, new): (String, Option<String>, Option<String>)| {
        let (old, new) = (old?, new?);
        let is_less = bytes(&new)? < bytes(&old)?;
        is_less.then(|| {
            let name = after.id.name.to_string();
            danger(path, DangerRemark::Shrinks { name, before: old, after: new })
        })
    };
    claims.into_iter().filter_map(shrunk).collect()
}

/// The number of bytes of a Kubernetes quantity such as `10Gi`; `None` for other texts.
fn bytes(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let number: f64 = number.parse().ok()?;
    let power_of = |base: f64, units: [&str; 7]| {
        let found = (0..).zip(units).find(|(_, it)| *it == unit);
        found.map(|(power, _)| base.powi(power))
    };
    let exponent = || Some(10f64.powi(unit.strip_prefix(['e', 'E'])?.parse().ok()?));
    let factor = (unit == "m").then_some(1e-3);
    let factor = factor.or_else(|| power_of(1000.0, ["", "k", "M", "G", "T", "P", "E"]));
    let factor = factor.or_else(|| power_of(1024.0, ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]));
    Some(number * factor.or_else(exponent)?)
}

const REPLICA_KINDS: [(&str, &str); 5] = [
    ("apps", "Deployment"),
    ("apps", "StatefulSet"),
    ("apps", "ReplicaSet"),
    ("", "ReplicationController"),
    ("argoproj.io", "Rollout"),
];

pub(super) fn switch_dangers(before: &Resource, after: &Resource) -> Vec<Diagnostic> {
    let object = || PlacedObject::from(&after.id);
    let mut found = Vec::new();
    let id = (&*after.id.gvk.group, &*after.id.gvk.kind);
    let replicas = |resource: &Resource| {
        let replicas = resource.node.at(&["spec", "replicas"])?;
        replicas.text()?.parse::<u64>().ok()
    };
    if REPLICA_KINDS.contains(&id) && replicas(after) == Some(0) && replicas(before) != Some(0) {
        found.push(danger("spec.replicas", DangerRemark::ScaledToZero { object: object() }));
    }
    for field in ["suspend", "paused"] {
        let path = ["spec", field];
        let remark = match (is_true(before, &path), is_true(after, &path)) {
            (false, true) => DangerRemark::Suspended { object: object() },
            (true, false) => DangerRemark::Resumed { object: object() },
            _ => continue,
        };
        found.push(danger(path.join("."), remark));
    }
    if let Some(path) = pruning_field(id) {
        let (was, is_on) = (is_true(before, path), is_true(after, path));
        if was != is_on {
            let remark = DangerRemark::Pruning { object: object(), is_on };
            found.push(danger(path.join("."), remark));
        }
    }
    found
}

/// The path of the field that switches pruning on in a deployment object of this group and kind.
fn pruning_field(id: (&str, &str)) -> Option<&'static [&'static str]> {
    Some(match id {
        ("kustomize.toolkit.fluxcd.io", "Kustomization") => &["spec", "prune"],
        ("argoproj.io", "Application") => &["spec", "syncPolicy", "automated", "prune"],
        ("argoproj.io", "ApplicationSet") => {
            &["spec", "template", "spec", "syncPolicy", "automated", "prune"]
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn quantities_with_different_units_are_comparable() {
        for (less, more) in [("1Gi", "1.5Gi"), ("1G", "1Gi"), ("1023Mi", "1Gi"), ("5e2", "1k")] {
            assert!(bytes(less) < bytes(more), "{less} {more}");
        }
        assert_eq!(bytes("1Gi"), bytes("1024Mi"));
        assert_eq!(bytes("lots"), None);
    }
}
