//! Probable mistakes that Kustomize builds without a warning. Each rule reads the recording and
//! adds diagnostics by step.

mod addresses;
mod charts;
pub(in crate::answers) mod containers;
mod field_specs;
mod fields;
mod invalid_values;
mod layers;
mod metadata;
mod missing_references;
mod placeholders;
mod references;
mod scan_cache;
mod type_faults;

pub(in crate::answers) use references::{custom_references, unwritten_reference_diagnostics};
pub use scan_cache::ResourceScanCache;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::diagnostic::{Diagnostic, Remark};
use crate::engine::evaluate::{Evaluation, LayerSchema, Step, StepKind, StepOutcome, Trace};
use crate::engine::load::Files;
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::{Mark, Node};

type StepDiagnostic = (usize, Diagnostic);

/// Every resource after the last step that changed it.
type LastStates<'t> = BTreeMap<Slot, &'t Arc<Resource>>;

/// What a rule reads, and the findings to which it adds its own, each with the index of a step.
struct Scan<'t, 'c> {
    trace: &'t Trace,
    last: &'t LastStates<'t>,
    schemas: &'t [LayerSchema],
    files: &'t dyn Files,
    cache: &'c mut ResourceScanCache,
    found: Vec<StepDiagnostic>,
}

type Rule = fn(&mut Scan<'_, '_>);

const RULES: [Rule; 5] = [
    metadata::selectors_changed,
    metadata::subject_namespaces_replaced,
    layers::fields_without_effect,
    layers::unknown_plugin_fields,
    field_specs::missing_fields,
];

/// The rules that need the final resources.
const RULES_OF_OUTPUT: [Rule; 12] = [
    references::stale_names,
    references::redirected_references,
    containers::missing_images,
    fields::refused_fields,
    metadata::cluster_scoped_namespaces,
    metadata::added_selectors,
    placeholders::left_placeholders,
    addresses::stale_addresses,
    charts::missing_chart_namespaces,
    invalid_values::invalid_values,
    missing_references::missing_references,
    metadata::labels_missing_in_templates,
];

pub fn add_faults(built: &mut Evaluation, files: &dyn Files) {
    let recording = (&built.trace, &*built.schemas);
    faults_with_cache(recording, files, &mut ResourceScanCache::default()).add_to(&mut built.trace);
}

pub struct Faults(Vec<StepDiagnostic>);

/// Finds the probable mistakes of a recording and its layers' schemas, with the cached scans of
/// earlier builds of the target.
pub fn faults_with_cache(
    (trace, schemas): (&Trace, &[LayerSchema]),
    files: &dyn Files,
    cache: &mut ResourceScanCache,
) -> Faults {
    let last = &last_states(trace);
    let mut scan = Scan { trace, last, schemas, files, cache, found: Vec::new() };
    for rule in RULES {
        rule(&mut scan);
    }
    // The final resources are not known after a failed or pending step.
    let is_open =
        |step: &Step| matches!(step.outcome, StepOutcome::Failed(_) | StepOutcome::Waiting(_));
    if !trace.steps.iter().any(is_open) {
        for rule in RULES_OF_OUTPUT {
            rule(&mut scan);
        }
    }
    scan.cache.end_build();
    Faults(scan.found)
}

impl Faults {
    /// Adds the mistakes to the steps of the recording, without mistakes that a step already has.
    pub fn add_to(self, trace: &mut Trace) {
        for (step, diagnostic) in self.0 {
            if let Some(step) = trace.steps.get_mut(step)
                && !step.warnings.iter().any(|known| known.remark == diagnostic.remark)
            {
                step.warnings.push(diagnostic);
            }
        }
    }
}

fn last_states(trace: &Trace) -> LastStates<'_> {
    // Slots are consecutive: with many changes, a list is faster than the map.
    let mut last: Vec<Option<&Arc<Resource>>> = Vec::new();
    let steps = trace.steps.iter().filter(|step| step.kind != StepKind::Merge);
    for change in steps.flat_map(|step| &step.changes) {
        let place = change.slot.0 as usize;
        last.resize(last.len().max(place + 1), None);
        last[place] = change.after.as_ref();
    }
    (0..).map(Slot).zip(last).filter_map(|(slot, resource)| Some((slot, resource?))).collect()
}

fn of_field(
    remark: impl Into<Remark>,
    mark: Mark,
    (slot, resource): (Slot, &Resource),
    field: impl Into<String>,
) -> Diagnostic {
    Diagnostic::new(remark, mark).about(slot, &resource.id).field(field)
}

/// A change of a resource by a transformer: the index of the step, the step, the slot, and the resource
/// before and after it.
type ResourceChange<'t> = (usize, &'t Step, Slot, [&'t Arc<Resource>; 2]);

fn changes_by_fields<'t>(
    trace: &'t Trace,
    fields: &'t [&'t str],
) -> impl Iterator<Item = ResourceChange<'t>> {
    let steps = trace.steps.iter().enumerate();
    let steps = steps
        .filter(move |(_, step)| step.kind == StepKind::Transform && fields.contains(&step.field));
    steps.flat_map(|(index, step)| {
        step.changes.iter().filter_map(move |change| {
            let sides = [change.before.as_ref()?, change.after.as_ref()?];
            Some((index, step, change.slot, sides))
        })
    })
}

fn last_step(trace: &Trace, kind: StepKind) -> Option<usize> {
    trace.steps.iter().rposition(|step| step.kind == kind)
}

#[derive(Clone, Copy)]
enum PathPart<'n> {
    Key(&'n str),
    /// An element by its name; empty for an element without a name.
    Element(&'n str),
}

/// A callback with the path of an entry's parent, the key, the parent mapping and the value.
type Visit<'v, 'n> = dyn FnMut(&[PathPart<'n>], &'n str, &'n Node, &'n Node) + 'v;

fn visit_entries<'n>(node: &'n Node, path: &mut Vec<PathPart<'n>>, visit: &mut Visit<'_, 'n>) {
    for item in node.items().unwrap_or_default() {
        let name = item.text_of("name").unwrap_or_default();
        path.push(PathPart::Element(name));
        visit_entries(item, path, visit);
        path.pop();
    }
    for entry in node.entries() {
        let Some(key) = entry.key.text() else { continue };
        visit(path, key, node, &entry.value);
        path.push(PathPart::Key(key));
        visit_entries(&entry.value, path, visit);
        path.pop();
    }
}

/// The path of a field: `spec.template.containers[web].image`.
fn dotted_path(path: &[PathPart<'_>], key: &str) -> String {
    let mut out = String::new();
    for part in path {
        match part {
            PathPart::Key(key) => {
                out.push_str(key);
                out.push('.');
            }
            PathPart::Element(name) => {
                out.pop();
                out.extend(["[", name, "]."]);
            }
        }
    }
    out + key
}

fn is_builtin_group(group: &str) -> bool {
    group.is_empty()
        || matches!(group, "apps" | "batch" | "autoscaling" | "policy" | "extensions")
        || group.ends_with(".k8s.io")
            && !group.contains(".x-k8s.io")
            && ![
                "gateway.networking.k8s.io",
                "metrics.k8s.io",
                "autoscaling.k8s.io",
                "snapshot.storage.k8s.io",
            ]
            .contains(&group)
}
