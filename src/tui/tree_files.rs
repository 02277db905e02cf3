//! The kustomization and Composition files of a build that are in local directories. Runs on the
//! build thread.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::answers::{
    self, AskedFor, ClaimTrial, RecordingIndex, ResourceScanCache, SwitchSuspicions,
    faults_with_cache,
};
use crate::engine::evaluate::{Step, Trace, target_file_names};
use crate::engine::load::{FileKind, Files, clean};
use crate::engine::manifest::Outline;
use crate::engine::resource::Resource;

use super::message::{BuildAnswer, Message, SourceFile};
use super::ports::{BuildRequest, Evaluator, RequestedRuns, WorkbenchBuild};
use super::recording::WorkbenchRecording;

pub type SourceFiles = BTreeMap<PathBuf, SourceFile>;

/// The cache that is kept between builds, in addition to the engine's cache.
#[derive(Debug, Default)]
pub struct BuildAnswerCache {
    sources: SourceFiles,
    looked: ResourceScanCache,
}

/// The result of a request: the recording, and the files that its tree shows.
pub fn answer(
    request: u64,
    built: WorkbenchBuild,
    files: &dyn Files,
    target_dir: &Path,
    took: Duration,
    known: &mut BuildAnswerCache,
) -> BuildAnswer {
    let WorkbenchBuild { mut evaluation, compositions, catalogs, missed } = built;
    let BuildAnswerCache { sources: known, looked } = known;
    evaluation.trace.add_late_warnings_with(&mut looked.leaves);
    let (trace, schemas) = (&evaluation.trace, &*evaluation.schemas);
    let (faults, beside) = thread::scope(|scope| {
        // This work does not recurse deeply: the default stack is enough.
        let beside = scope.spawn(|| {
            let sources = source_files_of_tree(files, target_dir, trace, known);
            (sources, RecordingIndex::from_trace(trace, target_dir))
        });
        (faults_with_cache((trace, schemas), files, looked), beside.join())
    });
    let (sources, index) = beside.unwrap_or_else(|panic| resume_unwind(panic));
    faults.add_to(&mut evaluation.trace);
    known.clone_from(&sources);
    let mut recording = WorkbenchRecording::new(answers::Recording::with(index, evaluation), took);
    recording.compositions = compositions;
    recording.catalogs = catalogs;
    recording.missed = missed;
    BuildAnswer { request, recording: Arc::new(recording), sources }
}

pub(crate) struct Builder {
    evaluator: Evaluator,
    known: BuildAnswerCache,
}

impl Builder {
    pub(crate) fn new(evaluator: Evaluator) -> Self {
        Self { evaluator, known: BuildAnswerCache::default() }
    }

    /// Builds, and reports the result, then that of the trials.
    pub(crate) fn report_build(
        &mut self,
        request: u64,
        order: &BuildRequest,
        took: &dyn Fn() -> Duration,
        report: &mut dyn FnMut(Message),
    ) {
        let built = (self.evaluator)(order.clone());
        if order.cancel.is_cancelled() {
            return;
        }
        let (files, directory) = (&*order.files, &order.target.directory);
        let answer = answer(request, built, files, directory, took(), &mut self.known);
        let recording = answer.recording.clone();
        report(Message::Evaluated(Box::new(answer)));
        let answer = BuildAnswer { request, recording, sources: BTreeMap::new() };
        answer.report_trials(order, &mut self.evaluator, report);
    }
}

