//! Fields that the API server refuses to change.

use super::danger;
use crate::answers::compare::FieldChange;
use crate::engine::diagnostic::{DangerRemark, Diagnostic, PlacedObject};
use crate::engine::resource::Resource;

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
