//! Labels that change selectors, and namespaces of cluster-scoped resources.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::engine::diagnostic::{Diagnostic, EntryRemark, Hint, Object, SilentRemark};
use crate::engine::evaluate::{LayerId, Step, StepKind, Trace};
use crate::engine::load::Files;
use crate::engine::resource::{Change, QuickMap, Resource, Slot};
use crate::engine::yaml::Node;

use super::charts::entry_node;
use super::{Scan, changes_by_fields, is_builtin_group, of_field};

const LABEL_FIELDS: &[&str] = &["labels", "commonLabels"];

const IMMUTABLE_SELECTOR_KINDS: [&str; 5] =
    ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"];

/// Finds labels that change the selector of a workload from another layer. A workload that is loaded
/// in the layer with the labels is no finding: it had the labels from the beginning.
pub(super) fn selectors_changed(scan: &mut Scan<'_, '_>) {
    let trace = scan.trace;
    let labels =
        |step: &Step| step.kind == StepKind::Transform && LABEL_FIELDS.contains(&step.field);
    if !trace.steps.iter().any(labels) {
        return;
    }
    let mut homes: QuickMap<Slot, LayerId> = QuickMap::default();
    for step in trace.steps.iter().filter(|step| step.kind != StepKind::Merge) {
        for change in &step.changes {
            homes.entry(change.slot).or_insert(step.layer);
        }
    }
    for (index, step) in trace.steps.iter().enumerate().filter(|(_, step)| labels(step)) {
        let is_changed = |change: &Change| {
            let (before, after) = (change.before.as_ref()?, change.after.as_ref()?);
            let is_own = homes.get(&change.slot) == Some(&step.layer);
            if is_own || !IMMUTABLE_SELECTOR_KINDS.contains(&&*after.id.gvk.kind) {
                return None;
            }
            let path: &[&str] = &["spec", "selector", "matchLabels"];
            let (old, new) = (before.node.at(path)?, after.node.at(path)?);
            (!old.same_content(new)).then(|| Object::from(&after.id))
        };
        let mut changed = step.changes.iter().filter_map(is_changed);
        let Some(first) = changed.next() else { continue };
        let (field, more) = (step.field, changed.count());
        let remark = SilentRemark::SelectorChanged { field, first, more };
        scan.found.push((index, Diagnostic::new(remark, step.mark)));
    }
}

/// Finds Services to which `labels` or `commonLabels` adds a selector, although their endpoints are in
/// the build. Kubernetes ignores the selector of an `ExternalName`.
pub(super) fn added_selectors(scan: &mut Scan<'_, '_>) {
    for (index, step, slot, [before, after]) in changes_by_fields(scan.trace, LABEL_FIELDS) {
        let has_selector = |it: &Resource| it.node.at(&["spec", "selector"]).is_some();
        let id = &after.id;
        let is_service = &*id.gvk.kind == "Service" && id.gvk.group.is_empty();
        if !is_service || has_selector(before) || !has_selector(after) {
            continue;
        }
        let names_it = |it: &&&Arc<Resource>| {
            let label = ["metadata", "labels", "kubernetes.io/service-name"];
            it.id.effective_namespace() == id.effective_namespace()
                && match &*it.id.gvk.kind {
                    "Endpoints" => it.id.name == id.name,
                    "EndpointSlice" => it.node.text_at(&label) == Some(&*id.name),
                    _ => false,
                }
        };
        if scan.last.values().find(names_it).is_some() {
            let remark =
                SilentRemark::AddedSelector { field: step.field, name: id.name.to_string() };
            let diagnostic = of_field(remark, step.mark, (slot, after), "spec.selector");
            scan.found.push((index, diagnostic));
        }
    }
}

/// Finds custom resources with a pod template that the labels of a step do not reach: `commonLabels`,
/// and `labels` with `includeSelectors` or `includeTemplates`.
pub(super) fn labels_missing_in_templates(scan: &mut Scan<'_, '_>) {
    const TEMPLATE_LABELS: [&str; 4] = ["spec", "template", "metadata", "labels"];
    for (index, step, slot, [before, after]) in changes_by_fields(scan.trace, LABEL_FIELDS) {
        let has_pods = after.node.at(&["spec", "template", "spec", "containers"]).is_some();
        if is_builtin_group(&after.id.gvk.group) || !has_pods {
            continue;
        }
        let same = |path: &[&str]| before.node.at(path) == after.node.at(path);
        let own: &[&str] = &["metadata", "labels"];
        let now = scan.last.get(&slot).filter(|_| !same(own) && same(&TEMPLATE_LABELS));
        let reaches = || step.field != "labels" || includes_templates(scan.trace, step, scan.files);
        let Some(now) = now.filter(|_| reaches()) else { continue };
        let lacks = |node: &Node, path: &[&str], key: &str| {
            node.at(path).is_none_or(|labels| labels.get(key).is_none())
        };
        let labels = after.node.at(own).map(Node::entries).unwrap_or_default().iter();
        let mut labels = labels.filter_map(|entry| entry.key.text());
        let added = labels.find(|key| lacks(&before.node, own, key));
        if !added.is_some_and(|key| lacks(&now.node, &TEMPLATE_LABELS, key)) {
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
        scan.found.push((index, diagnostic.about(slot, &after.id)));
    }
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

/// Finds cluster-scoped custom resources that get a namespace.
pub(super) fn cluster_scoped_namespaces(scan: &mut Scan<'_, '_>) {
    let defined: BTreeSet<(&str, &str)> =
        scan.last.values().filter_map(|resource| cluster_scoped_kind(&resource.node)).collect();
    for (index, step, slot, [before, after]) in changes_by_fields(scan.trace, &["namespace"]) {
        let kind = (&*after.id.gvk.group, &*after.id.gvk.kind);
        let is_cluster = CLUSTER_SCOPED_KINDS.contains(&kind) || defined.contains(&kind);
        let [was, now] = [before, after].map(|it| it.node.text_at(&["metadata", "namespace"]));
        if !is_builtin_group(kind.0) && is_cluster && now.is_some() && now != was {
            let remark = SilentRemark::ClusterScoped(Object::from(&after.id));
            let diagnostic = Diagnostic::new(remark, step.mark).about(slot, &after.id);
            scan.found.push((index, diagnostic));
        }
    }
}

/// Finds subjects named `default` whose written namespace is replaced.
pub(super) fn subject_namespaces_replaced(scan: &mut Scan<'_, '_>) {
    for (index, _, slot, [before, after]) in changes_by_fields(scan.trace, &["namespace"]) {
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
            let diagnostic = of_field(remark, old.mark, (slot, after), "subjects.namespace");
            scan.found.push((index, diagnostic));
        }
    }
}

fn cluster_scoped_kind(node: &Node) -> Option<(&str, &str)> {
    let is_definition = node.text_of("kind") == Some("CustomResourceDefinition");
    let spec =
        node.get("spec").filter(|it| is_definition && it.text_of("scope") == Some("Cluster"));
    Some((spec?.text_of("group")?, spec?.text_at(&["names", "kind"])?))
}
