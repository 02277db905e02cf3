//! The legacy order of kinds (section 6.5), for sorting resources and field specs.

use std::cmp::Ordering;

use crate::resource::Gvk;

/// The first kinds, in order (Kustomize's default for `orderFirst`).
pub const ORDER_FIRST: [&str; 22] = [
    "Namespace",
    "ResourceQuota",
    "StorageClass",
    "CustomResourceDefinition",
    "ServiceAccount",
    "PodSecurityPolicy",
    "Role",
    "ClusterRole",
    "RoleBinding",
    "ClusterRoleBinding",
    "ConfigMap",
    "Secret",
    "Endpoints",
    "Service",
    "LimitRange",
    "PriorityClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
];

/// The last kinds, in order (Kustomize's default for `orderLast`).
pub const ORDER_LAST: [&str; 2] =
    ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/// The rank of a kind in the legacy order: negative for the first kinds, positive for the last
/// ones.
pub fn kind_rank(kind: &str) -> i32 {
    rank_in(kind, &ORDER_FIRST, &ORDER_LAST)
}

/// The rank of a kind with these first and last kinds (`sortOptions.legacySortOptions`). For a kind
/// that is listed twice the later position counts.
pub fn rank_in<S: AsRef<str>>(kind: &str, first: &[S], last: &[S]) -> i32 {
    let place = |list: &[S]| list.iter().rposition(|listed| listed.as_ref() == kind);
    let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX - 1);
    if let Some(index) = place(last) {
        1 + count(index)
    } else if let Some(index) = place(first) {
        count(index) - count(first.len())
    } else {
        0
    }
}

/// Kustomize's order of types for field specs: rank of the kind, then [`Gvk::sort_text`] bytewise
/// (section 4.1).
pub fn gvk_order(a: &Gvk, b: &Gvk) -> Ordering {
    kind_rank(&a.kind)
        .cmp(&kind_rank(&b.kind))
        .then_with(|| if a == b { Ordering::Equal } else { a.sort_text().cmp(&b.sort_text()) })
}
