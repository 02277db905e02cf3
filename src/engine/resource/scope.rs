//! The scopes of types: cluster-scoped or namespaced.

use std::sync::Arc;

use crate::profile::{Profile, Switch};

use super::{Gvk, Schema, Scope};

/// The scopes of types: from Kustomize's static table, else from the paths in a schema (section
/// 4.2).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scopes {
    schema: Option<Arc<Schema>>,
    profile: Profile,
}

/// The cluster-scoped types of Kubernetes 1.21: group, versions and kinds.
const CLUSTER_SCOPED: &[(&str, &[&str], &[&str])] = &[
    (
        "admissionregistration.k8s.io",
        &["v1", "v1beta1"],
        &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    ),
    ("apiextensions.k8s.io", &["v1", "v1beta1"], &["CustomResourceDefinition"]),
    ("apiregistration.k8s.io", &["v1", "v1beta1"], &["APIService"]),
    ("certificates.k8s.io", &["v1", "v1beta1"], &["CertificateSigningRequest"]),
    ("flowcontrol.apiserver.k8s.io", &["v1beta1"], &["FlowSchema", "PriorityLevelConfiguration"]),
    ("networking.k8s.io", &["v1", "v1beta1"], &["IngressClass"]),
    ("node.k8s.io", &["v1", "v1beta1"], &["RuntimeClass"]),
    ("policy", &["v1beta1"], &["PodSecurityPolicy"]),
    ("rbac.authorization.k8s.io", &["v1", "v1beta1"], &["ClusterRole", "ClusterRoleBinding"]),
    ("scheduling.k8s.io", &["v1", "v1beta1"], &["PriorityClass"]),
    (
        "storage.k8s.io",
        &["v1", "v1beta1"],
        &["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"],
    ),
    (
        "",
        &["v1"],
        &["ComponentStatus", "Namespace", "Node", "NodeProxyOptions", "PersistentVolume"],
    ),
];

/// True for the admission policy types, which are cluster-scoped on Kustomize's master branch.
fn is_policy(gvk: &Gvk) -> bool {
    let kinds = ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];
    &*gvk.group == "admissionregistration.k8s.io"
        && &*gvk.version == "v1"
        && kinds.contains(&&*gvk.kind)
}

impl Scopes {
    /// The scopes for a version profile, without a custom schema.
    pub fn for_profile(profile: Profile) -> Self {
        Self { schema: None, profile }
    }

    /// The scopes with a custom schema, which is used for types outside the static table.
    #[must_use]
    pub fn with_schema(&self, schema: Arc<Schema>) -> Self {
        Self { schema: Some(schema), profile: self.profile }
    }

    /// The version profile of the build.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The scopes without a custom schema.
    #[must_use]
    pub fn without_schema(&self) -> Self {
        Self::for_profile(self.profile)
    }

    /// The scope of a type; an unknown one counts as namespaced.
    pub fn scope(&self, gvk: &Gvk) -> Scope {
        let listed = CLUSTER_SCOPED.iter().any(|(group, versions, kinds)| {
            *group == &*gvk.group
                && versions.contains(&&*gvk.version)
                && kinds.contains(&&*gvk.kind)
        });
        if listed || is_policy(gvk) && !self.profile.has(Switch::NamespacedPolicies) {
            return Scope::Cluster;
        }
        self.schema.as_ref().and_then(|schema| schema.scope(gvk)).unwrap_or_default()
    }
}
