//! The text of a patch, inline or from a file, and the resources in it.

use std::sync::Arc;

use crate::diagnostic::Fault;
use crate::resource::{Resource, Scopes, read_resources, shift_lines};
use crate::yaml::{Limits, SourceId, parse_documents};

/// The text of a patch and its source.
#[derive(Clone, Debug)]
pub struct PatchText {
    pub bytes: Arc<[u8]>,
    /// The file with the text: the patch file, or the kustomization file for an inline patch.
    pub source: SourceId,
    /// 1-based line of the file in which the text begins; 1 for a patch file.
    pub first_line: u32,
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

    /// The whole text, which is Kustomize's name of the patch before 5.2.
    pub fn whole(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        if self.path.is_empty() { text.trim().to_owned() } else { text.into_owned() }
    }

    /// The text as Kustomize parses it (an inline one is trimmed), and its first line.
    pub(super) fn trimmed(&self) -> (&[u8], u32) {
        if !self.path.is_empty() {
            return (&self.bytes, self.first_line.max(1));
        }
        let start = self.bytes.len() - self.bytes.trim_ascii_start().len();
        let skipped = self.bytes[..start].split(|byte| *byte == b'\n').count() - 1;
        let skipped = u32::try_from(skipped).unwrap_or(u32::MAX);
        (self.bytes.trim_ascii(), self.first_line.max(1).saturating_add(skipped))
    }

    /// The text, [trimmed](Self::trimmed), as resources: each has a kind and a name, lists are
    /// expanded.
    ///
    /// # Errors
    /// YAML errors, `missing kind in object …`, `missing metadata.name in object …`.
    pub(super) fn resources(
        &self,
        scopes: &Scopes,
        limits: Limits,
    ) -> Result<Vec<Resource>, Fault> {
        self.read(self.trimmed(), scopes, limits)
    }

    /// The untrimmed text as resources, as Kustomize reads an entry of `patchesStrategicMerge`.
    ///
    /// # Errors
    /// As [`resources`](Self::resources).
    pub(super) fn resources_untrimmed(
        &self,
        scopes: &Scopes,
        limits: Limits,
    ) -> Result<Vec<Resource>, Fault> {
        self.read((&self.bytes, self.first_line.max(1)), scopes, limits)
    }

    fn read(
        &self,
        (text, first_line): (&[u8], u32),
        scopes: &Scopes,
        limits: Limits,
    ) -> Result<Vec<Resource>, Fault> {
        let mut parsed = parse_documents(text, self.source, limits)?;
        for document in &mut parsed.documents {
            shift_lines(&mut document.node, first_line.saturating_sub(1));
        }
        read_resources(&parsed, scopes).map_err(Fault::from)
    }
}
