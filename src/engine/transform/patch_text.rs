//! The text of a patch, inline or from a file, and the resources in it.

use std::sync::Arc;

use crate::engine::resource::{Resource, Scopes};
use crate::engine::yaml::{Limits, Node, SourceId, Value, parse_documents};

/// A patch as it was read.
#[derive(Clone, Debug)]
pub struct PatchText {
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The file that it stands in: the patch file, or the kustomization file for an inline patch.
    pub source: SourceId,
    /// 1-based line of the file in which the text begins; 1 for a file of its own.
    pub first_line: u32,
    /// What it is called: the path, or empty for an inline patch.
    pub path: String,
}

impl PatchText {
    /// Kustomize's name of the patch in messages: `[path: "…"]` or `[patch: "…"]`.
    pub fn label(&self) -> String {
        if self.path.is_empty() {
            format!("[patch: {:?}]", String::from_utf8_lossy(&self.bytes).trim())
        } else {
            format!("[path: {:?}]", self.path)
        }
    }

    /// The text as Kustomize reads it: an inline one is trimmed. Returns it with its first line.
    pub(super) fn trimmed(&self) -> (&[u8], u32) {
        if !self.path.is_empty() {
            return (&self.bytes, self.first_line.max(1));
        }
        let start = self.bytes.len() - self.bytes.trim_ascii_start().len();
        let skipped = self.bytes[..start].split(|byte| *byte == b'\n').count() - 1;
        let skipped = u32::try_from(skipped).unwrap_or(u32::MAX);
        (self.bytes.trim_ascii(), self.first_line.max(1).saturating_add(skipped))
    }

    /// The text as resources: each has a kind and a name, lists are expanded.
    ///
    /// # Errors
    /// YAML errors, `missing kind in object …`, `missing metadata.name in object …`.
    pub(super) fn resources(
        &self,
        scopes: &Scopes,
        limits: Limits,
    ) -> Result<Vec<Resource>, String> {
        let (text, first_line) = self.trimmed();
        let parsed = parse_documents(text, self.source, limits).map_err(|e| e.to_string())?;
        let mut queue: std::collections::VecDeque<Node> =
            parsed.documents.into_iter().map(|document| document.node).collect();
        let mut out = Vec::new();
        while let Some(mut node) = queue.pop_front() {
            if node.is_null() || node.is_empty_collection() {
                continue;
            }
            let kind = present(&node, &["kind"]).to_owned();
            if kind.ends_with("List") && node.get("items").is_some() {
                let items = node.get("items").and_then(Node::items).unwrap_or_default();
                queue.extend(items.iter().cloned());
                continue;
            }
            require_identity(&node)?;
            shift(&mut node, first_line.saturating_sub(1));
            out.push(Resource::new(node, scopes));
        }
        Ok(out)
    }
}

fn present<'n>(node: &'n Node, path: &[&str]) -> &'n str {
    node.at(path).filter(|value| !value.is_null()).and_then(Node::text).unwrap_or_default()
}

/// Refuses what is no resource.
///
/// # Errors
/// `missing kind in object …`, `missing metadata.name in object …`
pub(super) fn require_identity(node: &Node) -> Result<(), String> {
    let text = |path: &[&str]| present(node, path);
    let (kind, name) = (text(&["kind"]), text(&["metadata", "name"]));
    let version = text(&["apiVersion"]);
    let dump = || {
        let namespace = text(&["metadata", "namespace"]);
        format!("{{{{{version} {kind}}} {{{{{name} {namespace}}} map[] map[]}}}}")
    };
    if kind.is_empty() {
        return Err(format!("missing kind in object {}", dump()));
    }
    if name.is_empty() && !kind.ends_with("List") {
        return Err(format!("missing metadata.name in object {}", dump()));
    }
    Ok(())
}

/// Moves every mark down by some lines: the text stands inside another file.
pub(super) fn shift(node: &mut Node, lines: u32) {
    if lines == 0 {
        return;
    }
    if node.mark.line > 0 {
        node.mark.line += lines;
    }
    match &mut node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items, _) => {
            for item in Arc::make_mut(items) {
                shift(item, lines);
            }
        }
        Value::Mapping(mapping) => {
            for entry in &mut Arc::make_mut(mapping).entries {
                shift(&mut entry.key, lines);
                shift(&mut entry.value, lines);
            }
        }
    }
}
