//! Fields and values that a step writes and that the type of the resource does not have.

use std::collections::BTreeMap;

use crate::engine::diagnostic::{Diagnostic, Hint, Object, SilentRemark, TypeSource};
use crate::engine::evaluate::{Step, StepKind};
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::{Node, WriterId};

use super::type_faults::{Fault, TypeFault, TypeSchemas};
use super::{Scan, of_field};

/// Finds fields and values that a patch or replacement writes and that the schema of the type
/// refuses, by the state at the end of the build.
pub(super) fn refused_fields(scan: &mut Scan<'_, '_>) {
    let (trace, last) = (scan.trace, scan.last);
    let schemas = TypeSchemas::new(last, scan.schemas);
    // Many steps write to one resource: it is scanned once.
    let mut known: BTreeMap<Slot, (TypeSource, Vec<TypeFault<'_>>)> = BTreeMap::new();
    for (index, step) in trace.steps.iter().enumerate().filter(|(_, step)| is_patch(step)) {
        for change in &step.changes {
            let Some(now) = last.get(&change.slot) else { continue };
            if change.before.is_none() || change.after.is_none() {
                continue;
            }
            let (source, faults) = known.entry(change.slot).or_insert_with(|| {
                let has_faults = |resource: &Resource| !schemas.faults(resource).1.is_empty();
                if TypeSchemas::is_builtin(now) && !scan.cache.has_type_faults(now, has_faults) {
                    return (TypeSource::Kubernetes, Vec::new());
                }
                let (source, faults) = schemas.faults(now);
                // The resources themselves are valid, so a schema that refuses one of their own
                // fields is incomplete.
                let patches = trace.steps.iter().filter(|step| is_patch(step));
                let is_patched = |fault: &TypeFault<'_>| {
                    patches.clone().any(|step| has_part_written_by(fault.value, step.writer))
                };
                let is_incomplete = source == TypeSource::OpenApi && !faults.iter().all(is_patched);
                (source, if is_incomplete { Vec::new() } else { faults })
            });
            for fault in faults.iter() {
                if has_part_written_by(fault.value, step.writer) {
                    let diagnostic = diagnostic(fault, *source, (step, change.slot, now));
                    scan.found.push((index, diagnostic));
                }
            }
        }
    }
}

fn is_patch(step: &Step) -> bool {
    let writes = step.field.starts_with("patches") || step.field == "replacements";
    step.kind == StepKind::Transform && writes
}

fn diagnostic(
    TypeFault { path, fault, mark, .. }: &TypeFault<'_>,
    schema: TypeSource,
    (step, slot, resource): (&Step, Slot, &Resource),
) -> Diagnostic {
    let (field, object) = (path.clone(), Object::from(&resource.id));
    let (remark, hint) = match fault {
        Fault::UnknownField { similar } => {
            let hint = similar.clone().map_or_else(
                || Hint::from("correct the name or the place of the field"),
                Hint::DidYouMean,
            );
            (SilentRemark::NoSuchField { field, object, schema }, hint)
        }
        Fault::WrongType { expected, found } => {
            let (expected, found) = (*expected, *found);
            let remark = SilentRemark::WrongType { field, object, expected, found, schema };
            (remark, Hint::from("write a value of the type of the field"))
        }
    };
    // A field that a replacement creates is written only in the path of its entry, so the finding is
    // located there.
    let mark = if mark.line == 0 { step.mark } else { *mark };
    of_field(remark, mark, (slot, resource), path.clone()).hint(hint)
}

fn has_part_written_by(node: &Node, writer: WriterId) -> bool {
    node.nodes().any(|node| node.mark.writer == writer)
}
