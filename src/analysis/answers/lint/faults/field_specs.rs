//! Field specs in files of `configurations` whose field no resource has.

use std::collections::BTreeSet;
use std::path::Path;

use crate::engine::diagnostic::{Diagnostic, Hint, SilentRemark};
use crate::engine::evaluate::{AccumulatorState, StepKind, Trace};
use crate::engine::load::{Files, edit_distance_within};
use crate::engine::transform::split_path;
use crate::engine::yaml::{Limits, Node, parse_documents};

use super::StepDiagnostic;

/// The field specs of the files in `configurations` that select a type of the layer, although no
/// resource of that type has the field.
pub(super) fn missing_field_diagnostics(trace: &Trace, files: &dyn Files) -> Vec<StepDiagnostic> {
    let has_vars = trace.steps.iter().any(|step| step.field == "vars");
    let mut found = Vec::new();
    let mut read: BTreeSet<String> = BTreeSet::new();
    for (index, step) in trace.steps.iter().enumerate() {
        if step.kind != StepKind::Configure || step.argument.is_empty() {
            continue;
        }
        let Some(layer) = trace.layer(step.layer).filter(|_| step.field == "configurations") else {
            continue;
        };
        let path = crate::engine::load::clean(&Path::new(&*layer.path).join(&*step.argument));
        let Some(source) = trace.sources.number(&path.to_string_lossy()) else { continue };
        let Ok(bytes) = files.read(&path) else { continue };
        let Ok(parsed) = parse_documents(&bytes, source, Limits::default()) else { continue };
        if !read.insert(path.to_string_lossy().into_owned()) {
            continue;
        }
        // The state after the layer contains every resource to which the layer applies the field
        // specs.
        let state = trace.state_after(layer.end_step.saturating_sub(1));
        for document in &parsed.documents {
            for entry in document.node.entries() {
                // Without vars, these field specs have no effect.
                if entry.key.text() == Some("varReference") && !has_vars {
                    continue;
                }
                for item in entry.value.items().unwrap_or_default() {
                    let nested = item.get("fieldSpecs").and_then(Node::items);
                    for spec in nested.unwrap_or(std::slice::from_ref(item)) {
                        found.extend(field_spec_diagnostic(spec, &state).map(|it| (index, it)));
                    }
                }
            }
        }
    }
    found
}

/// The finding about one field spec; `None` if a resource has the field.
fn field_spec_diagnostic(spec: &Node, state: &AccumulatorState) -> Option<Diagnostic> {
    let text = |key: &str| spec.text_of(key).unwrap_or_default();
    let (path, kind, group) = (spec.get("path")?, text("kind"), text("group"));
    let (written, creates) = (path.text()?, text("create") == "true");
    if kind.is_empty() || creates {
        return None;
    }
    let is_of_type = |it: &&std::sync::Arc<crate::engine::resource::Resource>| {
        *it.id.gvk.kind == *kind && (group.is_empty() || *it.id.gvk.group == *group)
    };
    let keys = split_path(written);
    let keys: Vec<&str> = keys.iter().map(String::as_str).filter(|key| !key.is_empty()).collect();
    let mut of_type = state.values().filter(is_of_type).peekable();
    of_type.peek()?;
    let mut near = None;
    for resource in of_type {
        match find_spec_field(&resource.node, &keys) {
            SpecFieldSearch::Found => return None,
            SpecFieldSearch::Missing(similar) => near = near.or(similar),
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

enum SpecFieldSearch {
    Found,
    /// The missing key, with the most similar key in the same mapping if one is similar.
    Missing(Option<(String, String)>),
}

/// Searches a node for the field at these keys; a list is searched element by element.
fn find_spec_field(node: &Node, keys: &[&str]) -> SpecFieldSearch {
    let Some((key, rest)) = keys.split_first() else { return SpecFieldSearch::Found };
    if let Some(items) = node.items() {
        let mut similar = None;
        for item in items {
            match find_spec_field(item, keys) {
                SpecFieldSearch::Found => return SpecFieldSearch::Found,
                SpecFieldSearch::Missing(other) => similar = similar.or(other),
            }
        }
        return SpecFieldSearch::Missing(similar);
    }
    let key = key.trim_end_matches("[]");
    if let Some(inside) = node.get(key) {
        return find_spec_field(inside, rest);
    }
    let names = node.entries().iter().filter_map(|entry| entry.key.text());
    let is_near = |name: &&str| edit_distance_within(key, name, 2).is_some();
    let near = names.filter(|_| key.len() > 3).find(is_near);
    SpecFieldSearch::Missing(near.map(|near| (key.to_owned(), near.to_owned())))
}
