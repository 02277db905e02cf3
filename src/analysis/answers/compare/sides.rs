//! One target, built on two sides.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::pending_steps::{PendingStep, PendingSteps, UnknownField};
use super::resource_pairs::{SameRole, new_names, pair_differences, pair_up_by_role};
use super::{DifferenceCause, FieldChange, FileEdits, Pruning, ResourcePair, Trials, find_causes};
use crate::answers::recording::failure_words::failure_words;
use crate::draft::DraftedFiles;
use crate::engine::evaluate::{
    BuildCache, BuildOptions, Evaluation, FunctionAnswers, Ports, Trace, evaluate,
};
use crate::engine::load::Files;
use crate::engine::resource::{Resource, Slot};

#[derive(Clone)]
pub struct Side {
    pub ports: Ports,
    pub options: BuildOptions,
    /// The target's folder. `None` for a rendered file.
    pub target: Option<PathBuf>,
    /// The folder to which paths in hints are relative.
    pub current: PathBuf,
    pub rendered: Vec<Arc<Resource>>,
    pub answers: FunctionAnswers,
}

#[derive(Clone, Debug)]
pub struct ComparedResource {
    pub pair: ResourcePair,
    pub changes: Vec<(FieldChange, DifferenceCause)>,
    /// The pending step that may still write the resource, or add it to the side that lacks it: the
    /// difference is not known.
    pub pending: Option<PendingStep>,
}

pub struct Outcomes {
    pub before: SideBuild,
    pub after: SideBuild,
    pub compared: Vec<ComparedResource>,
    /// True if differences are possible in parts of the output that are not built on both sides.
    pub is_open: bool,
    pub pruning: Pruning,
}

pub struct SideBuild {
    /// The part of the output that is built, or the error.
    pub outcome: Result<Vec<Arc<Resource>>, String>,
    pub slots: Vec<Slot>,
    pub pending: PendingSteps,
    /// The recording; empty for a rendered file.
    pub trace: Trace,
    pub(super) watched: BTreeSet<PathBuf>,
}

impl Side {
    /// The build of the side. The cache serves trial builds, and the builds of further targets of
    /// the same side, which have bases in common.
    pub(super) fn build(&self, memory: &mut BuildCache) -> SideBuild {
        let Some(target) = &self.target else {
            return SideBuild::of_output(self.rendered.clone());
        };
        *memory = std::mem::take(memory).with_answers(&self.answers);
        let Evaluation { trace, outcome, slots, watched, .. } =
            evaluate(&target.to_string_lossy(), &self.current, &self.options, &self.ports, memory);
        let output = outcome.iter().flatten();
        let pending = PendingSteps::from_trace(&trace, slots.iter().copied().zip(output));
        let outcome = outcome.map_err(|error| failure_words(&error));
        let watched = watched.into_iter().collect();
        SideBuild { outcome, slots, pending, trace, watched }
    }
}

impl SideBuild {
    pub(super) fn of_output(output: Vec<Arc<Resource>>) -> Self {
        let (slots, pending, trace) = (Vec::new(), PendingSteps::default(), Trace::default());
        Self { outcome: Ok(output), slots, pending, trace, watched: BTreeSet::new() }
    }
}

impl Outcomes {
    pub(super) fn flipped(mut self) -> Self {
        std::mem::swap(&mut self.before, &mut self.after);
        for it in &mut self.compared {
            std::mem::swap(&mut it.pair.before, &mut it.pair.after);
            for (change, reason) in &mut it.changes {
                change.flip();
                std::mem::swap(&mut reason.at, &mut reason.was_at);
            }
        }
        self
    }

    /// True if both sides build, and a difference is certain or none is possible.
    pub(super) fn is_compared(&self) -> bool {
        let is_certain = self.compared.iter().any(|it| it.pending.is_none());
        let is_known = is_certain || self.compared.is_empty() && !self.is_open;
        self.before.outcome.is_ok() && self.after.outcome.is_ok() && is_known
    }
}

/// Notes the pending steps that may still write changed fields. Returns the step that may write all
/// of them, or add the resource to the side that lacks it.
fn note_pending_steps(
    before: &SideBuild,
    after: &SideBuild,
    pair: &ResourcePair,
    changes: &mut [(FieldChange, DifferenceCause)],
) -> Option<PendingStep> {
    let sides = [(before, &pair.before), (after, &pair.after)];
    let unknown = sides
        .into_iter()
        .filter_map(|(built, resource)| Some(built.pending.unknown_fields(resource.as_ref()?)));
    let unknown: Vec<UnknownField<'_>> = unknown.flatten().collect();
    for (change, reason) in &mut *changes {
        let is_of =
            |it: &&UnknownField<'_>| it.overlaps(&change.path) || it.overlaps(&change.first_path);
        reason.pending = unknown.iter().find(is_of).map(|it| it.step.clone());
    }
    let adder = match (&pair.before, &pair.after) {
        (None, Some(_)) => before.pending.unshared_adder(&after.pending),
        (Some(_), None) => after.pending.unshared_adder(&before.pending),
        _ => None,
    };
    let is_pending = changes.iter().all(|(_, reason)| reason.pending.is_some());
    let writer = changes.first().filter(|_| is_pending).and_then(|it| it.1.pending.as_ref());
    adder.or(writer).cloned()
}