impl BuildAnswer {
    /// Verifies suspected findings and fixes by further builds, until the request is cancelled; only
    /// verified ones are reported. No program is run.
    pub fn report_trials(
        &self,
        order: &BuildRequest,
        evaluator: &mut Evaluator,
        report: &mut dyn FnMut(Message),
    ) {
        let is_cancelled = || order.cancel.is_cancelled();
        if is_cancelled() {
            return;
        }
        let (recording, directory) = (&*self.recording, &order.target.directory);
        // The same target with other files, without running programs.
        let mut build = |files, like, asked| {
            let (again, trial) = (Vec::new(), Some(asked));
            let runs = RequestedRuns::None;
            evaluator(BuildRequest { files, runs, again, like, trial, ..order.clone() }).evaluation
        };
        let output: Vec<&Resource> = recording.output.iter().map(|(_, it)| &**it).collect();
        let trial = ClaimTrial::from_trace(&recording.trace, &output, &*order.files);
        let elsewhere = SwitchSuspicions::from_trace(&recording.trace, &output);
        if trial.is_some() || elsewhere.is_some() {
            let verified = trial.map(|trial| {
                trial.run(&order.files, &mut |files| {
                    (!is_cancelled()).then(|| build(files, order.like, AskedFor::Output))
                })
            });
            let mut found = verified.unwrap_or_default();
            if let Some(elsewhere) = elsewhere.filter(|_| !is_cancelled()) {
                let verified = elsewhere.confirm_suspicions(directory, &mut |profile| {
                    build(order.files.clone(), Some(profile), AskedFor::Output)
                });
                // If the build was cancelled, its findings were not verified.
                found.extend(verified.into_iter().filter(|_| !is_cancelled()));
            }
            report(Message::FindingsVerified(self.request, found));
        }
        let has_fix = |step: &Step| step.warnings.iter().any(|warning| warning.fix.is_some());
        let may_have_fix = !recording.warnings.is_empty()
            || recording.error.is_some()
            || recording.trace.steps.iter().any(has_fix)
            || !recording.trace.overridden_candidates().is_empty();
        if may_have_fix && !is_cancelled() {
            let offers =
                answers::offers(recording, directory, &order.files, &mut |files, asked| {
                    (!is_cancelled()).then(|| build(files, order.like, asked))
                });
            report(Message::FixesVerified(self.request, offers));
        }
    }
}

/// The files of the build's layers and of the directories in their entries, including disabled
/// ones: even a failed build has a tree.
fn source_files_of_tree(
    files: &dyn Files,
    target_dir: &Path,
    trace: &Trace,
    known: &SourceFiles,
) -> SourceFiles {
    let mut found = BTreeMap::new();
    for layer in &trace.layers {
        read(files, Path::new(&*layer.file), known, &mut found);
    }
    if let Some((file, _)) = trace.deployed_by() {
        read(files, Path::new(file), known, &mut found);
        if let Some(source) = found.get_mut(Path::new(file)) {
            source.deploys = true;
        }
    }
    let added = found.values().find(|source| source.deploys);
    let mut waiting = added.map_or_else(Vec::new, |it| listed(files, target_dir, &it.outline));
    waiting.push(target_dir.to_path_buf());
    let mut seen: Vec<PathBuf> = Vec::new();
    while let Some(dir) = waiting.pop() {
        if seen.contains(&dir) {
            continue;
        }
        seen.push(dir.clone());
        let Some(file) = target_file_names().map(|name| dir.join(name)).find(|file| {
            read(files, file, known, &mut found);
            found.contains_key(file)
        }) else {
            continue;
        };
        let Some(source) = found.get(&file) else { continue };
        waiting.extend(listed(files, &dir, &source.outline));
    }
    found
}

/// The directories that a file lists as resources, bases or components.
fn listed(files: &dyn Files, dir: &Path, outline: &Outline) -> Vec<PathBuf> {
    let mut listed = Vec::new();
    for field in &outline.fields {
        // The other entries of a Composition are shown from the consolidated result.
        let name = field.name.rsplit('.').next().unwrap_or_default();
        if !matches!(name, "resources" | "bases" | "components") {
            continue;
        }
        for entry in &field.entries {
            let Some(text) = entry.scalar.as_deref() else { continue };
            if text.is_empty() || text.contains("://") || is_yaml(text) || text.contains('\n') {
                continue;
            }
            let path = clean(&dir.join(text));
            if let Ok((_, FileKind::Directory)) = files.resolve(&path) {
                listed.push(path);
            }
        }
    }
    listed
}

fn read(files: &dyn Files, file: &Path, known: &SourceFiles, found: &mut SourceFiles) {
    if !found.contains_key(file)
        && let Ok(bytes) = files.read(file)
    {
        let same = known.get(file).filter(|it| it.bytes == bytes);
        let outline = same.map_or_else(|| Outline::parse(&bytes).into(), |it| it.outline.clone());
        found
            .insert(file.to_path_buf(), SourceFile { bytes, outline, deploys: false, built: None });
    }
}

/// True for an entry that names a file, which is no directory to search.
fn is_yaml(text: &str) -> bool {
    let extension = Path::new(text).extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
}
