//! Namespaces that objects of charts do not get.

use std::collections::BTreeMap;

use crate::answers::step_entry;
use crate::engine::diagnostic::{Diagnostic, Object, SilentRemark};
use crate::engine::evaluate::{Step, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::Node;

use super::{LastStates, StepDiagnostic};

const NAMESPACED_KINDS: [&str; 16] = [
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

/// Findings for namespaces that a kustomization or an entry of `helmCharts` sets, and that objects
/// of charts do not get.
pub(super) fn chart_namespace_diagnostics(
    trace: &Trace,
    last: &LastStates<'_>,
    files: &dyn Files,
) -> Vec<StepDiagnostic> {
    let mut bare: BTreeMap<Slot, &Resource> = last
        .iter()
        .map(|(slot, resource)| (slot, &**resource))
        .filter(|(_, it)| it.helm_generated && it.id.namespace.is_empty())
        .filter(|(_, it)| NAMESPACED_KINDS.contains(&&*it.id.gvk.kind))
        .collect();
    let mut told = Vec::new();
    let steps = || trace.steps.iter().enumerate();
    for (index, step) in steps().filter(|(_, step)| step.field == "namespace") {
        if bare.is_empty() {
            break;
        }
        let there = trace.state_before(index);
        let missed: Vec<Slot> =
            bare.keys().filter(|slot| there.contains_key(*slot)).copied().collect();
        let missed: Vec<&Resource> = missed.iter().filter_map(|slot| bare.remove(slot)).collect();
        let said = format!("namespace {} is not set on the objects of charts", step.argument);
        told.extend(chart_namespace_diagnostic(&missed, said, step).map(|it| (index, it)));
    }
    for (index, step) in steps().filter(|(_, step)| step.field == "helmCharts") {
        let made = step.changes.iter().filter(|change| change.before.is_none());
        let made: Vec<&Resource> = made.filter_map(|change| bare.remove(&change.slot)).collect();
        if made.is_empty() {
            continue;
        }
        let Some(namespace) = entry_namespace(trace, step, files) else { continue };
        let said = format!("the chart has namespace {namespace}");
        told.extend(chart_namespace_diagnostic(&made, said, step).map(|it| (index, it)));
    }
    told
}

fn chart_namespace_diagnostic(bare: &[&Resource], said: String, step: &Step) -> Option<Diagnostic> {
    let (first, others) = bare.split_first()?;
    let (first, more) = (Object::from(&first.id), others.len());
    let remark = SilentRemark::ChartWithoutNamespace { origin: said, first, more };
    let hint = "the templates of the chart set no namespace: set it on these objects with a patch";
    Some(Diagnostic::new(remark, step.mark).hint(hint))
}

fn entry_namespace(trace: &Trace, step: &Step, files: &dyn Files) -> Option<String> {
    let node = entry_node(trace, step, files)?;
    node.text_of("namespace").filter(|text| !text.is_empty()).map(str::to_owned)
}

pub(super) fn entry_node(trace: &Trace, step: &Step, files: &dyn Files) -> Option<Node> {
    let entry = step_entry(trace, step, files)?;
    Outline::entry_node(&files.read(&entry.file).ok()?, &entry.field, entry.index)
}
