//! Probable mistakes that Kustomize builds without a warning. Each rule reads the recording and
//! returns diagnostics by step.

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

use std::sync::Arc;

use crate::engine::diagnostic::Diagnostic;
use crate::engine::evaluate::{Evaluation, LayerSchema, Step, StepKind, StepOutcome, Trace};
use crate::engine::load::Files;
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::Node;

type StepDiagnostic = (usize, Diagnostic);

/// Adds the probable mistakes of a build to its steps.
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
    let last = LastStates::from_trace(trace);
    let mut told: Vec<StepDiagnostic> = Vec::new();
    told.extend(metadata::selector_diagnostics(trace));
    told.extend(metadata::replaced_subject_namespaces(trace));
    told.extend(layers::generator_options_diagnostics(trace, files));
    told.extend(layers::duplicate_field_diagnostics(trace, files));
    told.extend(layers::unknown_plugin_field_diagnostics(trace, files));
    told.extend(field_specs::missing_field_diagnostics(trace, files));
    // The other rules need the final resources, which are not known after a failed or pending step.
    let is_open =
        |step: &Step| matches!(step.outcome, StepOutcome::Failed(_) | StepOutcome::Waiting(_));
    if !trace.steps.iter().any(is_open) {
        told.extend(references::stale_name_diagnostics(trace, &last));
        told.extend(references::redirected_references(trace, &last));
        told.extend(containers::missing_image_diagnostics(trace, &last));
        told.extend(fields::type_diagnostics(trace, &last, schemas, cache));
        told.extend(metadata::namespace_diagnostics(trace, &last));
        told.extend(metadata::added_selectors(trace, &last));
        told.extend(placeholders::placeholder_diagnostics(trace, &last, cache));
        told.extend(addresses::stale_address_diagnostics(trace, &last, cache, files));
        told.extend(charts::chart_namespace_diagnostics(trace, &last, files));
        told.extend(invalid_values::invalid_value_diagnostics(trace, &last));
        told.extend(missing_references::missing_reference_diagnostics(trace, &last));
        told.extend(metadata::template_label_diagnostics(trace, &last, files));
    }
    cache.end_build();
    Faults(told)
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

/// Every resource after the last step that changed it, indexed by slot: slots are consecutive.
struct LastStates<'t>(Vec<Option<&'t Arc<Resource>>>);

impl<'t> LastStates<'t> {
    fn from_trace(trace: &'t Trace) -> Self {
        let mut last = Vec::new();
        let steps = trace.steps.iter().filter(|step| step.kind != StepKind::Merge);
        for change in steps.flat_map(|step| &step.changes) {
            *at(&mut last, change.slot) = change.after.as_ref();
        }
        Self(last)
    }

    fn get(&self, slot: Slot) -> Option<&'t Arc<Resource>> {
        *self.0.get(slot.0 as usize)?
    }

    fn iter(&self) -> impl Iterator<Item = (Slot, &'t Arc<Resource>)> {
        (0..).map(Slot).zip(&self.0).filter_map(|(slot, resource)| Some((slot, (*resource)?)))
    }
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

/// The element of a slot; the list grows if needed.
fn at<T>(by_slot: &mut Vec<Option<T>>, slot: Slot) -> &mut Option<T> {
    let place = slot.0 as usize;
    if by_slot.len() <= place {
        by_slot.resize_with(place + 1, || None);
    }
    &mut by_slot[place]
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
