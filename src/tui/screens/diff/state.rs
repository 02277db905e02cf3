//! Differences: by a step, or between the draft and the files; and the diff of all changed resources
//! in sequence.
//!
//! A step may change thousands of resources. Only the resources near the visible lines are
//! compared; scrolling compares more.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::secrets::Secrets;
use crate::answers::{self, layout_for_diff, pair_by_key};
use crate::draft::FileChange;
use crate::engine::evaluate::{Step, StepKind};
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::{Node, SourceId};
use crate::model::{Model, Pane, ResourceKey, WorkbenchRecording};
use crate::text::{DiffRow, LineDiff, Split, sanitize, source_lines, yaml_lines};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

#[derive(Clone, Debug, Default)]
pub(crate) struct DiffState {
    pub compare: Compare,
    pub split: Split,
    pub context: usize,
    pub changed: Vec<ChangedRow>,
    pub whole: CombinedDiff,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct CombinedDiff {
    /// The index in the list of the first resource that was compared.
    first: usize,
    diffs: VecDeque<LineDiff>,
    pub rows: Vec<CombinedDiffRow>,
    layout: (Split, usize),
    has_headings: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CombinedDiffRow {
    /// The index of the resource in the list.
    pub part: usize,
    /// A row of the diff; `None` for the heading.
    pub row: Option<DiffRow>,
}

impl CombinedDiffRow {
    pub(crate) fn differs(&self) -> bool {
        self.row.is_some_and(DiffRow::differs)
    }
}

impl Model {
    /// True for an added or removed line of a diff, which is shown in full.
    pub(crate) fn is_changed_line(&self, pane: Pane, index: usize) -> bool {
        match pane {
            Pane::Diff => self.diff.whole.rows.get(index).is_some_and(CombinedDiffRow::differs),
            Pane::EditDiff => {
                let row = self.edits.shown.row(index).and_then(Result::ok);
                row.is_some_and(|(_, row)| row.differs())
            }
            _ => false,
        }
    }
}

impl CombinedDiff {
    /// An empty diff that starts with the resource `part`; with several `parts`, each gets a
    /// heading.
    pub(crate) fn beginning_at(part: usize, parts: usize, split: Split, context: usize) -> Self {
        // A single resource needs no heading: the title names it.
        Self { first: part, layout: (split, context), has_headings: parts > 1, ..Self::default() }
    }

    pub(crate) fn part(&self, part: usize) -> Option<&LineDiff> {
        self.diffs.get(part.checked_sub(self.first)?)
    }

    pub(crate) fn first_row(&self, part: usize) -> Option<usize> {
        self.part(part)?;
        Some(self.rows.partition_point(|row| row.part < part))
    }

    pub(crate) fn is_side_by_side(&self) -> bool {
        self.layout.0 == Split::SideBySide
    }

    /// Compares the next part below; false at the end.
    pub(crate) fn grow_down(&mut self, all: &[ChangedRow], secrets: &Secrets) -> bool {
        let part = self.first + self.diffs.len();
        let Some(changed) = all.get(part) else { return false };
        let diff = changed.diff(secrets);
        self.rows.extend(self.part_rows(part, &diff));
        self.diffs.push_back(diff);
        true
    }

    /// Compares the next resource above; returns its number of rows, or `None` at the beginning.
    pub(crate) fn grow_up(&mut self, all: &[ChangedRow], secrets: &Secrets) -> Option<usize> {
        let part = self.first.checked_sub(1)?;
        let diff = all.get(part)?.diff(secrets);
        let above = self.part_rows(part, &diff);
        let rows = above.len();
        self.rows.splice(0..0, above);
        self.diffs.push_front(diff);
        self.first = part;
        Some(rows)
    }

    /// Arranges the rows in another way; false if they are already arranged so.
    pub(crate) fn arrange_rows(&mut self, split: Split, context: usize) -> bool {
        if self.layout == (split, context) {
            return false;
        }
        self.layout = (split, context);
        let parts = (self.first..).zip(&self.diffs);
        let rows = parts.flat_map(|(part, diff)| self.part_rows(part, diff)).collect();
        self.rows = rows;
        true
    }

    /// The rows of a compared resource, with its heading if several resources are compared.
    fn part_rows(&self, part: usize, diff: &LineDiff) -> Vec<CombinedDiffRow> {
        let heading = self.has_headings.then_some(CombinedDiffRow { part, row: None });
        let rows = diff.rows(self.layout.0, self.layout.1).into_iter();
        heading
            .into_iter()
            .chain(rows.map(|row| CombinedDiffRow { part, row: Some(row) }))
            .collect()
    }
}
