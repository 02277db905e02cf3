//! Fields that a step writes and that the type does not know, beside one whose name is near.

use crate::engine::diagnostic::{Code, Diagnostic};
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::load::slips;
use crate::engine::resource::{Schema, SchemaNode};
use crate::engine::yaml::{Mark, Node, WriterId};

use super::{Last, Told};

/// Shorter words are near to too many others.
const SHORTEST: usize = 4;

/// `env`, `arg`: less is the beginning of too many words.
const SHORTEST_FORM: usize = 3;

/// Fields of built-in types that a patch or replacement made, and that are not in the schema, where another is near.
pub(super) fn misspelt(trace: &Trace, last: &Last) -> Vec<Told> {
    let mut told = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let writes = step.field.starts_with("patches") || step.field == "replacements";
        if step.kind != StepKind::Transform || !writes {
            continue;
        }
        for change in &step.changes {
            let (Some(after), Some(now)) = (&change.after, last.get(change.slot)) else { continue };
            if change.before.is_none() {
                continue;
            }
            let gvk = &after.id.gvk;
            let Some(schema) = Schema::builtin().of_type(&gvk.api_version(), &gvk.kind) else {
                continue;
            };
            let mut found = Vec::new();
            look(&now.node, schema, step.writer, &mut Vec::new(), &mut found);
            for Unknown { path, near, mark } in found {
                let message = format!(
                    "{path} of {} {} is no field of this type: the step adds it beside those that are",
                    gvk.kind, now.id.name
                );
                // A field that a replacement makes stands nowhere but in the path of its entry.
                let mark = if mark.line == 0 { step.mark } else { mark };
                let diagnostic = Diagnostic::new(Code::KZ213, message, mark)
                    .hint(format!("did you mean {near}?"))
                    .about(Some(change.slot), &gvk.kind, &now.id.name)
                    .field(path);
                told.push((index, diagnostic));
            }
        }
    }
    told
}

struct Unknown {
    path: String,
    near: String,
    mark: Mark,
}

fn look(
    node: &Node,
    schema: SchemaNode<'_>,
    writer: WriterId,
    path: &mut Vec<String>,
    found: &mut Vec<Unknown>,
) {
    if let Some(items) = node.items() {
        let Some(elements) = schema.elements() else { return };
        for item in items {
            let name = item.get("name").and_then(Node::text).unwrap_or_default();
            path.push(format!("[{name}]"));
            look(item, elements, writer, path, found);
            path.pop();
        }
        return;
    }
    for entry in node.entries() {
        let Some(key) = entry.key.text() else { continue };
        match schema.field(key) {
            Some(below) => {
                path.push(key.to_owned());
                look(&entry.value, below, writer, path, found);
                path.pop();
            }
            None if written(&entry.value, writer) => {
                let Some(near) = near(key, schema) else { continue };
                path.push(key.to_owned());
                let path_here = path.join(".");
                path.pop();
                found.push(Unknown { path: path_here, near, mark: entry.key.mark });
            }
            None => {}
        }
    }
}

/// The field of the type whose name is a slip or two away.
fn near(key: &str, schema: SchemaNode<'_>) -> Option<String> {
    if key.len() < SHORTEST {
        return None;
    }
    let limit = if key.len() < 8 { 1 } else { 2 };
    let fields = schema.fields().map(|field| (slips(key, field), field));
    let nearest = fields.filter(|(slips, _)| *slips <= limit).min_by_key(|(slips, _)| *slips);
    let nearest = nearest.map(|(_, field)| field).or_else(|| written_out(key, schema));
    nearest.map(str::to_owned)
}

/// The field whose name is the short form of a word: `env` for `environment`, however that is spelt.
fn written_out<'s>(key: &str, schema: SchemaNode<'s>) -> Option<&'s str> {
    let begins = |field: &&str| {
        let rest = key.strip_prefix(field).unwrap_or_default();
        field.len() >= SHORTEST_FORM && rest.starts_with(|c: char| c.is_ascii_lowercase())
    };
    schema.fields().filter(begins).max_by_key(|field| field.len())
}

/// Whether a step wrote something of a node.
fn written(node: &Node, writer: WriterId) -> bool {
    node.mark.writer == writer
        || node.items().unwrap_or_default().iter().any(|item| written(item, writer))
        || node.entries().iter().any(|entry| written(&entry.value, writer))
}
