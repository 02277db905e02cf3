//! A reusable part of a build: its identity and its cached result.

use std::path::PathBuf;
use std::sync::Arc;

use crate::load::{Asked, Root};
use crate::manifest::Placed;
use crate::plugin::FunctionRun;

use super::BuildOptions;
use super::accumulator::Accumulator;
use super::build_root::BuildRoot;
use super::carried::Carried;
use super::enclosing::Enclosing;
use super::notes::Notes;
use super::recorded::Recorded;
use super::target::BesidesComponents;

/// The number of an accumulator's state: equal numbers, equal states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StateId(pub(super) u64);

/// Which part of a build.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum PartId {
    /// The base in this directory.
    Base(Way),
    /// The work of the layer in this directory before its components.
    Beginning(Way),
    /// The component that an entry names, on an accumulator in this state.
    Component(StateId, String),
}

/// A directory, and the path by which it was reached: origins name the entries on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Way {
    directory: PathBuf,
    seen_as: PathBuf,
}

impl Way {
    pub(super) fn to(root: &Root) -> Self {
        Self { directory: root.path().to_owned(), seen_as: root.seen_as("") }
    }
}

/// The configuration of a part besides the files that it reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Written {
    Nothing,
    Besides(Box<BesidesComponents>),
    Entry(usize, Placed<String>),
}

/// The result of a finished part, and all its inputs.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    pub(super) given: Given,
    pub(super) asked: Vec<Arc<Asked>>,
    pub(super) recorded: Recorded,
    pub(super) notes: Notes,
    pub(super) acc: Accumulator,
    pub(super) state: StateId,
    /// The state passed to later parts.
    pub(super) carried: Carried,
    /// Nested parts, which stay cached because they are needed if this one is not reusable.
    pub(super) within: Vec<PartId>,
}

impl Finished {
    /// True if a matching function was called in it.
    pub(super) fn called(&self, is_it: &dyn Fn(&FunctionRun) -> bool) -> bool {
        let mut runs = self.recorded.steps.iter().filter_map(|step| step.run.as_deref());
        runs.any(is_it)
    }
}

/// The inputs of a part besides files.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub(super) written: Written,
    pub(super) options: BuildOptions,
    pub(super) root: BuildRoot,
    pub(super) carried: Carried,
    pub(super) enclosing: Enclosing,
}
