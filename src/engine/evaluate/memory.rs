//! What survives from one evaluation to the next: parsed files, and the numbers of files and steps.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::load::Sources;
use crate::plugin::FunctionRun;
use crate::profile::Profile;
use crate::resource::QuickSet;
use crate::transform::Recall;
use crate::yaml::{ParsedFile, SourceId, WriterId};

use super::known_targets::KnownTargets;
use super::part::{Finished, PartId, StateId};
use super::printable::Printable;
use super::remembered_steps::{Basis, RememberedSteps};
use super::{Layer, Step, StepId, StepKind};

/// Keeps what an evaluation of the same tree can use again. Numbers in it are never given twice, so that marks in
/// shared nodes stay true.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The files by number.
    pub sources: Sources,
    writers: QuickSet<StepId>,
    parsed: IndexMap<(SourceId, WriterId), Parsed>,
    finished: IndexMap<PartId, Kept>,
    /// The parts that this evaluation made or used, in that order.
    used: Vec<PartId>,
    states: u64,
    runs: IndexMap<String, (Arc<FunctionRun>, u64)>,
    /// What each step did to its resources.
    steps: RememberedSteps,
    /// The kustomization files that were read.
    pub(super) targets: KnownTargets,
    pub(super) printable: Printable,
    generation: u64,
    /// Like which Kustomize the last evaluation built.
    profile: Option<Profile>,
    is_for_one: bool,
    is_for_trial: bool,
    records_nothing: bool,
}

#[derive(Clone, Debug)]
struct Parsed {
    bytes: Arc<[u8]>,
    file: Arc<ParsedFile>,
    generation: u64,
}

#[derive(Clone, Debug)]
struct Kept {
    finished: Arc<Finished>,
    generation: u64,
}

impl Memory {
    /// For one evaluation only: nothing is kept for a next one.
    pub fn of_one() -> Self {
        Self { is_for_one: true, ..Self::default() }
    }

    /// For a trial: what is known is used, and what comes of it is not kept, for nobody builds on it.
    #[must_use]
    pub fn for_trial(&self) -> Self {
        Self { is_for_trial: true, ..self.clone() }
    }

    /// Steps do not remember what they changed: for those who only want the result. The recording says of every step that it
    /// changed nothing.
    #[must_use]
    pub fn without_changes(self) -> Self {
        Self { records_nothing: true, ..self }
    }

    /// The output is printed to see whether it can be: [`Memory::take_text`] has it.
    #[must_use]
    pub fn printing(mut self) -> Self {
        self.printable.prints = true;
        self
    }

    /// What the last evaluation printed; nothing of one that failed, or that nobody told to.
    pub fn take_text(&mut self) -> Option<String> {
        self.printable.text.take()
    }

    pub(super) fn is_for_one(&self) -> bool {
        self.is_for_one
    }

    pub(super) fn is_for_trial(&self) -> bool {
        self.is_for_trial
    }

    pub(super) fn records_nothing(&self) -> bool {
        self.records_nothing
    }

    /// The number that nodes written by this step carry.
    pub(super) fn writer(&mut self, step: &StepId) -> WriterId {
        let (index, _) = self.writers.insert_full(step.clone());
        WriterId(u32::try_from(index + 1).unwrap_or(u32::MAX))
    }

    /// A new evaluation begins, like this Kustomize. What was built like another no longer counts.
    pub(super) fn begin(&mut self, profile: Profile) {
        self.generation += 1;
        self.used.clear();
        if self.profile != Some(profile) {
            self.profile = Some(profile);
            self.finished.clear();
            self.steps = RememberedSteps::default();
            self.targets = KnownTargets::default();
        }
    }

    /// What was not used by the last two evaluations is forgotten, and what steps did that are no part of them.
    pub(super) fn end(&mut self, steps: &[Step], layers: &[Layer]) {
        if self.is_for_one {
            return;
        }
        let oldest = self.generation.saturating_sub(1);
        self.steps.end(steps, self.generation);
        self.targets.end(layers);
        self.parsed.retain(|_, parsed| parsed.generation >= oldest);
        self.finished.retain(|_, kept| kept.generation >= oldest);
        self.runs.retain(|_, (_, generation)| *generation >= oldest);
    }

    /// What a function left when it ran on the same input before.
    pub(super) fn recall_run(&self, key: &str) -> Option<Arc<FunctionRun>> {
        self.runs.get(key).map(|(run, _)| run.clone())
    }

