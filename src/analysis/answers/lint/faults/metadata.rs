//! Labels that change selectors, and namespaces of cluster-scoped resources.

use std::collections::BTreeSet;

use crate::engine::diagnostic::{Diagnostic, EntryRemark, Hint, Object, SilentRemark};
use crate::engine::evaluate::{LayerId, Step, StepKind, Trace};
use crate::engine::load::Files;
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

use super::charts::entry_node;
use super::{LastStates, StepDiagnostic, at, changes_by_fields, is_builtin_group};

const LABEL_FIELDS: &[&str] = &["labels", "commonLabels"];

const IMMUTABLE_SELECTOR_KINDS: [&str; 5] =
    ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"];

/// Findings for labels that change the selector of a workload from another layer. A workload that
/// is loaded in the layer with the labels is no finding: it had the labels from the beginning.
pub(super) fn selector_diagnostics(trace: &Trace) -> Vec<StepDiagnostic> {
    let mut told = Vec::new();
    let labels =
        |step: &Step| step.kind == StepKind::Transform && LABEL_FIELDS.contains(&step.field);
    if !trace.steps.iter().any(labels) {
        return told;
    }
    let mut homes: Vec<Option<LayerId>> = Vec::new();
    for step in trace.steps.iter().filter(|step| step.kind != StepKind::Merge) {
        for change in &step.changes {
            at(&mut homes, change.slot).get_or_insert(step.layer);
        }
    }
    for (index, step) in trace.steps.iter().enumerate().filter(|(_, step)| labels(step)) {
        let changed: Vec<Object> = step
            .changes
            .iter()
            .filter_map(|change| {
                let (before, after) = (change.before.as_ref()?, change.after.as_ref()?);
                let kind = &*after.id.gvk.kind;
                let is_own = homes.get(change.slot.0 as usize) == Some(&Some(step.layer));
                if is_own || !IMMUTABLE_SELECTOR_KINDS.contains(&kind) {
                    return None;
                }
                let path: &[&str] = &["spec", "selector", "matchLabels"];
                let (old, new) = (before.node.at(path)?, after.node.at(path)?);
                (!old.same_content(new)).then(|| Object::from(&after.id))
            })
            .collect();
        let [first, others @ ..] = &changed[..] else { continue };
        let (field, first, more) = (step.field, first.clone(), others.len());
        let remark = SilentRemark::SelectorChanged { field, first, more };
        told.push((index, Diagnostic::new(remark, step.mark)));
    }
    told
}

/// Findings for Services to which `labels` or `commonLabels` adds a selector, although their
/// endpoints are in the build. Kubernetes ignores the selector of an `ExternalName`.
pub(super) fn added_selectors(trace: &Trace, last: &LastStates<'_>) -> Vec<StepDiagnostic> {
    let mut found = Vec::new();
    for (index, step, slot, [before, after]) in changes_by_fields(trace, LABEL_FIELDS) {
        let has_selector = |it: &Resource| it.node.at(&["spec", "selector"]).is_some();
        let id = &after.id;
        let is_service = &*id.gvk.kind == "Service" && id.gvk.group.is_empty();
        if !is_service || has_selector(before) || !has_selector(after) {
            continue;
        }
        let names_it = |it: &Resource| {
            let label = ["metadata", "labels", "kubernetes.io/service-name"];
            it.id.effective_namespace() == id.effective_namespace()
                && match &*it.id.gvk.kind {
                    "Endpoints" => it.id.name == id.name,
                    "EndpointSlice" => it.node.text_at(&label) == Some(&*id.name),
                    _ => false,
                }
        };
        if last.iter().any(|(_, it)| names_it(it)) {
            let remark =
                SilentRemark::AddedSelector { field: step.field, name: id.name.to_string() };
            let diagnostic = Diagnostic::new(remark, step.mark).about(slot, id);
            found.push((index, diagnostic.field("spec.selector")));
        }
    }
    found
}

/// Findings for custom resources with a pod template that the labels of a step do not reach:
/// `commonLabels`, and `labels` with `includeSelectors` or `includeTemplates`.
pub(super) fn template_label_diagnostics(
    trace: &Trace,
    last: &LastStates<'_>,
    files: &dyn Files,
) -> Vec<StepDiagnostic> {
    const TEMPLATE_LABELS: [&str; 4] = ["spec", "template", "metadata", "labels"];
    let mut found = Vec::new();
    for (index, step, slot, [before, after]) in changes_by_fields(trace, LABEL_FIELDS) {
        let has_pods = after.node.at(&["spec", "template", "spec", "containers"]).is_some();
        if is_builtin_group(&after.id.gvk.group) || !has_pods {
            continue;
        }
        let same = |path: &[&str]| before.node.at(path) == after.node.at(path);
        let own: &[&str] = &["metadata", "labels"];
        let now = last.get(slot).filter(|_| !same(own) && same(&TEMPLATE_LABELS));
        let reaches = || step.field != "labels" || includes_templates(trace, step, files);
        let Some(now) = now.filter(|_| reaches()) else { continue };
        let missing = after.node.at(own).map(Node::entries).unwrap_or_default().iter();
        let added = missing
            .filter_map(|entry| entry.key.text())
            .find(|key| before.node.at(own).is_none_or(|labels| labels.get(key).is_none()));
        let is_left = added.is_some_and(|key| {
            now.node.at(&TEMPLATE_LABELS).is_none_or(|labels| labels.get(key).is_none())
        });
        if !is_left {
            continue;
        }
        let path = TEMPLATE_LABELS.join(".");
        let (field, object) = (step.field, Object::from(&after.id));
        let remark = SilentRemark::LabelsNotInTemplate { field, object, path };
        let list = if field == "labels" { "templateLabels" } else { "commonLabels" };
        let hint = format!(
            "add to a file listed under `configurations`: {list}: [{{path: {}, create: true, kind: {}}}]",
            TEMPLATE_LABELS.join("/"),
            after.id.gvk.kind
        );
        let diagnostic = Diagnostic::new(remark, step.mark).hint(Hint::Change(hint));
        found.push((index, diagnostic.about(slot, &after.id)));
    }
    found
}

