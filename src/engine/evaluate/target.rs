//! Finds and reads the kustomization file of a root (sections 1.1 to 1.5).

use std::sync::Arc;

use crate::engine::load::{Loaded, Root};
use crate::engine::manifest::{
    Kustomization, ManifestError, Outline, OutlineEntry, decode_kustomization,
};
use crate::engine::transform::TransformError;
use crate::engine::yaml::Mark;

use super::build::Build;

/// The names of a kustomization file, in the order in which Kustomize tries them.
pub const FILE_NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// A kustomization file that was read.
pub(super) struct Target {
    pub(super) kustomization: Kustomization,
    /// Its path, absolute.
    pub(super) file: String,
    /// Its lines, those that are commented out included.
    pub(super) outline: Outline,
}

impl Target {
    /// The line of a field that is commented out as a whole.
    pub(super) fn switched_off_field(&self, name: &str) -> Option<u32> {
        let off = |field: &&crate::engine::manifest::OutlineField| {
            field.name == name && field.disabled && field.entries.is_empty()
        };
        self.outline.fields.iter().find(off).map(|field| field.line)
    }

    /// The entries of a list that are commented out, each with the number of active entries before it.
    pub(super) fn switched_off(&self, field: &str) -> Vec<(usize, &OutlineEntry)> {
        let entries = self
            .outline
            .fields
            .iter()
            .filter(|outline| outline.name == field)
            .flat_map(|f| &f.entries);
        let mut active = 0;
        let mut off = Vec::new();
        for entry in entries {
            if entry.disabled {
                off.push((active, entry));
            } else {
                active += 1;
            }
        }
        off
    }
}

impl Build<'_> {
    /// Reads the kustomization file of a root.
    pub(super) fn read_target(&mut self, root: &Root) -> Result<Target, TransformError> {
        let place = Mark::default();
        let mut found: Vec<(&str, Loaded)> = Vec::new();
        for name in FILE_NAMES {
            // Kustomize swallows the error: a file that may not be read counts as missing.
            if let Ok(loaded) = root.load(name) {
                found.push((name, loaded));
            }
        }
        let directory = root.path().display();
        let loaded = match found.as_slice() {
            [(_, loaded)] => loaded,
            [] => {
                let phrase = format!(
                    "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '{directory}'"
                );
                return Err(TransformError::phrase(phrase, place));
            }
            [..] => {
                let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
                let hint = format!("keep one of {}", names.join(", "));
                let phrase = format!("Found multiple kustomization files under: {directory}");
                return Err(TransformError::Phrase { phrase, mark: place, hint: Some(hint) });
            }
        };
        let source = self.memory.sources.intern(&loaded.path);
        let kustomization = decode_kustomization(&loaded.bytes, source)
            .map_err(|error| self.bad_manifest(error, source, root))?;
        for deprecated in &kustomization.deprecated {
            self.warnings.push(deprecated.warning.clone());
        }
        let outline = Outline::parse(&loaded.bytes);
        Ok(Target { kustomization, file: loaded.path.clone(), outline })
    }

    fn bad_manifest(
        &self,
        error: ManifestError,
        source: crate::engine::yaml::SourceId,
        root: &Root,
    ) -> TransformError {
        let mut mark = error.mark();
        if mark.source != source {
            mark = Mark { source, line: 1, column: 1, ..Mark::default() };
        }
        let hint = error.hint();
        let phrase = if matches!(error, ManifestError::Header { .. }) {
            format!("Failed to read kustomization file under {}:\n{error}", root.path().display())
        } else {
            error.to_string()
        };
        TransformError::Phrase { phrase, mark, hint }
    }
}

/// The name of a layer for people: the entry that named it, without the way up.
pub(super) fn short_name(entry: &str) -> Arc<str> {
    let trimmed = entry.trim_end_matches('/');
    let name = trimmed.trim_start_matches("../").trim_start_matches("./");
    if name.is_empty() || name == ".." { trimmed.into() } else { name.into() }
}
