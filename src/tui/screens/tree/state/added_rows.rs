//! Rows outside of fields: unlisted components, and the final steps; the steps of an entry.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexSet;

use crate::engine::evaluate::{
    ConsolidatedComposition, Layer, LayerId, Step, StepKind, StepOutcome,
};
use crate::engine::manifest::{Outline, OutlineEntry, OutlineField};
use crate::model::{
    ComponentRow, ComponentStatus, WorkbenchRecording, effect_or_none, layer_effect,
};
use crate::screens::tree::state::rows::{
    TreeField, TreeRowBuilder, pending_words, row, step_effect_text,
};
use crate::screens::tree::state::{EntryState, TreeRow, TreeSubject, UNLISTED_KEY};
use crate::text::sanitize;

impl TreeRowBuilder<'_> {
    /// The source of a directory that has no kustomization file and is built by a deployment
    /// object: the file of that object, with an empty outline.
    pub(crate) fn generated_source(&self, dir: &Path) -> Option<(PathBuf, Arc<Outline>)> {
        let (file, _) = self.model.builds.recording.trace.deployed_by()?;
        (dir == self.model.opened.dir).then(|| (file.into(), Arc::default()))
    }

    /// True if the root has no kustomization file: its layer has the file of the deployment object.
    pub(crate) fn is_listed_by_controller(&self) -> bool {
        let trace = &self.model.builds.recording.trace;
        let Some((file, _)) = trace.deployed_by() else { return false };
        trace.layers.first().is_some_and(|root| *root.file == *file)
    }

    /// Adds the files that a controller lists for a directory without a kustomization file, or the
    /// sources of a deployment object.
    pub(crate) fn add_listed_by_controller(&mut self) {
        let model = self.model;
        let trace = &model.builds.recording.trace;
        if !self.is_listed_by_controller() {
            return;
        }
        let is_joined = trace.steps.first().is_some_and(|step| step.layer != LayerId(0));
        let is_load = |step: &Step| step.kind == StepKind::Load && step.layer == LayerId(0);
        let loads = trace.steps.iter().enumerate().filter(|(_, step)| is_load(step));
        let bases = trace.layers.iter();
        let bases = bases.filter(|layer| layer.parent == Some(LayerId(0)) && !layer.shares);
        let mut listed: Vec<(usize, Option<&Layer>)> =
            loads.map(|(index, _)| (index, None)).collect();
        listed.extend(bases.map(|layer| (layer.first_step, Some(layer))));
        listed.sort_by_key(|(first, _)| *first);
        let is_flux = trace.steps.first().is_some_and(|step| step.name.starts_with("Flux"));
        let controller = if is_flux { "Flux" } else { "Argo CD" };
        let heading = TreeRow {
            label: if is_joined { "sources" } else { "resources" }.to_owned(),
            detail: format!("{}, in the order of {controller}", listed.len()),
            ..row("#found", 1, !listed.is_empty())
        };
        if self.push(heading).is_none() {
            return;
        }
        for (first, layer) in listed {
            let steps =
                layer.map_or_else(|| vec![first], |it| (it.first_step..it.end_step).collect());
            let Some(step) = model.builds.recording.step(first) else { continue };
            let label = layer.map_or(&step.argument, |layer| &layer.name);
            let mut row = self.step_row(&format!("#found#{label}"), 2, label, steps);
            if let Some(layer) = layer {
                row.detail = self.layer_effect_text(layer);
                (row.state, row.has_children) = (EntryState::Plain, true);
            }
            let opened = self.push(row);
            if let Some(layer) = layer.filter(|_| opened.is_some()) {
                self.layer(Path::new(&*layer.path), 2);
            }
        }
    }

    /// For an image or replica entry that an entry of the deployment object with the same name
    /// replaces, the name of the file of that object.
    pub(crate) fn overriding_file(&self, at: TreeField<'_>, steps: &[usize]) -> Option<String> {
        let (file, _) = self.recording().trace.deployed_by().filter(|_| at.layer == Some(0))?;
        let merges = matches!(&*at.field.name, "images" | "replicas");
        let is_overridden = merges && steps.is_empty() && self.recording().error.is_none();
        let name = file.rsplit('/').next().unwrap_or_default();
        is_overridden.then(|| sanitize(name).into_owned())
    }

    pub(crate) fn additions(&mut self) {
        let model = self.model;
        let Some((file, fields)) = model.additions() else { return };
        let line = model.builds.recording.trace.deployed_by().map_or(1, |(_, mark)| mark.line);
        let announced =
            model.builds.recording.step(0).filter(|step| step.kind == StepKind::Configure);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let title = announced.map_or_else(|| name.clone(), |step| (*step.name).into());
        let heading = TreeRow {
            label: sanitize(&title).into_owned(),
            detail: if fields.is_empty() { "adds no resource" } else { "adds" }.to_owned(),
            subject: TreeSubject::Field { file: file.clone(), line },
            ..row("#additions", 1, !fields.is_empty())
        };
        if self.push(heading).is_none() {
            return;
        }
        let part_of =
            |field: &OutlineField| field.name.rsplit_once('.').map(|(part, _)| part.to_owned());
        let parts: IndexSet<Option<String>> = fields.iter().map(|field| part_of(field)).collect();
        for part in &parts {
            let mut depth = 2;
            if parts.len() > 1 {
                let label = part.as_deref().unwrap_or_default();
                let label = label.rsplit('#').next().unwrap_or_default().to_owned();
                let key = format!("#additions#{label}");
                if self.push(TreeRow { label, ..row(&key, depth, true) }).is_none() {
                    continue;
                }
                depth += 1;
            }
            for field in fields.iter().filter(|field| part_of(field) == *part) {
                // The first layer with steps of the field, or the root layer.
                let mut layers = self.steps.keys().filter(|(_, name, _)| *name == field.name);
                let layer = Some(layers.next().map_or(0, |(layer, ..)| *layer));
                self.field(TreeField { file, field, layer, depth });
            }
        }
    }

    pub(crate) fn unlisted(&mut self) {
        let is_unlisted = |row: &&ComponentRow| row.state == ComponentStatus::Absent;
        let rows = self.model.components.rows.iter();
        let unlisted: Vec<ComponentRow> = rows.filter(is_unlisted).cloned().collect();
        let heading = TreeRow {
            label: "other components in the repository".to_owned(),
            detail: format!("{} (space: add)", unlisted.len()),
            ..row(UNLISTED_KEY, 1, true)
        };
        if unlisted.is_empty() || self.push(heading).is_none() {
            return;
        }
        for component in unlisted {
            let key = format!("#unlisted#{}", component.text);
            self.push(TreeRow {
                label: sanitize(&component.text).into_owned(),
                state: EntryState::Unlisted,
                subject: TreeSubject::Unlisted {
                    file: component.file,
                    text: component.text,
                    path: component.path,
                },
                ..row(&key, 2, false)
            });
        }
    }

    /// Adds the entries that an item of `transformersFrom` imports, in the order in which they run.
    pub(crate) fn add_imported_entries(&mut self, at: TreeField<'_>, entries: &[usize], key: &str) {
        for index in entries {
            let shown = self.composition_of_file(at.file);
            let Some(entry) = shown.and_then(|shown| shown.entries.get(*index)) else { continue };
            let label = format!("{} {}", entry.id.gvk.kind, entry.id.name);
            let steps = self.steps_of(at.layer, "transformers", Some(*index));
            self.push(self.step_row(&format!("{key}#{index}"), at.depth + 1, &label, steps));
        }
    }

    /// A row that only has steps.
    fn step_row(&self, key: &str, depth: usize, label: &str, steps: Vec<usize>) -> TreeRow {
        TreeRow {
            label: sanitize(label).trim_end().to_owned(),
            detail: self.effect_words(&steps),
            state: self.worst(&steps).map_or(EntryState::Plain, EntryState::from_step),
            subject: TreeSubject::Step,
            steps,
            ..row(key, depth, false)
        }
    }

    /// The most important step of an entry: a failed or pending one, otherwise the first.
    pub(crate) fn worst(&self, steps: &[usize]) -> Option<&Step> {
        let mut all = steps.iter().filter_map(|step| self.recording().step(*step));
        let stopped =
            |step: &&Step| matches!(step.outcome, StepOutcome::Failed(_) | StepOutcome::Waiting(_));
        all.clone().find(stopped).or_else(|| all.next())
    }

    pub(crate) fn add_final_steps(&mut self) {
        let steps = self.model.builds.recording.trace.steps.iter().enumerate();
        let root: Vec<(usize, &Step)> =
            steps.filter(|(index, _)| self.recording().place_of_step(*index) == "(root)").collect();
        let heading = TreeRow {
            label: "final steps".to_owned(),
            steps: root.iter().map(|(index, _)| *index).collect(),
            ..row("#root", 1, true)
        };
        if root.is_empty() || self.push(heading).is_none() {
            return;
        }
        for (index, step) in root {
            let label = format!("{} {}", step.name, step.argument);
            self.push(self.step_row(&format!("#root#{}", step.id.0), 2, &label, vec![index]));
        }
    }
}

impl TreeRowBuilder<'_> {
    pub(crate) fn steps_of(
        &self,
        layer: Option<usize>,
        field: &str,
        entry: Option<usize>,
    ) -> Vec<usize> {
        let steps = layer.and_then(|layer| self.steps.get(&(layer, field, entry)));
        steps.cloned().unwrap_or_default()
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
