//! Which kustomization and Composition files make up a tree, as far as local directories go. Runs on the worker.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::answers::{self, Elsewhere, Trial, add_faults};
use crate::engine::evaluate::{Trace, target_file_names};
use crate::engine::load::{FileKind, Files, clean};
use crate::engine::manifest::Outline;
use crate::engine::resource::Resource;

use super::message::{Answer, Claims, Message, SourceFile};
use super::ports::{Built, Evaluator, Order};
use super::recording::Recording;

/// Kustomization files by path.
pub type SourceFiles = BTreeMap<PathBuf, SourceFile>;

/// The answer to a request: the recording with the files that make up its tree. `known` are those of an earlier answer.
pub fn answer(
    request: u64,
    built: Built,
    files: &dyn Files,
    target_dir: &Path,
    took: Duration,
    known: &SourceFiles,
) -> Answer {
    let Built { mut evaluation, compositions, catalogs, missed } = built;
    evaluation.trace.add_hindsight();
    add_faults(&mut evaluation.trace, files);
    let sources = survey(files, target_dir, &evaluation.trace, known);
    let mut recording = Recording::new(evaluation, target_dir, took);
    recording.compositions = compositions;
    recording.catalogs = catalogs;
    recording.missed = missed;
    Answer { request, recording, sources }
}

/// What is suspected about a build and has to be tried before it is said.
pub struct Suspicions {
    trial: Option<Trial>,
    elsewhere: Option<Elsewhere>,
}

/// What there is to try; nothing when there is no suspicion.
pub fn suspicions(answer: &Answer, files: &dyn Files) -> Option<Suspicions> {
    let output: Vec<&Resource> =
        answer.recording.output.iter().map(|(_, resource)| &**resource).collect();
    let trace = &answer.recording.trace;
    let trial = Trial::of(trace, &output, files);
    let elsewhere = Elsewhere::of(trace, &output);
    (trial.is_some() || elsewhere.is_some()).then_some(Suspicions { trial, elsewhere })
}

/// Tries them, with a build for each, in which nothing is run.
pub fn claims(
    request: u64,
    suspicions: Suspicions,
    order: &Order,
    evaluator: &mut Evaluator,
) -> Message {
    let mut found = Vec::new();
    if let Some(trial) = suspicions.trial {
        found = trial.run(&order.files, &mut |files| {
            if order.cancel.is_cancelled() {
                return None;
            }
            Some(evaluator(trial_of(order, files)).evaluation)
        });
    }
    if let Some(elsewhere) = suspicions.elsewhere.filter(|_| !order.cancel.is_cancelled()) {
        let told = elsewhere.tell(&order.target.directory, &mut |profile| {
            let order = trial_of(order, order.files.clone());
            evaluator(Order { like: Some(profile), ..order }).evaluation
        });
        // A build that was called off shows nothing.
        if !order.cancel.is_cancelled() {
            found.extend(told);
        }
    }
    Message::Claimed(Claims { request, found })
}

/// The same target with other files, in which nothing is run.
fn trial_of(order: &Order, files: Arc<dyn Files>) -> Order {
    Order { files, may_run: false, again: Vec::new(), is_trial: true, ..order.clone() }
}

/// The recording of an answer when something in it may be mended.
pub fn to_mend(answer: &Answer) -> Option<answers::Recording> {
    let recording: &answers::Recording = &answer.recording;
    let has_fix = |step: &crate::engine::evaluate::Step| {
        step.warnings.iter().any(|warning| warning.fix.is_some())
    };
    let may = !recording.warnings.is_empty()
        || recording.error.is_some()
        || recording.trace.steps.iter().any(has_fix)
        || !recording.trace.suspects().is_empty();
    may.then(|| recording.clone())
}

/// Tries what would mend its problems, with builds in which nothing is run.
pub fn offered(
    request: u64,
    recording: &answers::Recording,
    order: &Order,
    evaluator: &mut Evaluator,
) -> Message {
    let target = &order.target.directory;
    let offers = answers::offers(recording, target, &order.files, &mut |files| {
        if order.cancel.is_cancelled() {
            return None;
        }
        let order = trial_of(order, files);
        Some(evaluator(order).evaluation)
    });
    Message::Offered(request, offers)
}

/// The files of a build's layers and of the directories that its files name, those that are switched off
/// included: a build that fails still has a tree.
fn survey(files: &dyn Files, target_dir: &Path, trace: &Trace, known: &SourceFiles) -> SourceFiles {
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

/// The directories that a file lists.
fn listed(files: &dyn Files, dir: &Path, outline: &Outline) -> Vec<PathBuf> {
    let mut listed = Vec::new();
    for field in &outline.fields {
        // What a Composition names is consolidated, and shown from that.
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
        let outline = same.map_or_else(|| outline(&bytes).into(), |it| it.outline.clone());
        found
            .insert(file.to_path_buf(), SourceFile { bytes, outline, deploys: false, built: None });
    }
}

/// The fields and entries of a kustomization file.
pub(in crate::tui) fn outline(bytes: &[u8]) -> Outline {
    Outline::parse(bytes)
}

/// Not worth a look: an entry that names a file.
fn is_yaml(text: &str) -> bool {
    let extension = Path::new(text).extension();
    extension
        .is_some_and(|extension| extension == "yaml" || extension == "yml" || extension == "json")
}
