//! Objects that are no longer in the output: deleted by pruning, or left in the cluster.

use std::path::Path;

use super::danger;
use crate::engine::diagnostic::{DangerRemark, Diagnostic, Loss, PlacedObject};
use crate::engine::evaluate::Trace;
use crate::engine::load::Files;
use crate::engine::manifest::{DeploymentObjectKind, deployment_objects_in};
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

/// The effect of a target's deployment on objects that leave its output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Pruning {
    /// The target has no deployment object, or its deployment object prunes only by hand.
    #[default]
    NotKnown,
    Deletes,
    /// Removed objects stay in the cluster: the deployment object with this title does not prune.
    Keeps(String),
}

impl Pruning {
    /// The pruning setting of the deployment object of a build. An Argo CD Application without
    /// automated pruning is pruned by hand.
    pub(in crate::answers::compare) fn from_trace(trace: &Trace, files: &dyn Files) -> Self {
        let Some((file, mark)) = trace.deployed_by() else { return Self::NotKnown };
        let Ok(text) = files.read(Path::new(file)) else { return Self::NotKnown };
        let all = deployment_objects_in(&text, mark.source);
        let Some(object) = all.iter().find(|it| it.mark.line == mark.line) else {
            return Self::NotKnown;
        };
        let path: &[&str] = match object.kind {
            DeploymentObjectKind::FluxKustomization => &["spec", "prune"],
            DeploymentObjectKind::Application => &["spec", "syncPolicy", "automated", "prune"],
            DeploymentObjectKind::ApplicationSet => {
                &["spec", "template", "spec", "syncPolicy", "automated", "prune"]
            }
        };
        match (object.text(path), object.kind) {
            ("true", _) => Self::Deletes,
            (_, DeploymentObjectKind::FluxKustomization) => Self::Keeps(object.title()),
            _ => Self::NotKnown,
        }
    }
}

pub(super) fn removal_dangers(resource: &Resource, pruning: &Pruning) -> Vec<Diagnostic> {
    let object = PlacedObject::from(&resource.id);
    if let Some(cause) = not_pruned_cause(resource, pruning) {
        return vec![danger("", DangerRemark::Orphaned { object, cause })];
    }
    let Some(loss) = data_loss(resource).or_else(|| outage(resource)) else {
        return Vec::new();
    };
    let is_pruned = *pruning == Pruning::Deletes;
    vec![danger("", DangerRemark::Removed { object, loss, is_pruned })]
}

/// The danger of a change of `field`, which replaces an object by a new one.
pub(super) fn replacement_danger(resource: &Resource, field: &str) -> Option<Diagnostic> {
    let loss = data_loss(resource)?;
    let object = PlacedObject::from(&resource.id);
    Some(danger(field, DangerRemark::Removed { object, loss, is_pruned: false }))
}

/// Annotations that prevent pruning: the key, and the text that its value contains.
const PRUNE_OPT_OUTS: [(&str, &str); 5] = [
    ("kustomize.toolkit.fluxcd.io/prune", "disabled"),
    ("helm.toolkit.fluxcd.io/prune", "disabled"),
    ("argocd.argoproj.io/sync-options", "Prune=false"),
    ("argocd.argoproj.io/sync-options", "Delete=false"),
    ("helm.sh/resource-policy", "keep"),
];

/// The reason why a removed object stays in the cluster; `None` if it may be deleted.
fn not_pruned_cause(resource: &Resource, pruning: &Pruning) -> Option<String> {
    let annotations = resource.node.at(&["metadata", "annotations"]);
    let by_annotation = PRUNE_OPT_OUTS.iter().find_map(|(key, word)| {
        let value = annotations?.get(key)?.text()?;
        let is_set = value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word));
        is_set.then(|| format!("{key}: {value}"))
    });
    by_annotation.or_else(|| match pruning {
        Pruning::Keeps(title) => Some(format!("{title} does not prune")),
        Pruning::NotKnown | Pruning::Deletes => {
            let retains = retains_deployed_objects(resource);
            retains.then(|| "everything that it deployed stays".to_owned())
        }
    })
}

/// True for a deployment object whose removal leaves the objects that it deployed in the cluster.
fn retains_deployed_objects(resource: &Resource) -> bool {
    match (&*resource.id.gvk.group, &*resource.id.gvk.kind) {
        ("kustomize.toolkit.fluxcd.io", "Kustomization") => !is_true(resource, &["spec", "prune"]),
        ("argoproj.io", "Application") => {
            let list = resource.node.at(&["metadata", "finalizers"]).and_then(Node::items);
            let mut texts = list.unwrap_or_default().iter().filter_map(Node::text);
            !texts.any(|text| text.starts_with("resources-finalizer.argocd.argoproj.io"))
        }
        _ => false,
    }
}

pub(super) fn is_true(resource: &Resource, path: &[&str]) -> bool {
    resource.node.text_at(path) == Some("true")
}

/// The data or the further objects that are lost if the object is removed; `None` if none are.
fn data_loss(resource: &Resource) -> Option<Loss> {
    Some(match (&*resource.id.gvk.group, &*resource.id.gvk.kind) {
        ("", "Namespace") => Loss::Namespace,
        ("apiextensions.k8s.io", "CustomResourceDefinition") => Loss::Kind,
        ("", "PersistentVolumeClaim") => Loss::Claim,
        ("", "PersistentVolume") => Loss::Volume,
        ("apps", "StatefulSet") => Loss::StatefulPods,
        ("kustomize.toolkit.fluxcd.io", "Kustomization")
        | ("helm.toolkit.fluxcd.io", "HelmRelease")
        | ("argoproj.io", "Application" | "ApplicationSet") => Loss::Deployed,
        _ => return None,
    })
}

/// The pods or the access that are lost if the object is removed; `None` if none are.
fn outage(resource: &Resource) -> Option<Loss> {
    Some(match (&*resource.id.gvk.group, &*resource.id.gvk.kind) {
        ("apps", "Deployment" | "DaemonSet" | "ReplicaSet")
        | ("", "Pod" | "ReplicationController")
        | ("batch", "Job" | "CronJob")
        | ("argoproj.io", "Rollout")
        | ("serving.knative.dev", "Service") => Loss::Workload,
        ("", "Service")
        | ("networking.k8s.io" | "extensions", "Ingress")
        | ("route.openshift.io", "Route")
        | (
            "gateway.networking.k8s.io",
            "Gateway" | "HTTPRoute" | "GRPCRoute" | "TLSRoute" | "TCPRoute" | "UDPRoute",
        ) => Loss::Address,
        ("networking.k8s.io", "NetworkPolicy")
        | ("cilium.io", "CiliumNetworkPolicy" | "CiliumClusterwideNetworkPolicy") => {
            Loss::NetworkPolicy
        }
        _ => return None,
    })
}
