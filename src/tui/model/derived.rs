//! What the shown parts were derived from, so that they are derived again only when that is another.

use std::sync::Arc;

use super::super::text::Split;
use super::{Compare, ResourceKey, RowKey, StepFilter};

/// What the derived parts were derived from.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Derived {
    pub components: Option<(u64, u64)>,
    pub tree: Option<(u64, u64)>,
    pub problems: Option<u64>,
    pub steps: Option<(u64, StepFilter)>,
    pub resources: Option<(u64, usize)>,
    pub changed: Option<(u64, u64, usize, Compare)>,
    pub diff: Option<(u64, u64, usize, Compare, usize)>,
    pub rows: Option<(Split, usize)>,
    pub lines: Option<(u64, usize, Option<ResourceKey>)>,
    pub history: Option<(u64, Option<ResourceKey>, Arc<str>, usize)>,
    pub preview: Option<(u64, u64, RowKey)>,
    pub explanation: Option<(u64, usize, u16)>,
    pub catalogs: Option<u64>,
    pub review: Option<(u64, usize, u16)>,
    pub functions: Option<u64>,
    pub function: Option<(u64, usize, u16)>,
    pub pipeline: Option<(u64, Option<usize>)>,
    pub entry: Option<(u64, Option<usize>, usize)>,
    pub component: Option<(u64, bool, bool, usize)>,
    pub board: Option<(u64, Option<String>)>,
    pub users: Option<(u64, Option<std::path::PathBuf>)>,
    pub compared: Option<u64>,
    pub found: Option<(u64, bool)>,
    pub hunk: Option<(u64, usize)>,
}

impl Derived {
    /// The tree is to be built again: a node was opened or closed.
    pub(in crate::tui) fn forget_tree(&mut self) {
        self.tree = None;
    }

    /// What is said about steps is to be gathered again.
    pub(in crate::tui) fn forget_claims(&mut self) {
        (self.problems, self.steps, self.tree, self.explanation) = (None, None, None, None);
    }

    /// Takes over what was derived of many builds: another target is opened, and that stays.
    pub(in crate::tui) fn keep_of_many(&mut self, from: Self) {
        self.board = from.board;
        self.users = from.users;
        self.compared = from.compared;
        self.hunk = from.hunk;
    }

    /// Texts in which values of Secrets may stand are to be made again.
    pub(in crate::tui) fn forget_texts(&mut self) {
        (self.lines, self.diff, self.preview, self.history) = (None, None, None, None);
        (self.tree, self.function, self.explanation) = (None, None, None);
    }

    /// The rows of the diff were made for two sides.
    pub(in crate::tui) fn is_side_by_side(&self) -> bool {
        matches!(self.rows, Some((Split::SideBySide, _)))
    }
}
