//! The steps of an entry.

use std::collections::BTreeMap;
use std::path::Path;

use crate::engine::evaluate::{ConsolidatedComposition, Layer, StepKind};
use crate::engine::manifest::{OutlineEntry, OutlineField};
use crate::model::{WorkbenchRecording, effect_or_none, layer_effect};
use crate::screens::tree::state::rows::{TreeField, TreeRowBuilder};
use crate::screens::tree::state::words::{pending_words, step_effect_text};

impl TreeRowBuilder<'_> {
    pub(crate) fn steps_of(
        &self,
        layer: Option<usize>,
        field: &str,
        entry: Option<usize>,
    ) -> Vec<usize> {
        let Some(layer) = layer else { return Vec::new() };
        let found = self.steps.get(&layer).and_then(|fields| fields.get(field));
        found.and_then(|entries| entries.get(&entry)).cloned().unwrap_or_default()
    }

    /// For each entry of a field, its index among the built entries; `None` for an entry outside
    /// the build. Until an edit is built, this index differs from the index in the text.
    pub(crate) fn active_entries(&self, file: &Path, field: &OutlineField) -> Vec<Option<usize>> {
        let source = self.model.opened.sources.get(file);
        let built = source.and_then(|source| source.built.as_ref());
        let Some((_, built)) = built else {
            let entries = enabled_entry_indices(&field.entries).into_iter();
            return entries.map(|(_, active)| active).collect();
        };
        let mut left =
            built.field(&field.name).map_or_else(Vec::new, |it| enabled_entry_indices(&it.entries));
        let mut found = |text: &str| {
            let at = left.iter().position(|(other, _)| *other == text)?;
            left.remove(at).1
        };
        field.entries.iter().map(|entry| found(&entry.text)).collect()
    }

    /// The steps of an active entry. Steps of a Composition are numbered in running order; steps of
    /// a separate configuration file are found by that file.
    pub(crate) fn steps_of_entry(
        &self,
        at: TreeField<'_>,
        active: Option<usize>,
        path: Option<&Path>,
    ) -> Vec<usize> {
        let (file, field, layer) = (at.file, &*at.field.name, at.layer);
        let Some(active) = active else { return Vec::new() };
        if self.composition_of_file(file).is_some() {
            let entries = self.composed_entries(file, field, active);
            let steps = |entry| self.steps_of(layer, "transformers", Some(entry));
            return entries.into_iter().flat_map(steps).collect();
        }
        let steps = self.steps_of(layer, field, Some(active));
        let Some(path) = path.filter(|_| steps.is_empty()) else { return steps };
        if !matches!(field, "generators" | "transformers" | "validators") {
            return steps;
        }
        let configured = self.configured.get_or_init(|| configured(&self.model.builds.recording));
        configured.get(path).cloned().unwrap_or_default()
    }

    /// The consolidated Composition of a file; `None` for other files.
    pub(crate) fn composition_of_file(&self, file: &Path) -> Option<&ConsolidatedComposition> {
        let mut composed = self.recording().compositions.iter();
        let composed = composed.find(|composed| Path::new(&composed.file) == file)?;
        composed.result.as_ref().ok()
    }

    /// The indices of the consolidated entries, in running order, that come from an item of a
    /// Composition: the item itself, or the entries that an item of `transformersFrom` imports.
    pub(crate) fn composed_entries(&self, file: &Path, field: &str, active: usize) -> Vec<usize> {
        let entries =
            self.composition_of_file(file).into_iter().flat_map(|shown| &shown.entries).enumerate();
        let leads_here = entries.filter(|(_, entry)| match entry.imported_from.first() {
            None => matches!(field, "transformers" | "modules") && entry.listed.index == active,
            Some(import) => {
                matches!(field, "transformersFrom" | "modulesFrom") && import.index == active
            }
        });
        leads_here.map(|(index, _)| index).collect()
    }

    pub(crate) fn effect_words(&self, steps: &[usize]) -> String {
        let steps = steps.iter().filter_map(|step| self.recording().step(*step));
        let mut words: Vec<String> = steps.map(step_effect_text).collect();
        words.dedup();
        words.join("; ")
    }

    pub(crate) fn layer_effect_text(&self, layer: &Layer) -> String {
        let effect = layer_effect(self.recording(), layer);
        let words = effect_or_none(self.model, effect);
        let waits = pending_words(self.recording(), layer.first_step..layer.end_step);
        let fails = if self.recording().has_failed_step(layer) { ", fails" } else { "" };
        // Do not report "no change" if steps failed or are pending: their effect is not known.
        match (effect.added + effect.changed + effect.removed, waits.is_empty() && fails.is_empty())
        {
            (0, false) => format!("{fails}{waits}").trim_start_matches(", ").to_owned(),
            _ => format!("{words}{fails}{waits}"),
        }
    }
}

fn configured(recording: &WorkbenchRecording) -> BTreeMap<&Path, Vec<usize>> {
    let mut found: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for (index, step) in recording.trace.steps.iter().enumerate() {
        if step.kind != StepKind::Load
            && let Some(file) = recording.file(step.mark)
        {
            found.entry(Path::new(file)).or_default().push(index);
        }
    }
    found
}

/// The texts of entries, each with its index among the enabled entries.
fn enabled_entry_indices(entries: &[OutlineEntry]) -> Vec<(&str, Option<usize>)> {
    let mut numbers = 0..;
    let mut number = |entry: &OutlineEntry| if entry.disabled { None } else { numbers.next() };
    entries.iter().map(|entry| (entry.text.as_str(), number(entry))).collect()
}
