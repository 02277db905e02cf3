//! Field specs in files of `configurations` whose field no resource has.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::diagnostic::{Diagnostic, Hint, SilentRemark};
use crate::engine::evaluate::{AccumulatorState, StepKind};
use crate::engine::load::{clean, edit_distance_within};
use crate::engine::resource::Resource;
use crate::engine::transform::split_path;
use crate::engine::yaml::Node;

use super::Scan;

/// Finds the field specs of the files in `configurations` that select a type of the layer, although
/// no resource of that type has the field.
pub(super) fn missing_fields(scan: &mut Scan<'_, '_>) {
    let trace = scan.trace;
    let has_vars = trace.steps.iter().any(|step| step.field == "vars");
    let mut read: BTreeSet<PathBuf> = BTreeSet::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let is_file = step.kind == StepKind::Configure && step.field == "configurations";
        let layer = trace.layer(step.layer).filter(|_| is_file && !step.argument.is_empty());
        let Some(layer) = layer else { continue };
        let path = clean(&Path::new(&*layer.path).join(&*step.argument));
        let shown = path.to_string_lossy();
        let Some(source) = trace.sources.number(&shown) else { continue };
        let Some((_, documents)) = scan.read(&shown, source) else { continue };
        if !read.insert(path) {
            continue;
        }
        // The state after the layer contains every resource to which the layer applies the field
        // specs.
        let state = trace.state_after(layer.end_step.saturating_sub(1));
        for entry in documents.iter().flat_map(Node::entries) {
            // Without vars, these field specs have no effect.
            if entry.key.text() == Some("varReference") && !has_vars {
                continue;
            }
            for item in entry.value.items().unwrap_or_default() {
                let nested = item.get("fieldSpecs").and_then(Node::items);
                for spec in nested.unwrap_or(std::slice::from_ref(item)) {
                    scan.found.extend(field_spec_diagnostic(spec, &state).map(|it| (index, it)));
                }
            }
        }
    }
}

fn field_spec_diagnostic(spec: &Node, state: &AccumulatorState) -> Option<Diagnostic> {
    let text = |key: &str| spec.text_of(key).unwrap_or_default();
    let (path, kind, group) = (spec.get("path")?, text("kind"), text("group"));
    let (written, creates) = (path.text()?, text("create") == "true");
    if kind.is_empty() || creates {
        return None;
    }
    let is_of_type = |it: &&Arc<Resource>| {
        *it.id.gvk.kind == *kind && (group.is_empty() || *it.id.gvk.group == *group)
    };
    let keys = split_path(written);
    let keys: Vec<&str> = keys.iter().map(String::as_str).filter(|key| !key.is_empty()).collect();
    let mut of_type = state.values().filter(is_of_type).peekable();
    of_type.peek()?;
    let mut near = None;
    for resource in of_type {
        match find_spec_field(&resource.node, &keys) {
            Ok(()) => return None,
            Err(similar) => near = near.or(similar),
        }
    }
    // A field that no resource has may be intended. It is reported only if a similar field exists.
    let similar = near?;
    let in_path = |key: &str| key.replace('/', "\\/");
    let corrected = written.replacen(&in_path(&similar.0), &in_path(&similar.1), 1);
    let hint = Hint::DidYouMean(corrected);
    let remark = SilentRemark::NoSuchSpecField { kind: kind.to_owned(), path: written.to_owned() };
    Some(Diagnostic::new(remark, path.mark).hint(hint))
}

/// Searches a node for the field at these keys; a list is searched element by element. An error is
/// the missing key, with the most similar key in the same mapping if one is similar.
fn find_spec_field(node: &Node, keys: &[&str]) -> Result<(), Option<(String, String)>> {
    let Some((key, rest)) = keys.split_first() else { return Ok(()) };
    if let Some(items) = node.items() {
        let mut similar = None;
        for item in items {
            match find_spec_field(item, keys) {
                Ok(()) => return Ok(()),
                Err(other) => similar = similar.or(other),
            }
        }
        return Err(similar);
    }
    let key = key.trim_end_matches("[]");
    if let Some(inside) = node.get(key) {
        return find_spec_field(inside, rest);
    }
    let names = node.entries().iter().filter_map(|entry| entry.key.text());
    let is_near = |name: &&str| edit_distance_within(key, name, 2).is_some();
    let near = names.filter(|_| key.len() > 3).find(is_near);
    Err(near.map(|near| (key.to_owned(), near.to_owned())))
}
