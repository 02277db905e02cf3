//! The cache between evaluations: parsed files, and the numbers of files and steps.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::load::SourceNumbers;
use crate::plugin::FunctionRun;
use crate::profile::Profile;
use crate::resource::QuickSet;
use crate::yaml::{
    Limits, ParsedFile, SourceId, TextCache, WriterId, YamlError, parse_documents_of,
};

use super::aged_map::AgedMap;
use super::part::{CachedPart, PartId};
use super::printable::PrintableResources;
use super::remembered_steps::RememberedSteps;
use super::target::DecodedTargets;
use super::{Layer, Step, StepId, StepKind};

/// The documents of files, with the bytes of which they are.
type ParsedFiles = AgedMap<(SourceId, WriterId), (Arc<[u8]>, Arc<ParsedFile>)>;

/// The cache for evaluations of the same tree. Its numbers are never reused, so that marks in
/// shared nodes stay valid.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent uses of the cache")]
pub struct BuildCache {
    pub sources: SourceNumbers,
    writers: QuickSet<StepId>,
    parsed: ParsedFiles,
    pub(super) finished: AgedMap<PartId, Arc<CachedPart>>,
    /// The parts that this evaluation made or used, in order.
    pub(super) used: Vec<PartId>,
    /// The number of states with an id.
    pub(super) states: u64,
    pub(super) runs: AgedMap<String, Arc<FunctionRun>>,
    pub(super) steps: RememberedSteps,
    pub(super) targets: DecodedTargets,
    pub(super) printable: PrintableResources,
    profile: Option<Profile>,
    pub(super) is_disabled: bool,
    pub(super) is_read_only: bool,
    pub(super) omits_changes: bool,
    records_paths: bool,
}

/// The results of function calls, keyed by function, settings and input. A call that is allowed to
/// run takes its result from this cache instead.
#[derive(Clone, Debug, Default)]
pub struct FunctionAnswers(IndexMap<String, Arc<FunctionRun>>);

impl FunctionAnswers {
    /// Adds the results of a later build.
    pub fn extend(&mut self, later: Self) {
        self.0.extend(later.0);
    }
}

impl BuildCache {
    /// A cache for a single evaluation, which stores no results.
    pub fn disabled() -> Self {
        Self { is_disabled: true, ..Self::default() }
    }

    /// A copy for a trial, which stores no results: no later build depends on the trial.
    #[must_use]
    pub fn read_only(&self) -> Self {
        Self { is_read_only: true, ..self.clone() }
    }

    /// Records no changes, for callers that need the result only: each step shows as unchanged.
    #[must_use]
    pub fn without_changes(self) -> Self {
        Self { omits_changes: true, ..self }
    }

    /// Records the paths that are read, also without a cache.
    #[must_use]
    pub fn recording_paths(self) -> Self {
        Self { records_paths: true, ..self }
    }

    /// Prints the output in order to check it; [`BuildCache::take_text`] returns the text.
    #[must_use]
    pub fn with_output_check(mut self) -> Self {
        self.printable.prints = true;
        self
    }

    /// The text of the last evaluation; `None` after a failure or without an output check.
    pub fn take_text(&mut self) -> Option<String> {
        self.printable.text.take()
    }

    pub(super) fn omits_paths(&self) -> bool {
        self.is_disabled && !self.records_paths
    }

    pub(super) fn writer(&mut self, step: &StepId) -> WriterId {
        let (index, _) = self.writers.insert_full(step.clone());
        WriterId(u32::try_from(index + 1).unwrap_or(u32::MAX))
    }

    /// Begins an evaluation with this version profile. Results of another profile are dropped.
    pub(super) fn begin(&mut self, profile: Profile) {
        self.used.clear();
        if self.profile != Some(profile) {
            self.profile = Some(profile);
            self.finished = AgedMap::default();
            self.steps = RememberedSteps::default();
            self.targets = AgedMap::default();
        }
    }

    /// Drops entries used by neither of the last two evaluations, and the results of steps that are
    /// not among `steps`.
    pub(super) fn end(&mut self, steps: &[Step], layers: &[Layer]) {
        if self.is_disabled {
            return;
        }
        self.steps.end(steps);
        for layer in layers {
            self.targets.touch_key(&*layer.file);
        }
        self.targets.end_evaluation();
        self.parsed.end_evaluation();
        self.finished.end_evaluation();
        self.runs.end_evaluation();
    }

    /// The results of function calls.
    pub fn answers(&self) -> FunctionAnswers {
        let runs = self.runs.iter().map(|(key, run)| (key.clone(), run.clone()));
        FunctionAnswers(runs.collect())
    }

    /// Adds function results from another cache.
    #[must_use]
    pub fn with_answers(mut self, answers: &FunctionAnswers) -> Self {
        for (key, run) in &answers.0 {
            self.runs.insert(key.clone(), run.clone());
        }
        self
    }

    /// Drops the cached result of one function call, so that the next evaluation runs it again.
    /// Other results, and cached parts without that call, are kept.
    pub fn drop_run(&mut self, again: &FunctionRun) {
        let is_it = |run: &FunctionRun| run.function == again.function && run.input == again.input;
        self.runs.retain(|run| !is_it(run));
        self.finished.retain(|finished| !finished.called(&is_it));
    }

    /// Drops all cached parts, because an input outside the files may have changed.
    pub fn drop_bases(&mut self) {
        self.finished = AgedMap::default();
    }

    pub(super) fn touch_finished(&mut self, part: &PartId) {
        self.used.push(part.clone());
        self.finished.touch_key(part);
    }

    pub(super) fn touch_parsed(&mut self, steps: &[Step]) {
        let loads = steps.iter().filter(|step| step.kind == StepKind::Load);
        let writers: IndexSet<WriterId> = loads.map(|step| step.writer).collect();
        if !writers.is_empty() {
            self.parsed.touch(|(_, writer)| writers.contains(writer));
        }
    }

    /// The documents of a file: cached ones, if parsed from the same bytes for the same step.
    pub(super) fn parse(
        &mut self,
        key: (SourceId, WriterId),
        bytes: &Arc<[u8]>,
        texts: &mut TextCache,
    ) -> Result<Arc<ParsedFile>, YamlError> {
        self.parsed.touch_key(&key);
        let known = self.parsed.get(&key);
        if let Some((_, file)) =
            known.filter(|(known, _)| Arc::ptr_eq(known, bytes) || known == bytes)
        {
            return Ok(file.clone());
        }
        let file = parse_documents_of(bytes, key.0, key.1, Limits::default(), texts)?;
        let file = Arc::new(file);
        if !self.is_disabled {
            self.parsed.insert(key, (bytes.clone(), file.clone()));
        }
        Ok(file)
    }

    pub(super) fn parsed(&self, source: SourceId) -> Option<&ParsedFile> {
        let newest = self.parsed.iter().rev().find(|((other, _), _)| *other == source);
        newest.map(|(_, (_, file))| &**file)
    }
}
