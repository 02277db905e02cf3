//! Differences: by a step, or between the draft and the files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::secrets::Secrets;
use crate::answers::{self, layout_for_diff, pair_by_key};
use crate::draft::FileChange;
use crate::engine::evaluate::{Step, StepKind};
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::{Node, SourceId};
use crate::model::{Model, ResourceKey, WorkbenchRecording};
use crate::text::{LineDiff, sanitize, source_lines, yaml_lines};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Compare {
    /// Before and after the step under the cursor.
    #[default]
    Step,
    /// The output of the files on disk and that of the draft.
    Output,
    /// The files on disk and the draft.
    Files,
}

#[derive(Clone, Debug)]
pub(crate) struct ChangedRow {
    /// `+` for added, `~` for changed, `-` for removed.
    pub sign: char,
    /// The kind of the resource; empty for files.
    pub kind: String,
    pub name: String,
    pub key: Option<ResourceKey>,
    sides: DiffSides,
}

impl ChangedRow {
    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.kind, self.name)
    }
}

/// The two sides of a changed row, before they are compared line by line.
#[derive(Clone, Debug)]
enum DiffSides {
    Resource { before: Option<Arc<Resource>>, after: Option<Arc<Resource>> },
    File { path: PathBuf, before: Arc<[u8]>, after: Arc<[u8]> },
}

/// The counts of differences, as in `−1 Secret ~45`; a kind is named if all resources with the same
/// sign have it. Empty without differences.
pub(crate) fn counted(rows: &[ChangedRow], minus: &str) -> String {
    let mut words = Vec::new();
    for (sign, shown) in [('+', "+"), ('-', minus), ('~', "~")] {
        let mut kinds = rows.iter().filter(|row| row.sign == sign).map(|row| row.kind.as_str());
        let Some(first) = kinds.next() else { continue };
        let (mut count, mut is_one) = (1, true);
        for kind in kinds {
            count += 1;
            is_one &= kind == first;
        }
        let kind = if is_one && !first.is_empty() { format!(" {first}") } else { String::new() };
        words.push(format!("{shown}{count}{kind}"));
    }
    words.join(" ")
}

impl Compare {
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Step => Self::Output,
            Self::Output => Self::Files,
            Self::Files => Self::Step,
        }
    }
}

impl ChangedRow {
    pub(crate) fn resource(
        key: Option<ResourceKey>,
        before: Option<Arc<Resource>>,
        after: Option<Arc<Resource>>,
    ) -> Option<Self> {
        let shown = after.as_ref().or(before.as_ref())?;
        Some(Self {
            sign: sign(before.as_ref(), after.as_ref()),
            kind: sanitize(&shown.id.gvk.kind).into_owned(),
            name: sanitize(&shown.id.name).into_owned(),
            key,
            sides: DiffSides::Resource { before, after },
        })
    }

    pub(crate) fn file(change: &FileChange, name: String) -> Self {
        Self {
            sign: sign(change.base.as_ref(), change.draft.as_ref()),
            kind: String::new(),
            name,
            key: None,
            sides: DiffSides::File {
                path: change.path.clone(),
                before: change.base.clone().unwrap_or_default(),
                after: change.draft.clone().unwrap_or_default(),
            },
        }
    }

    pub(crate) fn diff(&self, secrets: &Secrets) -> LineDiff {
        match &self.sides {
            DiffSides::Resource { before, after } => {
                let after = after.as_ref().map(|resource| secrets.masked_node(resource));
                let before = before.as_ref().map(|resource| secrets.masked_node(resource));
                let (before, after) = match (before, after) {
                    (Some(before), Some(after)) => {
                        let (before, after) = layout_for_diff(&before, &after);
                        (Some(before), Some(after))
                    }
                    one => one,
                };
                let lines = |side: Option<&Node>| side.map(yaml_lines).unwrap_or_default();
                LineDiff::new(lines(before.as_ref()), lines(after.as_ref()))
            }
            DiffSides::File { path, before, after } => LineDiff::new(
                source_lines(&secrets.file(path, before), SourceId::NONE),
                source_lines(&secrets.file(path, after), SourceId::NONE),
            ),
        }
    }
}

fn sign<T>(before: Option<T>, after: Option<T>) -> char {
    match (before, after) {
        (None, _) => '+',
        (_, None) => '-',
        _ => '~',
    }
}

