//! The running work, at most one of each kind. News of other work are out of date.

use std::ops::{Index, IndexMut};

use super::super::message::Effect;
use super::super::ports::{Comparison, ComparisonSides, Work};
use super::Model;

/// The kinds of work; work that starts cancels running work of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkKind {
    /// The comparison of all targets without and with the draft.
    Reach,
    Branch,
    /// The comparison without and with one edit.
    EditEffect,
    /// The comparison of the Compare screen.
    Compared,
    /// Builds of the open target with other texts, and the table of components.
    Varied,
    FieldEdit,
    Fetch,
    UserCommand,
    Sides,
    Components,
}

impl WorkKind {
    pub(crate) const ALL: [Self; 10] = [
        Self::Reach,
        Self::Branch,
        Self::EditEffect,
        Self::Compared,
        Self::Varied,
        Self::FieldEdit,
        Self::Fetch,
        Self::UserCommand,
        Self::Sides,
        Self::Components,
    ];
}

#[derive(Debug, Default)]
pub(crate) struct RunningWork {
    /// The number of the running work; `None` if none is running.
    pub request: Option<u64>,
    /// The number of finished parts, and the number of all of them.
    pub progress: Option<(usize, usize)>,
    /// True if the work is cancelled, and its result is shown nevertheless.
    pub is_stopping: bool,
}

#[derive(Debug, Default)]
pub(crate) struct WorkState {
    last_request: u64,
    running: [RunningWork; WorkKind::ALL.len()],
}

impl Index<WorkKind> for WorkState {
    type Output = RunningWork;

    fn index(&self, kind: WorkKind) -> &RunningWork {
        &self.running[kind as usize]
    }
}

impl IndexMut<WorkKind> for WorkState {
    fn index_mut(&mut self, kind: WorkKind) -> &mut RunningWork {
        &mut self.running[kind as usize]
    }
}

impl WorkState {
    pub(crate) fn is_running(&self, kind: WorkKind) -> bool {
        self[kind].request.is_some()
    }

    /// Drops running work; false without any.
    pub(crate) fn cancel(&mut self, kind: WorkKind) -> bool {
        std::mem::take(&mut self[kind]).request.is_some()
    }

    /// The kind of the running work with this number.
    pub(crate) fn kind(&self, request: u64) -> Option<WorkKind> {
        WorkKind::ALL.into_iter().find(|kind| self[*kind].request == Some(request))
    }
}

impl Model {
    /// For each kind of work, the number of the running work unless it is cancelled, or 0.
    pub fn needed_work(&self) -> [u64; WorkKind::ALL.len()] {
        let needed = |work: &RunningWork| work.request.filter(|_| !work.is_stopping);
        self.work.running.each_ref().map(|work| needed(work).unwrap_or(0))
    }

    /// Requests work, which cancels running work of the same kind.
    pub(crate) fn start(&mut self, kind: WorkKind, work: Work) {
        self.work.last_request += 1;
        let request = self.work.last_request;
        let running = &mut self.work[kind];
        (running.request, running.is_stopping) = (Some(request), false);
        self.request(Effect::Work(request, work));
    }

    /// Requests the comparison of two sides as the workbench shows them now, with the version
    /// profile that the user chose. `most` limits the trial builds for each target.
    pub(crate) fn start_comparison(&mut self, kind: WorkKind, sides: ComparisonSides, most: usize) {
        let (like, show_secrets) = (self.like.named, !self.look.secrets.are_masked());
        let what = Comparison { sides, most, show_secrets, like, bases: false };
        self.start(kind, Work::Compare(what));
    }
}
