//! The table of tools, with the schemas of their arguments.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};

/// Name, description, required arguments, and the schema of each argument.
pub(super) type ToolRow = (&'static str, &'static str, &'static [&'static str], fn() -> Value);

const TABLE: &[ToolRow] = &[
    (
        "build",
        "Build a Kustomize target and return its output, page by page, with Secrets masked. With format=json each value has the file, line and step that wrote it (the document of `kzui blame --json`).",
        &["target"],
        || {
            json!({
                "target": path("The folder with the kustomization, or a deployment object as FILE#NAME"),
                "resource": text("Only this resource: KIND/NAME"),
                "offset": number("Lines of the output to skip"),
                "limit": number("The maximum number of lines (400)"),
                "format": format_schema(),
            })
        },
    ),
    (
        "why",
        "List the writers of a field of a target: step, file and line, the final writer first, and the entries that did not write it with the reason. Name the resource and the field, or a line of the output of `build`.",
        &["target"],
        || {
            json!({
                "target": path("The folder with the kustomization"),
                "resource": text("KIND/NAME, by its final or an earlier name"),
                "field": text("spec.template.spec.containers[web].image, or a JSON pointer; without it all fields"),
                "line": number("A line of the output, instead of `resource` and `field`"),
                "format": format_schema(),
            })
        },
    ),
    (
        "check",
        "Build targets and report findings: failures, entries without effect, patches without a target, deprecated fields, wrong references; each with file, line, code and help.",
        &[],
        || {
            json!({
                "paths": paths("Folders and files; by default the repository"),
                "changed": text("Only targets that read a file which differs from this git commit"),
                "notes": {"type": "boolean", "description": "Notes as well: entries without effect that are often meant so"},
                "format": format_schema(),
            })
        },
    ),
    (
        "try_edit",
        "Try an edit without writing it: the changed fields in every target with the edit that causes each, and the new and gone findings. Call it before an edit of a shared base or a patch. With `before`, two folders or commits are compared instead.",
        &[],
        || {
            json!({
                "diff": text("A unified diff with paths relative to the root"),
                "edits": {
                    "type": "array",
                    "description": "Edits, instead of `diff`",
                    "items": {
                        "type": "object",
                        "properties": {
                            "path": path("The file"),
                            "text": {"type": ["string", "null"], "description": "The new text of the file; null deletes it"},
                            "old": text("A part of the file that occurs once"),
                            "new": text("Its replacement"),
                        },
                        "required": ["path"],
                    },
                },
                "before": text("Instead of an edit: a folder relative to the root, a commit or a range of commits (main...HEAD), or COMMIT:FOLDER"),
                "after": text("The second side, in the same forms; the work tree by default"),
                "format": format_schema(),
            })
        },
    ),
    (
        "where",
        "List the targets that a file or a resource affects, with the entries that lead to it.",
        &[],
        || {
            json!({
                "file": path("A file or folder"),
                "resource": text("KIND/NAME, instead of `file`"),
                "format": format_schema(),
            })
        },
    ),
    (
        "compat",
        "List the targets that another version of Kustomize, Argo CD or Flux builds differently, with the reasons.",
        &[],
        || {
            json!({
                "paths": paths("Folders; by default the repository"),
                "from": text("The current version profile, as in `kzui versions`"),
                "to": text("The version profile to compare with (latest)"),
                "format": format_schema(),
            })
        },
    ),
];

pub(super) fn tools() -> Vec<Tool> {
    let tool = |(name, description, required, properties): &ToolRow| {
        let schema = json!({
            "type": "object",
            "properties": properties(),
            "required": required,
            "additionalProperties": false,
        });
        let schema = schema.as_object().cloned().unwrap_or_default();
        let mut tool = Tool::new(*name, *description, Arc::new(schema));
        tool.annotations = Some(
            ToolAnnotations::new()
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false),
        );
        tool
    };
    TABLE.iter().map(tool).collect()
}

pub(super) fn tool(wanted: &str) -> Option<&'static ToolRow> {
    TABLE.iter().find(|(name, ..)| *name == wanted)
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn path(description: &str) -> Value {
    text(&format!("{description}; relative to the root"))
}

fn paths(description: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": description})
}

fn number(description: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "description": description})
}

fn format_schema() -> Value {
    json!({"type": "string", "enum": ["text", "json"], "description": "text (default) or the JSON document of the command"})
}
