//! Fields written by a step that the type does not have, but that are similar to a field of the
//! type.

use std::collections::BTreeMap;

use crate::engine::diagnostic::{Diagnostic, Hint, Object, SilentRemark};
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::load::edit_distance;
use crate::engine::resource::{Resource, Schema, SchemaNode, Slot};
use crate::engine::yaml::{MappingEntry, Node, WriterId};

use super::{LastStates, ResourceScanCache, StepDiagnostic};

/// The minimum length of a word; shorter words are similar to too many other words.
const MIN_WORD_CHARS: usize = 4;

/// The minimum length of a short form (`env`, `arg`); shorter forms begin too many words.
const MIN_SHORT_FORM_CHARS: usize = 3;

/// Findings for fields that a patch or replacement adds and that the schema of the built-in type
/// lacks, while it has a field with a similar name.
pub(super) fn misspelt_field_diagnostics(
    trace: &Trace,
    last: &LastStates<'_>,
    cache: &mut ResourceScanCache,
) -> Vec<StepDiagnostic> {
    let mut told = Vec::new();
    let mut known: BTreeMap<Slot, Vec<UnknownField<'_>>> = BTreeMap::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let writes = step.field.starts_with("patches") || step.field == "replacements";
        if step.kind != StepKind::Transform || !writes {
            continue;
        }
        for change in &step.changes {
            let Some(now) = last.get(change.slot) else { continue };
            let has_some = |resource: &Resource| !unknown_fields(resource).is_empty();
            if change.before.is_none()
                || change.after.is_none()
                || !cache.has_unknown_fields(now, has_some)
            {
                continue;
            }
            // Many steps write to one resource: it is scanned once.
            let unknown = known.entry(change.slot).or_insert_with(|| unknown_fields(now));
            for UnknownField { path, key, schema, entry } in unknown.iter() {
                if !has_part_written_by(&entry.value, step.writer) {
                    continue;
                }
                let Some(near) = similar_field(key, *schema) else { continue };
                let (kind, name) = (&now.id.gvk.kind, &now.id.name);
                let (field, object) = (path.clone(), Object::from(&now.id));
                let remark = SilentRemark::NoSuchField { field, object };
                // A field that a replacement creates is written only in the path of its entry, so
                // the finding is located there.
                let own = entry.key.mark;
                let mark = if own.line == 0 { step.mark } else { own };
                let diagnostic = Diagnostic::new(remark, mark)
                    .hint(Hint::DidYouMean(near))
                    .with_subject(Some(change.slot), kind, name)
                    .field(path.clone());
                told.push((index, diagnostic));
            }
        }
    }
    told
}

/// A field that its type does not have.
struct UnknownField<'n> {
    path: String,
    key: &'n str,
    /// The schema of the parent mapping.
    schema: SchemaNode<'static>,
    entry: &'n MappingEntry,
}

/// The fields of a resource that its built-in type does not have.
fn unknown_fields(resource: &Resource) -> Vec<UnknownField<'_>> {
    let mut found = Vec::new();
    let gvk = &resource.id.gvk;
    if let Some(schema) = Schema::builtin().of_type(&gvk.api_version(), &gvk.kind) {
        collect_unknown_fields(&resource.node, schema, &mut Vec::new(), &mut found);
    }
    found
}

/// A segment of the path of a field.
enum PathSegment<'n> {
    Key(&'n str),
    Item(&'n Node),
}

/// Collects the fields at or below a node that its schema does not have.
fn collect_unknown_fields<'n>(
    node: &'n Node,
    schema: SchemaNode<'static>,
    way: &mut Vec<PathSegment<'n>>,
    found: &mut Vec<UnknownField<'n>>,
) {
    if let Some(items) = node.items() {
        let Some(elements) = schema.elements() else { return };
        for item in items {
            way.push(PathSegment::Item(item));
            collect_unknown_fields(item, elements, way, found);
            way.pop();
        }
        return;
    }
    for entry in node.entries() {
        let Some(key) = entry.key.text() else { continue };
        match schema.field(key) {
            Some(below) => {
                way.push(PathSegment::Key(key));
                collect_unknown_fields(&entry.value, below, way, found);
                way.pop();
            }
            None => found.push(UnknownField { path: words(way, key), key, schema, entry }),
        }
    }
}

/// The path of the field `key` below the segments: `spec.template.containers[web].image`.
fn words(way: &[PathSegment<'_>], key: &str) -> String {
    let mut path = String::new();
    for part in way {
        match part {
            PathSegment::Key(key) => path.push_str(&format!("{key}.")),
            PathSegment::Item(item) => {
                let name = item.get("name").and_then(Node::text).unwrap_or_default();
                path.pop();
                path.push_str(&format!("[{name}]."));
            }
        }
    }
    path + key
}

/// The field of the type whose name is most similar to `key`, if one is similar enough.
fn similar_field(key: &str, schema: SchemaNode<'_>) -> Option<String> {
    if key.len() < MIN_WORD_CHARS {
        return None;
    }
    let limit = if key.len() < 8 { 1 } else { 2 };
    let fields = schema.fields().map(|field| (edit_distance(key, field), field));
    let nearest =
        fields.filter(|(distance, _)| *distance <= limit).min_by_key(|(distance, _)| *distance);
    let nearest = nearest.map(|(_, field)| field).or_else(|| field_by_short_form(key, schema));
    nearest.map(str::to_owned)
}

/// The field whose name begins the word `key`: `env` for `environment`, even if the rest is
/// misspelt.
fn field_by_short_form<'s>(key: &str, schema: SchemaNode<'s>) -> Option<&'s str> {
    let begins = |field: &&str| {
        let rest = key.strip_prefix(field).unwrap_or_default();
        field.len() >= MIN_SHORT_FORM_CHARS && rest.starts_with(|c: char| c.is_ascii_lowercase())
    };
    schema.fields().filter(begins).max_by_key(|field| field.len())
}

/// True if a step wrote a node or a part of it.
fn has_part_written_by(node: &Node, writer: WriterId) -> bool {
    node.mark.writer == writer
        || node.items().unwrap_or_default().iter().any(|item| has_part_written_by(item, writer))
        || node.entries().iter().any(|entry| has_part_written_by(&entry.value, writer))
}
