//! Entries and effects in a few words.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::engine::evaluate::{Step, StepKind};
use crate::engine::manifest::OutlineField;
use crate::engine::resource::ResId;
use crate::message::SourceFile;
use crate::model::{Recording, StepState, WorkbenchRecording, count_pending, pending_reason};
use crate::text::sanitize;

pub(crate) fn own_name(field: &OutlineField) -> &str {
    field.name.rsplit('.').next().unwrap_or(&field.name)
}

/// The path in the text of an entry; `None` if the entry contains no path.
pub(crate) fn entry_path<'a>(field: &str, text: &'a str) -> Option<&'a str> {
    let plain = text.trim();
    let lists_paths = matches!(
        field,
        "resources"
            | "bases"
            | "components"
            | "patchesStrategicMerge"
            | "generators"
            | "transformers"
            | "modules"
            | "validators"
            | "configurations"
            | "crds"
    );
    if lists_paths && !plain.contains('\n') {
        let plain = plain.split(" #").next().unwrap_or(plain).trim();
        return Some(plain.trim_matches(['"', '\'']));
    }
    let path = plain.lines().find_map(|line| line.trim().strip_prefix("path:"))?;
    Some(path.split(" #").next().unwrap_or(path).trim().trim_matches(['"', '\'']))
}

pub(crate) fn step_effect_text(step: &Step) -> String {
    if let Some(waits) = pending_reason(step) {
        return waits;
    }
    let state = StepState::from_step(step);
    if !matches!(state, StepState::Applied | StepState::Warned) {
        let is_silent = StepState::is_silent(step);
        return if is_silent { "no change" } else { state.words() }.to_owned();
    }
    if step.kind == StepKind::Load || step.kind == StepKind::Generate {
        let added = step.changes.iter().filter_map(|change| change.after.as_ref());
        let name = |id: &ResId| sanitize(&format!("{} {}", id.gvk.kind, id.name)).into_owned();
        let mut names = added.map(|resource| name(&resource.id));
        let first = names.next().unwrap_or_default();
        return match names.count() {
            0 => first,
            more => format!("{first} and {more} more"),
        };
    }
    let counts = step.counts;
    let (mut words, mut counted) = (Vec::new(), Vec::new());
    let only = step.changes.first().filter(|_| step.matched == 1 && step.changes.len() == 1);
    if let Some(resource) = only.and_then(|change| change.after.as_ref()) {
        // Patches with equal file names differ in the name.
        let name = format!("~ {} {}", resource.id.gvk.kind, resource.id.name);
        words.push(sanitize(&name).into_owned());
    } else {
        counted.extend([("matched", step.matched), ("changed", counts.modified)]);
    }
    counted.extend([("added", counts.added), ("removed", counts.removed)]);
    let counted = counted.into_iter().filter(|(_, count)| *count > 0);
    words.extend(counted.map(|(word, count)| format!("{word} {count}")));
    if state == StepState::Warned {
        words.push("warned".to_owned());
    }
    words.join("  ")
}

pub(crate) fn no_effect_counts(recording: &WorkbenchRecording, steps: &[usize]) -> String {
    let has_none = |step: &&Step| {
        let state = StepState::from_step(step);
        Recording::is_expected_to_change(step)
            && matches!(state, StepState::MatchedNothing | StepState::NoChange)
    };
    let count = steps.iter().filter_map(|step| recording.step(*step)).filter(has_none).count();
    let silent = if count == 0 { String::new() } else { format!(", {count} without effect") };
    format!("{silent}{}", pending_words(recording, steps.iter().copied()))
}

/// The number of steps without a match or with an error.
pub(crate) fn no_match_count(recording: &WorkbenchRecording, steps: &[usize]) -> usize {
    let states = steps.iter().filter_map(|step| recording.step(*step)).map(StepState::from_step);
    states.filter(|it| matches!(it, StepState::MatchedNothing | StepState::Failed)).count()
}

pub(crate) fn pending_words(
    recording: &WorkbenchRecording,
    steps: impl IntoIterator<Item = usize>,
) -> String {
    match count_pending(recording, steps) {
        0 => String::new(),
        count => format!(", {count} pending"),
    }
}

/// The kustomization file of a directory, among the files of the build.
pub(crate) fn source_of<'a>(
    sources: &'a BTreeMap<PathBuf, SourceFile>,
    dir: &Path,
) -> Option<(&'a PathBuf, &'a SourceFile)> {
    sources
        .range(dir.to_path_buf()..)
        .take_while(|(file, _)| file.starts_with(dir))
        .find(|(file, source)| file.parent() == Some(dir) && !source.deploys)
}
