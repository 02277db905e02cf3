//! What stands in no field: components that nothing lists, and the steps at the root.

use std::path::Path;

use crate::engine::evaluate::{Outcome, Step};
use crate::tui::text::sanitize;

use super::super::{ComponentRow, ComponentState};
use super::rows::{Builder, row};
use super::words::effect_of;
use super::{EntryState, Subject, TreeRow};

impl Builder<'_> {
    /// Components that lie in the repository and that nothing lists.
    pub(super) fn unlisted(&mut self) {
        let unlisted: Vec<ComponentRow> = self
            .model
            .components
            .rows
            .iter()
            .filter(|row| row.state == ComponentState::Unlisted)
            .cloned()
            .collect();
        if unlisted.is_empty() {
            return;
        }
        let key = self.key("#unlisted".to_owned());
        let heading = TreeRow {
            label: "components in the repository, not listed".to_owned(),
            detail: unlisted.len().to_string(),
            subject: Subject::Heading,
            ..row(key, 1, true)
        };
        if !self.push(heading) {
            return;
        }
        for component in unlisted {
            let key = self.key(format!("#unlisted#{}", component.text));
            self.push(TreeRow {
                label: sanitize(&component.text).into_owned(),
                detail: "space adds it".to_owned(),
                state: EntryState::Unlisted,
                subject: Subject::Unlisted {
                    file: component.file,
                    text: component.text,
                    path: component.path,
                },
                ..row(key, 2, false)
            });
        }
    }

    /// The entries that an item of `transformersFrom` imports, as they run.
    pub(super) fn imported(
        &mut self,
        file: &Path,
        entries: &[usize],
        layer: Option<usize>,
        at: (usize, &str),
    ) {
        for index in entries {
            let Some(entry) = self.composed(file).and_then(|shown| shown.entries.get(*index))
            else {
                continue;
            };
            let label = format!("{} {}", entry.id.gvk.kind, entry.id.name);
            let steps = self.steps_of(layer, "transformers", Some(*index));
            let key = self.key(format!("{}#{index}", at.1));
            let row = TreeRow {
                label: sanitize(&label).into_owned(),
                detail: self.effect_words(&steps),
                state: self.worst(&steps).map_or(EntryState::Plain, EntryState::of),
                subject: Subject::Step,
                steps,
                ..row(key, at.0, false)
            };
            self.push(row);
        }
    }

    /// The step that says most about an entry: one that failed or waits, else its first.
    pub(super) fn worst(&self, steps: &[usize]) -> Option<&Step> {
        let mut all = steps.iter().filter_map(|step| self.recording().step(*step));
        let stopped =
            |step: &&Step| matches!(step.outcome, Outcome::Failed(_) | Outcome::Waiting(_));
        all.clone().find(stopped).or_else(|| all.next())
    }

    /// The steps that Kustomize does once, at the root.
    pub(super) fn root_steps(&mut self) {
        let root: Vec<usize> = (0..self.recording().len())
            .filter(|step| self.recording().place_of_step(*step) == "(root)")
            .collect();
        if root.is_empty() {
            return;
        }
        let key = self.key("#root".to_owned());
        let heading = TreeRow {
            label: "at the root, once".to_owned(),
            subject: Subject::Heading,
            steps: root.clone(),
            ..row(key, 1, true)
        };
        if !self.push(heading) {
            return;
        }
        for index in root {
            let Some(step) = self.recording().step(index).cloned() else { continue };
            let key = self.key(format!("#root#{}", step.id.0));
            self.push(TreeRow {
                label: sanitize(&format!("{} {}", step.name, step.argument)).trim_end().to_owned(),
                detail: effect_of(&step),
                state: EntryState::of(&step),
                subject: Subject::Step,
                steps: vec![index],
                ..row(key, 2, false)
            });
        }
    }
}
