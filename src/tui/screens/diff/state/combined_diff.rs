//! The diff of all changed resources in sequence.
//!
//! A step may change thousands of resources. Only the resources near the visible lines are
//! compared; scrolling compares more.

use std::collections::VecDeque;

use crate::answers::secrets::Secrets;
use crate::model::{ChangedRow, Compare, Model, Pane};
use crate::text::{DiffRow, LineDiff, Split};

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
