//! Types of the tree: rows, their subjects and states.

mod added_rows;
mod rows;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::draft::EntryRef;
use crate::engine::evaluate::Step;
use crate::model::StepState;
use crate::text::width;
pub(crate) use rows::{TreeRow, all_tree_rows, has_more_rows, tree_rows};

/// Identifies a row, so that it is found again after a rebuild.
pub(crate) type RowKey = Arc<str>;

/// The key of the heading above the components that no file lists.
const UNLISTED_KEY: &str = "#unlisted";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum TreeSubject {
    /// A layer, given by its kustomization file.
    Layer {
        file: PathBuf,
    },
    Field {
        file: PathBuf,
        /// 1-based line of the field's key.
        line: u32,
    },
    /// A field with one value.
    Scalar {
        file: PathBuf,
        field: String,
        /// 1-based line of the field's key.
        line: u32,
    },
    Entry {
        entry: EntryRef,
        /// 1-based line of the entry's dash.
        line: u32,
        /// The file or directory that the entry names, if any.
        names: Option<PathBuf>,
    },
    /// An unlisted component: its directory, and the entry that would list it.
    Unlisted {
        /// The file that would list it.
        file: PathBuf,
        text: String,
        path: PathBuf,
    },
    Step,
    #[default]
    Heading,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EntryState {
    #[default]
    Plain,
    /// The outcome of the row's step.
    Ended(StepState),
    On,
    Off,
    Unlisted,
    /// The build ended before this entry.
    NotReached,
    /// A step inside the entry failed.
    Broken,
}

impl EntryState {
    /// The state of a row with one step, from the outcome of the step; plain for a step without
    /// effect that was not expected to have one.
    pub(crate) fn from_step(step: &Step) -> Self {
        let is_silent = StepState::is_silent(step);
        if is_silent { Self::Plain } else { Self::Ended(StepState::from_step(step)) }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TreeState {
    /// The visible rows: those in closed nodes are missing.
    pub rows: Vec<TreeRow>,
    /// The width in columns at which no row is cut.
    pub wanted: usize,
    /// True if bases and components are closed unless the user opened them.
    pub is_folded: bool,
    /// True if the list of unlisted components is closed unless the user opened it.
    pub is_unlisted_folded: bool,
    pub toggled: BTreeSet<RowKey>,
}

impl TreeState {
    pub(crate) fn set_rows(&mut self, rows: Vec<TreeRow>) {
        let signs = |row: &TreeRow| 6 + 2 * row.depth + if row.order.is_some() { 3 } else { 0 };
        let label = rows.iter().map(|row| signs(row) + width(&row.label)).max().unwrap_or(0);
        // At most the width of a short sentence.
        let detail = rows.iter().map(|row| width(&row.detail).min(40)).max().unwrap_or(0);
        self.wanted = label + 2 + detail;
        self.rows = rows;
    }

    fn shows_children(&self, row: &TreeRow) -> bool {
        let is_inner = row.depth > 0 && matches!(row.subject, TreeSubject::Entry { .. });
        let is_unlisted = &*row.key == UNLISTED_KEY;
        let is_closed = self.is_folded && is_inner || self.is_unlisted_folded && is_unlisted;
        row.has_children && is_closed == self.toggled.contains(&row.key)
    }

    pub(crate) fn toggle(&mut self, row: &TreeRow) {
        if !self.toggled.remove(&row.key) {
            self.toggled.insert(row.key.clone());
        }
    }

    pub(crate) fn open(&mut self, row: &TreeRow) {
        if !self.shows_children(row) {
            self.toggle(row);
        }
    }

    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        self.rows.iter().position(|row| &*row.key == key)
    }

    pub(crate) fn parent(&self, index: usize) -> Option<usize> {
        let depth = self.rows.get(index)?.depth;
        self.rows[..index].iter().rposition(|row| row.depth < depth)
    }
}
