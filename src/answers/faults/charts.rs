//! Namespaces of charts that do not reach the charts' objects.

use std::path::Path;

use crate::engine::diagnostic::{Code, Diagnostic};
use crate::engine::evaluate::{Step, StepKind, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::resource::Resource;
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

use super::{Last, Told};

/// Kinds that charts make and that are in a namespace.
const IN_NAMESPACE: [&str; 16] = [
    "ConfigMap",
    "CronJob",
    "DaemonSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "Ingress",
    "Job",
    "NetworkPolicy",
    "PersistentVolumeClaim",
    "Pod",
    "PodDisruptionBudget",
    "Role",
    "RoleBinding",
    "Secret",
    "Service",
    "StatefulSet",
];

/// Entries of `helmCharts` that say a namespace, and whose objects have none at the end.
pub(super) fn without_namespace(trace: &Trace, last: &Last, files: &dyn Files) -> Vec<Told> {
    let mut told = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        if step.kind != StepKind::Generate || step.field != "helmCharts" {
            continue;
        }
        let Some(namespace) = said(trace, step, files) else { continue };
        let made = step.changes.iter().filter(|change| change.before.is_none());
        let bare: Vec<&Resource> = made
            .filter_map(|change| Some(&**last.get(change.slot)?))
            .filter(|it| it.id.namespace.is_empty() && IN_NAMESPACE.contains(&&*it.id.gvk.kind))
            .collect();
        let Some(first) = bare.first() else { continue };
        let more = match bare.len() {
            1 => "has".to_owned(),
            count => format!("and {} more have", count - 1),
        };
        let message = format!(
            "the chart says namespace {namespace}, and {} {} {more} none at the end",
            first.id.gvk.kind, first.id.name
        );
        let diagnostic = Diagnostic::new(Code::KZ219, message, step.mark)
            .hint(format!("say `namespace: {namespace}` in the kustomization as well"));
        told.push((index, diagnostic));
    }
    told
}

/// The namespace that the entry of a step says.
fn said(trace: &Trace, step: &Step, files: &dyn Files) -> Option<String> {
    let file = Path::new(&*trace.layer(step.layer)?.file).to_owned();
    let bytes = files.read(&file).ok()?;
    let outline = Outline::parse(&bytes);
    let entries = &outline.field("helmCharts").filter(|field| !field.disabled)?.entries;
    let entry = entries.iter().filter(|entry| !entry.disabled).nth(step.entry?)?;
    let read = parse_documents(entry.text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    let node = &read.documents.first()?.node;
    node.get("namespace").and_then(Node::text).filter(|text| !text.is_empty()).map(str::to_owned)
}