pub(super) type SideCaches = [BuildCache; 2];

/// Builds a target on both sides, and finds the differences with the cause of each. `most` limits
/// the trials: differences without a trial have only their locations. The caches serve further
/// targets of the same sides.
///
/// `edits_are_all`: both sides have the same profile, and their files differ only by the edits.
pub(super) fn compare_target(
    [first, second]: &mut SideCaches,
    (before, after): (&Side, &Side),
    edits: &[FileEdits],
    edits_are_all: bool,
    most: usize,
) -> Outcomes {
    let (one, other) = (before.build(first), after.build(second));
    compare_side_builds(one, (after, other, second), edits, edits_are_all, most, &[])
}

/// Like [`compare_target`], for sides that are already built. `roles` pairs resources that
/// correspond to each other although their names differ.
pub(super) fn compare_side_builds(
    one: SideBuild,
    (after, other, memory): (&Side, SideBuild, &mut BuildCache),
    edits: &[FileEdits],
    edits_are_all: bool,
    most: usize,
    roles: &[SameRole],
) -> Outcomes {
    let (Ok(old), Ok(new)) = (&one.outcome, &other.outcome) else {
        let is_open = one.outcome.is_err() && other.outcome.is_err();
        let (compared, pruning) = (Vec::new(), Pruning::NotKnown);
        return Outcomes { before: one, after: other, compared, is_open, pruning };
    };
    let pairs = pair_up_by_role(old, new, roles);
    let names = new_names(&pairs);
    let pairs = pairs.into_iter().map(|pair| {
        let changes = pair_differences(&pair, &names);
        (pair, changes)
    });
    let pairs: Vec<(ResourcePair, Vec<FieldChange>)> =
        pairs.filter(|(_, changes)| !changes.is_empty()).collect();
    // Only edits of files that one of the builds has read can be a cause.
    let is_read = |file: &FileEdits| {
        other.watched.contains(&file.path) || one.watched.contains(&file.before_path)
    };
    let relevant: Vec<usize> =
        edits.iter().enumerate().filter(|(_, file)| is_read(file)).map(|(at, _)| at).collect();
    let clock = &after.ports.clock;
    let mut build = |texts: Vec<(PathBuf, Option<Arc<[u8]>>)>| {
        let (started, files_reverted) = (clock.now(), texts.len());
        let files: Arc<dyn Files> =
            Arc::new(DraftedFiles::new(texts.into_iter(), after.ports.files.clone()));
        let side = Side { ports: Ports { files, ..after.ports.clone() }, ..after.clone() };
        let built = side.build(memory);
        // With another pending step, a resource may be missing for another reason than the reverted
        // edits, so the result is not used.
        let is_alike = built.pending.is_covered_by([&one.pending, &other.pending]);
        let microseconds = clock.now().saturating_sub(started).as_micros();
        tracing::debug!(files_reverted, built = built.outcome.is_ok(), microseconds, "trial");
        built.outcome.ok().filter(|_| is_alike)
    };
    let most = if after.target.is_some() { most } else { 0 };
    let is_alike = one.trace.profile == other.trace.profile;
    let mut trials =
        Trials { build: &mut build, left: most, in_groups: 0, is_alike, edits_are_all };
    let started = clock.now();
    let traces = [&one.trace, &other.trace];
    let found = find_causes((old, roles), &pairs, edits, &relevant, traces, &mut trials);
    // Only numbers are logged: names of files and resources may be secret.
    tracing::debug!(
        resources = pairs.len(),
        files = relevant.len(),
        trials = most - trials.left,
        trials_in_groups = trials.in_groups,
        microseconds = clock.now().saturating_sub(started).as_micros(),
        "causes of a target"
    );
    let compared = pairs.into_iter().zip(found).map(|((pair, changes), reasons)| {
        let mut changes: Vec<_> = changes.into_iter().zip(reasons).collect();
        let pending = note_pending_steps(&one, &other, &pair, &mut changes);
        ComparedResource { pair, changes, pending }
    });
    let compared = compared.collect();
    // If no edit affects the builds, the same missing downloads mean that the missing parts of both
    // outputs are the same.
    let is_as_before = is_alike && relevant.is_empty() && edits_are_all;
    let is_closed = one.pending.is_empty() && other.pending.is_empty()
        || one.pending.are_all_in_both(&other.pending, PendingStep::lacks_directory)
        || is_as_before && one.pending.are_all_in_both(&other.pending, PendingStep::is_download);
    let pruning = Pruning::from_trace(&other.trace, &*after.ports.files);
    Outcomes { before: one, after: other, compared, is_open: !is_closed, pruning }
}