    /// Keeps what a function left.
    pub(super) fn remember_run(&mut self, key: String, run: Arc<FunctionRun>) {
        self.runs.insert(key, (run, self.generation));
    }

    /// Forgets what one call of a function left, so that the next evaluation runs it again; the others are taken
    /// from the recording as before, and so are bases that did not call it.
    pub fn forget_run(&mut self, again: &FunctionRun) {
        let is_it = |run: &FunctionRun| run.function == again.function && run.input == again.input;
        self.runs.retain(|_, (run, _)| !is_it(run));
        self.finished.retain(|_, kept| !kept.finished.called(&is_it));
    }

    /// Forgets what bases left behind: something that they are made of outside the files may be another now.
    pub fn forget_bases(&mut self) {
        self.finished.clear();
    }

    /// What a step did to its resources in an earlier evaluation, if it was made from the same.
    pub(super) fn recall_step(&self, basis: &Basis) -> Recall {
        self.steps.recall(basis, !self.is_for_trial)
    }

    /// True when a step asked the built-in schema in an earlier evaluation.
    pub(super) fn has_asked(&self, basis: &Basis) -> bool {
        self.steps.has_asked(basis)
    }

    /// Keeps what a step did to its resources.
    pub(super) fn remember_step(&mut self, basis: Basis, recall: Recall, asked: bool) {
        if !self.is_for_trial {
            self.steps.remember(basis, recall, asked, self.generation);
        }
    }

    /// What an earlier evaluation left of a part.
    pub(super) fn finished(&self, part: &PartId) -> Option<Arc<Finished>> {
        self.finished.get(part).map(|kept| kept.finished.clone())
    }

    /// Keeps what a part left behind.
    pub(super) fn keep_finished(&mut self, part: PartId, finished: Arc<Finished>) {
        self.used.push(part.clone());
        self.finished.insert(part, Kept { finished, generation: self.generation });
    }

    /// These parts are still in use.
    pub(super) fn touch_finished<'a>(&mut self, parts: impl Iterator<Item = &'a PartId>) {
        for part in parts {
            self.used.push(part.clone());
            if let Some(kept) = self.finished.get_mut(part) {
                kept.generation = self.generation;
            }
        }
    }

    /// How many parts were made or used so far.
    pub(super) fn used(&self) -> usize {
        self.used.len()
    }

    /// The parts that were made or used since then.
    pub(super) fn used_since(&self, mark: usize) -> Vec<PartId> {
        self.used.get(mark..).unwrap_or_default().to_vec()
    }

    /// A number for a state of the resources that no other state has.
    pub(super) fn new_state(&mut self) -> StateId {
        self.states += 1;
        StateId(self.states)
    }

    /// Parsed files that reused steps stand on are still in use.
    pub(super) fn touch_parsed(&mut self, steps: &[Step]) {
        let loads = steps.iter().filter(|step| step.kind == StepKind::Load);
        let writers: IndexSet<WriterId> = loads.map(|step| step.writer).collect();
        if writers.is_empty() {
            return;
        }
        let generation = self.generation;
        for ((_, writer), parsed) in &mut self.parsed {
            if writers.contains(writer) {
                parsed.generation = generation;
            }
        }
    }

    /// The documents of a file, if it was parsed before from the same bytes for the same step.
    pub(super) fn recall(
        &mut self,
        key: (SourceId, WriterId),
        bytes: &Arc<[u8]>,
    ) -> Option<Arc<ParsedFile>> {
        let parsed = self.parsed.get_mut(&key)?;
        if !Arc::ptr_eq(&parsed.bytes, bytes) && parsed.bytes != *bytes {
            return None;
        }
        parsed.generation = self.generation;
        Some(parsed.file.clone())
    }

    /// The documents of a file of this evaluation.
    pub(super) fn parsed(&self, source: SourceId) -> Option<&ParsedFile> {
        let newest = self.parsed.iter().rev().find(|((other, _), _)| *other == source);
        newest.map(|(_, parsed)| &*parsed.file)
    }

    /// Remembers the documents of a file.
    pub(super) fn remember(
        &mut self,
        key: (SourceId, WriterId),
        bytes: Arc<[u8]>,
        file: Arc<ParsedFile>,
    ) {
        if self.is_for_one {
            return;
        }
        self.parsed.insert(key, Parsed { bytes, file, generation: self.generation });
    }
}
