//! A reusable part of a build: its identity and its cached result.

use std::path::PathBuf;
use std::sync::Arc;

use crate::load::{RecordedQuery, Root};
use crate::manifest::Marked;
use crate::plugin::FunctionRun;

use super::BuildOptions;
use super::accumulator::Accumulator;
use super::build_root::BuildRoot;
use super::carried_state::CarriedState;
use super::notes::BuildNotes;
use super::recorded_part::RecordedPart;
use super::target::BesidesComponents;

/// Identifies a state of an accumulator: states with equal numbers are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StateId(pub(super) u64);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum PartId {
    Base(ReachedDirectory),
    Beginning(ReachedDirectory),
    /// The component that an entry names, on an accumulator in this state.
    Component(StateId, String),
}

/// A directory, and if origins are tracked the path by which it was reached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ReachedDirectory {
    directory: PathBuf,
    origin_path: Option<PathBuf>,
}

impl ReachedDirectory {
    pub(super) fn from_root(root: &Root, tracks_origins: bool) -> Self {
        let origin_path = tracks_origins.then(|| root.seen_as(""));
        Self { directory: root.path().to_owned(), origin_path }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum PartConfig {
    Nothing,
    OutsideComponents(Box<BesidesComponents>),
    Entry(usize, Marked<String>),
}

#[derive(Clone, Debug)]
pub(super) struct CachedPart {
    pub(super) given: PartInputs,
    pub(super) queries: Vec<Arc<RecordedQuery>>,
    pub(super) recorded: RecordedPart,
    pub(super) notes: BuildNotes,
    pub(super) acc: Arc<Accumulator>,
    pub(super) state: StateId,
    /// The state that later parts continue with.
    pub(super) carried: CarriedState,
    /// Nested parts. They stay cached, because they are needed if this part is not reusable.
    pub(super) within: Vec<PartId>,
}

impl CachedPart {
    pub(super) fn called(&self, is_it: &dyn Fn(&FunctionRun) -> bool) -> bool {
        let mut runs = self.recorded.steps.iter().filter_map(|step| step.run.as_deref());
        runs.any(is_it)
    }
}

/// The inputs of a part besides files.
#[derive(Clone, Debug)]
pub(super) struct PartInputs {
    pub(super) written: PartConfig,
    pub(super) options: Arc<BuildOptions>,
    pub(super) root: BuildRoot,
    pub(super) carried: CarriedState,
    pub(super) namespace: String,
}

impl PartInputs {
    /// True if a part that was built with these inputs has the same result with the inputs `other`.
    /// `names_root` is true for a part with messages that contain paths relative to the root.
    pub(super) fn gives_same_result(&self, other: &Self, names_root: bool) -> bool {
        self.root.gives_same_results(&other.root, names_root)
            && self.carried == other.carried
            && self.namespace == other.namespace
            && self.written == other.written
            && self.options == other.options
    }
}