pub(crate) fn differences(model: &Model) -> Vec<ChangedRow> {
    let recording = &model.builds.recording;
    match model.compared() {
        Compare::Step => {
            let step = recording.step(model.cursor);
            step.map(|step| step_changes(recording, step)).unwrap_or_default()
        }
        Compare::Output => {
            let saved = model.builds.saved.as_deref();
            saved.map(|saved| changed_between(saved, recording)).unwrap_or_default()
        }
        Compare::Files => {
            let name = |path: &Path| recording.shorten(&path.to_string_lossy());
            let changes = model.edits.changes.iter();
            changes.map(|change| ChangedRow::file(change, name(&change.path))).collect()
        }
    }
}

pub(crate) fn step_changes(recording: &WorkbenchRecording, step: &Step) -> Vec<ChangedRow> {
    if step.kind == StepKind::Merge {
        // In a merge, the resources only move to another accumulator.
        return Vec::new();
    }
    let changes = step.changes.iter().filter(|change| change.is_visible());
    with_groups(changes.filter_map(|change| {
        let key = recording.key(change.slot).cloned();
        ChangedRow::resource(key, change.before.clone(), change.after.clone())
    }))
}

/// The rows; those of one kind and name have the API group or the namespace as well.
fn with_groups(rows: impl Iterator<Item = ChangedRow>) -> Vec<ChangedRow> {
    let mut rows: Vec<ChangedRow> = rows.collect();
    for at in alike(rows.iter().map(|row| (&*row.kind, &*row.name))) {
        let row = &mut rows[at];
        let DiffSides::Resource { before, after } = &row.sides else { continue };
        let Some(id) = after.as_ref().or(before.as_ref()).map(|shown| &shown.id) else { continue };
        if !id.gvk.group.is_empty() {
            row.kind = sanitize(&format!("{}.{}", id.gvk.kind, id.gvk.group)).into_owned();
        }
        if !id.namespace.is_empty() {
            row.name = sanitize(&format!("{}/{}", id.namespace, id.name)).into_owned();
        }
    }
    rows
}

/// The indices of the rows that have the kind and the name of another one.
pub(crate) fn alike<'a>(names: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<usize> {
    let mut rows: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, name) in names.enumerate() {
        rows.entry(name).or_default().push(at);
    }
    rows.into_values().filter(|rows| rows.len() > 1).flatten().collect()
}

pub(crate) fn net_changes<'a>(
    recording: &WorkbenchRecording,
    steps: impl Iterator<Item = &'a Step>,
) -> Vec<ChangedRow> {
    with_groups(answers::net_changes(steps).filter_map(|(slot, (before, after))| {
        ChangedRow::resource(recording.key(slot).cloned(), before, after)
    }))
}

type Output = (Slot, Arc<Resource>);

/// Differences between two outputs, in the order of the newer one.
///
/// Empty if one of the builds fails and so has no output.
pub(crate) fn changed_between(
    old: &WorkbenchRecording,
    new: &WorkbenchRecording,
) -> Vec<ChangedRow> {
    if old.error.is_some() || new.error.is_some() {
        return Vec::new();
    }
    let side = |recording: &WorkbenchRecording, key: Option<&ResourceKey>| {
        let slot = recording.identity.slot(key?)?;
        recording.output_resource(slot).cloned()
    };
    let row = |key, before: Option<Arc<Resource>>, after: Option<Arc<Resource>>| {
        let both = before.as_ref().zip(after.as_ref());
        let same = both
            .is_some_and(|(old, new)| Arc::ptr_eq(old, new) || old.node.same_content(&new.node));
        if same { None } else { ChangedRow::resource(key, before, after) }
    };
    let outputs = || old.output.iter().zip(&new.output);
    let is_one = |((was, _), (is, _)): (&Output, &Output)| {
        old.key(*was).is_some() && old.key(*was) == new.key(*is)
    };
    // Usually the same resources are in the same order.
    if old.output.len() == new.output.len() && outputs().all(is_one) {
        let differ = outputs().filter(|((_, before), (_, after))| !Arc::ptr_eq(before, after));
        return with_groups(differ.filter_map(|((_, before), (slot, after))| {
            row(new.key(*slot).cloned(), Some(before.clone()), Some(after.clone()))
        }));
    }
    let pairs =
        pair_by_key(old.output_keys(), new.output_keys()).into_iter().filter_map(|(was, is)| {
            let (before, after) = (side(old, was.as_ref()), side(new, is.as_ref()));
            row(is.or(was), before, after)
        });
    with_groups(pairs)
}
