//! The text of a patch, inline or from a file, and the resources in it.

use std::sync::Arc;

use crate::diagnostic::Fault;
use crate::resource::{Resource, Scopes, TextOffset, read_resources, shift_marks};
use crate::yaml::{Limits, SourceId, parse_documents};

/// The text of a patch and its source.
#[derive(Clone, Debug)]
pub struct PatchText {
    pub bytes: Arc<[u8]>,
    /// The file with the text: the patch file, or the kustomization file for an inline patch.
    pub source: SourceId,
    /// The position of an inline patch in the kustomization file.
    pub offset: TextOffset,
    /// The path, or empty for an inline patch.
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

    /// The full text, by which Kustomize before 5.2 names the patch in messages.
    pub fn whole(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        if self.path.is_empty() { text.trim().to_owned() } else { text.into_owned() }
    }

    /// The text as Kustomize parses it (an inline one is trimmed), and its position.
    pub(super) fn trimmed(&self) -> (&[u8], TextOffset) {
        if !self.path.is_empty() {
            return (&self.bytes, self.offset);
        }
        let start = self.bytes.len() - self.bytes.trim_ascii_start().len();
        let skipped = self.bytes[..start].split(|byte| *byte == b'\n').count() - 1;
        let skipped = u32::try_from(skipped).unwrap_or(u32::MAX);
        let lines = self.offset.lines.saturating_add(skipped);
        (self.bytes.trim_ascii(), TextOffset { lines, ..self.offset })
    }

    /// A text, [trimmed](Self::trimmed) or not, as resources: each has a kind and a name, lists
    /// are expanded.
    ///
    /// # Errors
    /// YAML errors, `missing kind in object …`, `missing metadata.name in object …`.
    pub(super) fn resources(
        &self,
        (text, offset): (&[u8], TextOffset),
        scopes: &Scopes,
    ) -> Result<Vec<Resource>, Fault> {
        let mut parsed = parse_documents(text, self.source, Limits::default())?;
        for document in &mut parsed.documents {
            shift_marks(&mut document.node, offset);
        }
        read_resources(&parsed, scopes).map_err(Fault::from)
    }
}