fn includes_templates(trace: &Trace, step: &Step, files: &dyn Files) -> bool {
    let entry = entry_node(trace, step, files);
    ["includeSelectors", "includeTemplates"].iter().any(|key| {
        let value = entry.as_ref().and_then(|entry| entry.get(key));
        value.and_then(Node::text) == Some("true")
    })
}

const CLUSTER_SCOPED_KINDS: [(&str, &str); 22] = [
    ("cert-manager.io", "ClusterIssuer"),
    ("external-secrets.io", "ClusterSecretStore"),
    ("external-secrets.io", "ClusterExternalSecret"),
    ("kyverno.io", "ClusterPolicy"),
    ("kyverno.io", "ClusterCleanupPolicy"),
    ("gateway.networking.k8s.io", "GatewayClass"),
    ("kueue.x-k8s.io", "ClusterQueue"),
    ("kueue.x-k8s.io", "ResourceFlavor"),
    ("kueue.x-k8s.io", "Cohort"),
    ("argoproj.io", "ClusterWorkflowTemplate"),
    ("argoproj.io", "ClusterAnalysisTemplate"),
    ("tekton.dev", "ClusterTask"),
    ("keda.sh", "ClusterTriggerAuthentication"),
    ("snapshot.storage.k8s.io", "VolumeSnapshotClass"),
    ("snapshot.storage.k8s.io", "VolumeSnapshotContent"),
    ("karpenter.sh", "NodePool"),
    ("karpenter.sh", "NodeClaim"),
    ("karpenter.k8s.aws", "EC2NodeClass"),
    ("templates.gatekeeper.sh", "ConstraintTemplate"),
    ("security.openshift.io", "SecurityContextConstraints"),
    ("config.openshift.io", "OAuth"),
    ("trust.cert-manager.io", "Bundle"),
];

/// Findings for cluster-scoped custom resources that get a namespace.
pub(super) fn namespace_diagnostics(trace: &Trace, last: &LastStates<'_>) -> Vec<StepDiagnostic> {
    let defined: BTreeSet<(String, String)> =
        last.iter().filter_map(|(_, resource)| cluster_scoped_kind(&resource.node)).collect();
    let is_cluster = |group: &str, kind: &str| {
        CLUSTER_SCOPED_KINDS.contains(&(group, kind))
            || defined.contains(&(group.to_owned(), kind.to_owned()))
    };
    let mut told = Vec::new();
    for (index, step, slot, [before, after]) in changes_by_fields(trace, &["namespace"]) {
        let (group, kind) = (&after.id.gvk.group, &after.id.gvk.kind);
        let space = |resource: &'_ Resource| {
            resource.node.text_at(&["metadata", "namespace"]).map(str::to_owned)
        };
        let gets_namespace = || space(after).is_some_and(|got| Some(got) != space(before));
        if !is_builtin_group(group) && is_cluster(group, kind) && gets_namespace() {
            let remark = SilentRemark::ClusterScoped(Object::from(&after.id));
            told.push((index, Diagnostic::new(remark, step.mark).about(slot, &after.id)));
        }
    }
    told
}

/// Findings for subjects named `default` whose written namespace is replaced.
pub(super) fn replaced_subject_namespaces(trace: &Trace) -> Vec<StepDiagnostic> {
    let mut found = Vec::new();
    for (index, _, slot, [before, after]) in changes_by_fields(trace, &["namespace"]) {
        let [was, now] = [before, after].map(|it| it.node.items_of("subjects"));
        for (was, now) in was.iter().zip(now) {
            let is_default = was.text_of("name") == Some("default");
            let Some(old) = was.get("namespace").filter(|_| is_default) else { continue };
            let texts = old.text().zip(now.text_of("namespace"));
            let Some((was, now)) = texts.filter(|(was, now)| was != now && !was.is_empty()) else {
                continue;
            };
            let object = Object::from(&after.id);
            let (was, now) = (was.to_owned(), now.to_owned());
            let remark = EntryRemark::SubjectNamespace { object, was, now };
            let diagnostic = Diagnostic::new(remark, old.mark).about(slot, &after.id);
            found.push((index, diagnostic.field("subjects.namespace")));
        }
    }
    found
}

/// The group and kind that a cluster-scoped `CustomResourceDefinition` defines; `None` for other
/// resources.
fn cluster_scoped_kind(node: &Node) -> Option<(String, String)> {
    let is_definition = node.get("kind")?.text()? == "CustomResourceDefinition";
    let spec = node.get("spec").filter(|_| is_definition)?;
    let text = |path: &[&str]| spec.text_at(path).map(str::to_owned);
    (text(&["scope"])? == "Cluster").then_some(())?;
    Some((text(&["group"])?, text(&["names", "kind"])?))
}
