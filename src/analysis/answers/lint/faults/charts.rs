//! Namespaces that objects of charts do not get.

use std::collections::BTreeMap;

use crate::answers::step_entry;
use crate::engine::diagnostic::{Diagnostic, Object, SilentRemark};
use crate::engine::evaluate::{Step, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::Node;

use super::Scan;

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

/// Finds namespaces that a kustomization or an entry of `helmCharts` sets, and that objects of charts
/// do not get.
pub(super) fn missing_chart_namespaces(scan: &mut Scan<'_, '_>) {
    let (trace, files) = (scan.trace, scan.files);
    let mut bare: BTreeMap<Slot, &Resource> = scan
        .last
        .iter()
        .map(|(slot, resource)| (*slot, &***resource))
        .filter(|(_, it)| it.helm_generated && it.id.namespace.is_empty())
        .filter(|(_, it)| NAMESPACED_KINDS.contains(&&*it.id.gvk.kind))
        .collect();
    let mut add = |bare: &[&Resource], origin: String, (index, step): (usize, &Step)| {
        let Some((first, others)) = bare.split_first() else { return };
        let (first, more) = (Object::from(&first.id), others.len());
        let remark = SilentRemark::ChartWithoutNamespace { origin, first, more };
        let hint =
            "the templates of the chart set no namespace: set it on these objects with a patch";
        scan.found.push((index, Diagnostic::new(remark, step.mark).hint(hint)));
    };
    let steps = || trace.steps.iter().enumerate();
    for (index, step) in steps().filter(|(_, step)| step.field == "namespace") {
        if bare.is_empty() {
            return;
        }
        let there = trace.state_before(index);
        let missed: Vec<Slot> =
            bare.keys().filter(|slot| there.contains_key(*slot)).copied().collect();
        let missed: Vec<&Resource> = missed.iter().filter_map(|slot| bare.remove(slot)).collect();
        let said = format!("namespace {} is not set on the objects of charts", step.argument);
        add(&missed, said, (index, step));
    }
    for (index, step) in steps().filter(|(_, step)| step.field == "helmCharts") {
        let made = step.changes.iter().filter(|change| change.before.is_none());
        let made: Vec<&Resource> = made.filter_map(|change| bare.remove(&change.slot)).collect();
        let entry = if made.is_empty() { None } else { entry_node(trace, step, files) };
        let namespace = entry.as_ref().and_then(|node| node.text_of("namespace"));
        if let Some(namespace) = namespace.filter(|text| !text.is_empty()) {
            add(&made, format!("the chart has namespace {namespace}"), (index, step));
        }
    }
}

pub(super) fn entry_node(trace: &Trace, step: &Step, files: &dyn Files) -> Option<Node> {
    let entry = step_entry(trace, step, files)?;
    Outline::entry_node(&files.read(&entry.file).ok()?, &entry.field, entry.index)
}
