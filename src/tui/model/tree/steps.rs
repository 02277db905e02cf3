//! Which steps belong to an entry.

use std::path::Path;

use crate::engine::evaluate::{Layer, StepKind};

use super::rows::Builder;
use super::words::{counts_words, effect_of};

impl Builder<'_> {
    /// The steps of a field, or of one of its entries.
    pub(super) fn steps_of(
        &self,
        layer: Option<usize>,
        field: &str,
        entry: Option<usize>,
    ) -> Vec<usize> {
        let Some(layer) = layer else { return Vec::new() };
        let found = self.steps.get(&layer).and_then(|fields| fields.get(field));
        found.and_then(|entries| entries.get(&entry)).cloned().unwrap_or_default()
    }

    /// The steps of an active entry. Those of a Composition are numbered as they run; those of a configuration in a
    /// file of its own are known by that file.
    pub(super) fn steps_of_entry(
        &self,
        file: &Path,
        field: &str,
        active: Option<usize>,
        layer: Option<usize>,
        path: Option<&Path>,
    ) -> Vec<usize> {
        let Some(active) = active else { return Vec::new() };
        let mut composed = self.recording().compositions.iter();
        if let Some(composed) = composed.find(|composed| Path::new(&composed.file) == file) {
            let own = composed.result.iter().flat_map(|shown| shown.entries.iter().enumerate());
            let mut own = own.filter(|(_, entry)| {
                field == "transformers"
                    && entry.imported_from.is_empty()
                    && entry.listed.index == active
            });
            return match own.next() {
                Some((index, _)) => self.steps_of(layer, field, Some(index)),
                None => Vec::new(),
            };
        }
        let steps = self.steps_of(layer, field, Some(active));
        let Some(path) = path.filter(|_| steps.is_empty()) else { return steps };
        if !matches!(field, "generators" | "transformers" | "validators") {
            return steps;
        }
        let all = self.recording().trace.steps.iter().enumerate();
        let here = all.filter(|(_, step)| {
            let file = self.recording().file(step.mark);
            file.is_some_and(|file| Path::new(file) == path) && step.kind != StepKind::Load
        });
        here.map(|(index, _)| index).collect()
    }

    /// What these steps did, in words.
    pub(super) fn effect_words(&self, steps: &[usize]) -> String {
        let mut words = Vec::new();
        for step in steps.iter().filter_map(|step| self.recording().step(*step)) {
            words.push(effect_of(step));
        }
        words.dedup();
        words.join("; ")
    }

    /// What a layer did, in words.
    pub(super) fn layer_words(&self, layer: &Layer) -> String {
        let (added, modified, removed) = self.recording().effect_of_layer(layer);
        counts_words(added, modified, removed, self.model.glyphs().minus)
    }
}
