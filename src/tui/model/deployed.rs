//! The additions of a deployment object to the target, and their locations.

use std::path::{Path, PathBuf};

use crate::engine::evaluate::{Step, StepOutcome};
use crate::engine::manifest::{KustomizationField, OutlineField};

use super::Model;

impl Model {
    /// The directory to which the paths in a file are relative; for the deployment object, the
    /// directory of the target.
    pub(crate) fn directory_of<'m>(&'m self, file: &'m Path) -> &'m Path {
        match self.opened.sources.get(file) {
            Some(source) if source.deploys => &self.opened.dir,
            _ => file.parent().unwrap_or(Path::new("/")),
        }
    }

    /// The object that deploys the target: its file, and the fields that it adds.
    pub(crate) fn additions(&self) -> Option<(&PathBuf, Vec<&OutlineField>)> {
        let (file, _) = self.builds.recording.trace.deployed_by()?;
        let (file, source) = self.opened.sources.get_key_value(Path::new(file))?;
        // If a file contains several objects, the name of the target selects one.
        let name = self.opened.target.rsplit_once('#').map(|(_, name)| name);
        let is_own = |field: &&OutlineField| match field.name.split_once('#') {
            Some((object, _)) => Some(object) == name,
            None => true,
        };
        let mut fields: Vec<&OutlineField> = source.outline.fields.iter().filter(is_own).collect();
        fields.sort_by_key(|field| {
            let name = field.name.rsplit('.').next().unwrap_or_default();
            let name = if name == "targetNamespace" { "namespace" } else { name };
            KustomizationField::in_application_order()
                .position(|field| field.name() == name)
                .unwrap_or(usize::MAX)
        });
        Some((file, fields))
    }
}

/// The outline entry of a step's configuration, found by line: additions of a deployment object and
/// commented entries have no index in a kustomization file.
pub(crate) fn step_outline_entry<'m>(
    model: &'m Model,
    step: &Step,
) -> Option<(&'m PathBuf, &'m OutlineField, Option<usize>)> {
    let file = Path::new(model.builds.recording.file(step.mark)?);
    let (file, source) = model.opened.sources.get_key_value(file)?;
    if !source.deploys && !matches!(step.outcome, StepOutcome::SwitchedOff) {
        return None;
    }
    let line = usize::try_from(step.mark.line).ok()?.checked_sub(1)?;
    let column = usize::try_from(step.mark.column).ok()?.saturating_sub(1);
    let (bytes, outline) = match &source.built {
        Some((bytes, outline)) => (bytes, outline),
        None => (&source.bytes, &source.outline),
    };
    let before = bytes.split_inclusive(|byte| *byte == b'\n').take(line);
    let (field, entry) = outline.at(before.map(<[u8]>::len).sum::<usize>() + column)?;
    Some((file, field, entry))
}

/// The field in which a deployment object configures a step, and the index of the entry among the
/// active ones.
pub(crate) fn added<'m>(
    model: &'m Model,
    step: &Step,
) -> Option<(&'m OutlineField, Option<usize>)> {
    // Only the file of the deployment object is searched.
    let file = Path::new(model.builds.recording.file(step.mark)?);
    model.opened.sources.get(file).filter(|source| source.deploys)?;
    let (_, field, entry) = step_outline_entry(model, step)?;
    let on = |index: usize| {
        let before = field.entries.iter().take(index).filter(|entry| !entry.disabled).count();
        field.entries.get(index).filter(|entry| !entry.disabled).map(|_| before)
    };
    Some((field, entry.and_then(on)))
}
