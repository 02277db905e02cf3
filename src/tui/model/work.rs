//! The running work, at most one of each kind. News of other work are out of date.

use std::collections::BTreeMap;

use super::super::message::Effect;
use super::super::ports::{Comparison, ComparisonSides, Work};
use super::Model;

/// The kinds of work; work that starts cancels running work of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WorkKind {
    Reach,
    Branch,
    EditEffect,
    Compared,
    /// Builds of the open target with other texts, and the table of components.
    Varied,
    FieldEdit,
    Fetch,
    UserCommand,
    Sides,
    Components,
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
    running: BTreeMap<WorkKind, RunningWork>,
}

impl WorkState {
    pub(crate) fn is_running(&self, kind: WorkKind) -> bool {
        self.running.get(&kind).is_some_and(|work| work.request.is_some())
    }

    pub(crate) fn progress(&self, kind: WorkKind) -> Option<(usize, usize)> {
        self.running.get(&kind)?.progress
    }

    pub(crate) fn of_kind(&mut self, kind: WorkKind) -> &mut RunningWork {
        self.running.entry(kind).or_default()
    }

    /// Drops running work; false without any.
    pub(crate) fn cancel(&mut self, kind: WorkKind) -> bool {
        self.running.remove(&kind).is_some_and(|work| work.request.is_some())
    }

    pub(crate) fn kind(&self, request: u64) -> Option<WorkKind> {
        let (kind, _) = self.running.iter().find(|(_, work)| work.request == Some(request))?;
        Some(*kind)
    }
}

impl Model {
    /// The numbers of the running work that is not cancelled.
    pub fn needed_work(&self) -> Vec<u64> {
        let needed = self.work.running.values().filter(|work| !work.is_stopping);
        needed.filter_map(|work| work.request).collect()
    }

    pub(crate) fn start(&mut self, kind: WorkKind, work: Work) {
        self.work.last_request += 1;
        let request = self.work.last_request;
        let running = self.work.of_kind(kind);
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
