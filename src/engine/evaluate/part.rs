//! A reusable part of a build: its identity and its cached result.

use std::path::PathBuf;
use std::sync::Arc;

use crate::load::{RecordedQuery, Root};
use crate::manifest::Marked;
use crate::plugin::FunctionRun;

use super::BuildOptions;
use super::accumulator::Accumulator;
use super::build_root::BuildRoot;
use super::carried::CarriedState;
use super::enclosing::EnclosingSettings;
use super::notes::BuildNotes;
use super::recorded::RecordedPart;
use super::target::BesidesComponents;

/// The number of an accumulator's state: equal numbers, equal states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StateId(pub(super) u64);

/// Which part of a build.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum PartId {
    /// The base in this directory.
    Base(ReachedDirectory),
    /// The work of the layer in this directory before its components.
    Beginning(ReachedDirectory),
    /// The component that an entry names, on an accumulator in this state.
    Component(StateId, String),
}

/// A directory, and the path by which it was reached: origins name the entries on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ReachedDirectory {
    directory: PathBuf,
    origin_path: PathBuf,
}

impl ReachedDirectory {
    pub(super) fn to(root: &Root) -> Self {
        Self { directory: root.path().to_owned(), origin_path: root.seen_as("") }
    }
}

/// The configuration of a part besides the files that it reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PartConfig {
    Nothing,
    OutsideComponents(Box<BesidesComponents>),
    Entry(usize, Marked<String>),
}

/// The result of a finished part, and all its inputs.
#[derive(Clone, Debug)]
pub(super) struct CachedPart {
    pub(super) given: PartInputs,
    pub(super) queries: Vec<Arc<RecordedQuery>>,
    pub(super) recorded: RecordedPart,
    pub(super) notes: BuildNotes,
    pub(super) acc: Accumulator,
    pub(super) state: StateId,
    /// The state passed to later parts.
    pub(super) carried: CarriedState,
    /// Nested parts, which stay cached because they are needed if this one is not reusable.
    pub(super) within: Vec<PartId>,
}

impl CachedPart {
    /// True if a matching function was called in it.
    pub(super) fn called(&self, is_it: &dyn Fn(&FunctionRun) -> bool) -> bool {
        let mut runs = self.recorded.steps.iter().filter_map(|step| step.run.as_deref());
        runs.any(is_it)
    }
}

/// The inputs of a part besides files.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartInputs {
    pub(super) written: PartConfig,
    pub(super) options: BuildOptions,
    pub(super) root: BuildRoot,
    pub(super) carried: CarriedState,
    pub(super) enclosing: EnclosingSettings,
}
