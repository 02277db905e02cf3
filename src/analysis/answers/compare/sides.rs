//! One target, built on two sides.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::pairs::changes_of;
use super::{FieldChange, FileEdits, Pair, Pruning, Reason, Trials, pair_up, reasons};
use crate::draft::Overlay;
use crate::engine::evaluate::{BuildOptions, Evaluation, Memory, Outcome, Ports, Trace, evaluate};
use crate::engine::load::Files;
use crate::engine::resource::Resource;

/// The settings for building one side.
#[derive(Clone)]
pub struct Side {
    pub ports: Ports,
    pub options: BuildOptions,
    /// The target's folder. `None` for a rendered file.
    pub target: Option<PathBuf>,
    /// The resources of a rendered file.
    pub rendered: Vec<Arc<Resource>>,
}

/// One resource of two builds.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The resource on both sides.
    pub pair: Pair,
    /// The changed fields, each with its reason.
    pub changes: Vec<(FieldChange, Reason)>,
}

/// The builds of one target on both sides, and their differences.
pub struct Outcomes {
    /// The build of the first side.
    pub before: Built,
    /// The build of the second side.
    pub after: Built,
    pub compared: Vec<Compared>,
    /// The effect of the second side's deployment on removed objects.
    pub pruning: Pruning,
}

/// The build of one side.
pub struct Built {
    pub outcome: Result<Vec<Arc<Resource>>, String>,
    /// The recording; empty for a rendered file.
    pub trace: Trace,
    watched: BTreeSet<PathBuf>,
}

impl Side {
    /// The output; `None` without a target, and for a build that fails or has pending steps.
    pub(super) fn resources(&self) -> Option<Vec<Arc<Resource>>> {
        let is_side = self.target.is_some() || !self.rendered.is_empty();
        is_side.then(|| self.build(&mut Memory::default()).outcome.ok())?
    }

    fn build(&self, memory: &mut Memory) -> Built {
        let Some(target) = &self.target else {
            let (outcome, watched) = (Ok(self.rendered.clone()), BTreeSet::new());
            return Built { outcome, trace: Trace::default(), watched };
        };
        let Evaluation { trace, outcome, watched, .. } =
            evaluate(&target.to_string_lossy(), target, &self.options, &self.ports, memory);
        // The output of a build with pending steps is not known: it counts as failed.
        let waits = trace.steps.iter().find_map(|step| match &step.outcome {
            Outcome::Waiting(why) => Some(format!("waits: {why}")),
            _ => None,
        });
        let outcome = match (outcome, waits) {
            (Ok(_), Some(why)) => Err(why),
            (outcome, _) => outcome.map_err(|error| error.message.clone()),
        };
        Built { outcome, trace, watched: watched.into_iter().collect() }
    }
}

/// Builds a target on both sides, finds the differences, and the reason of each. `most` limits the
/// trials: differences without a trial have only their location.
///
/// `edits_are_all`: both sides are built alike, from files that differ only by the edits.
pub fn compare_target(
    before: &Side,
    after: &Side,
    edits: &[FileEdits],
    edits_are_all: bool,
    most: usize,
) -> Outcomes {
    let mut memory = Memory::default();
    let one = before.build(&mut Memory::default());
    let other = after.build(&mut memory);
    let (Ok(old), Ok(new)) = (&one.outcome, &other.outcome) else {
        let (compared, pruning) = (Vec::new(), Pruning::NotKnown);
        return Outcomes { before: one, after: other, compared, pruning };
    };
    let pairs = pair_up(old, new).into_iter().map(|pair| {
        let changes = changes_of(&pair);
        (pair, changes)
    });
    let pairs: Vec<(Pair, Vec<FieldChange>)> =
        pairs.filter(|(_, changes)| !changes.is_empty()).collect();
    // Only edits of files that one of the builds has read can be a reason.
    let is_read = |file: &FileEdits| {
        other.watched.contains(&file.path) || one.watched.contains(&file.before_path)
    };
    let relevant: Vec<usize> =
        edits.iter().enumerate().filter(|(_, file)| is_read(file)).map(|(at, _)| at).collect();
    let mut build = |texts: Vec<(PathBuf, Option<Arc<[u8]>>)>| {
        let files: Arc<dyn Files> =
            Arc::new(Overlay::new(texts.into_iter(), after.ports.files.clone()));
        let side = Side { ports: Ports { files, ..after.ports.clone() }, ..after.clone() };
        side.build(&mut memory).outcome.ok()
    };
    let most = if after.target.is_some() { most } else { 0 };
    let is_alike = before.options.profile == after.options.profile;
    let mut trials = Trials { build: &mut build, left: most, is_alike, edits_are_all };
    let found = reasons(old, &pairs, edits, &relevant, (&one.trace, &other.trace), &mut trials);
    let compared = pairs.into_iter().zip(found).map(|((pair, changes), reasons)| Compared {
        pair,
        changes: changes.into_iter().zip(reasons).collect(),
    });
    let compared = compared.collect();
    let pruning = Pruning::of_build(&other.trace, &*after.ports.files);
    Outcomes { before: one, after: other, compared, pruning }
}
