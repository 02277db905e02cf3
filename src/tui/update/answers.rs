//! Handles results of other threads and changes on disk. Outdated results are dropped.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::super::header;
use super::super::message::{BuildAnswer, Effect};
use super::super::model::{
    FunctionRow, Model, Pane, RunningBuild, Screen, WorkbenchPlace, WorkbenchRecording,
    changed_between, counted, first_pending_reason, has_more_rows,
};
use super::super::ports::{Access, BuildRequest, OpenedTarget, RequestedRuns};
use super::{note, say_error, time, warn};
use crate::answers::compare::{TargetState, state_words};
use crate::answers::{Offer, VerifiedFinding};
use crate::draft::DiskChange;
use crate::engine::evaluate::NoCancel;
use crate::engine::plugin::FunctionRun;

pub(crate) fn evaluate(model: &mut Model) {
    ask(model, None);
}

/// Requests a build of the draft after the version profile or another condition has changed. The
/// files without the draft are built first, because the draft is compared with them.
pub(crate) fn evaluate_both(model: &mut Model) {
    model.builds.wants_saved = model.has_draft();
    model.builds.has_new_inputs = true;
    ask(model, None);
}

/// Requests a build that runs a function again instead of using its recorded result, or that runs
/// permitted functions for the first time.
pub(crate) fn run_again(model: &mut Model) {
    let row = model.functions.rows.get(model.list(Pane::Functions).selected);
    if let Some(name) = row.and_then(FunctionRow::unrequested).map(str::to_owned) {
        model.opened.runs.add(&name);
        model.builds.asked_functions = 1;
        let name = super::super::text::sanitize(&name);
        note(model, format!("{RUNNING}{name}"));
        return evaluate_both(model);
    }
    let again = row.and_then(|row| model.builds.recording.step(row.step)?.run.clone());
    let Some(again) = again else { return };
    let name = super::super::text::sanitize(&again.function).into_owned();
    if model.opened.access == Access::Recording {
        return note(
            model,
            format!("a recording runs no function: {name} has its recorded result"),
        );
    }
    note(model, format!("{RUNNING}{name} again"));
    model.builds.wants_saved = model.has_draft();
    model.builds.has_new_inputs = true;
    model.builds.asked_functions = 1;
    ask(model, Some(again));
}

/// Requests a build that runs all functions that only wait for the request.
pub(crate) fn run_all(model: &mut Model) {
    model.opened.runs = RequestedRuns::All;
    let pending = model.functions.rows.iter().filter(|row| row.needs_request()).count();
    model.builds.asked_functions = pending;
    note(model, format!("{RUNNING}the trusted and enabled functions of this build"));
    evaluate_both(model);
}

fn ask(model: &mut Model, again: Option<Arc<FunctionRun>>) {
    model.builds.request += 1;
    model.builds.running = RunningBuild::Running(Duration::ZERO);
    if !model.opened.has_target {
        model.builds.running = RunningBuild::Idle;
        return;
    }
    let (name, directory) = (model.opened.target.clone(), model.opened.dir.clone());
    let order = BuildRequest {
        target: OpenedTarget { name, directory },
        files: if model.builds.wants_saved { model.disk_files() } else { model.files() },
        // The terminal's worker sets its own signal; linear mode has none.
        cancel: Arc::new(NoCancel),
        again: again.into_iter().collect(),
        catalogs: model.opened.named_catalogs.clone(),
        runs: model.opened.runs.clone(),
        like: model.like.named,
        trial: None,
    };
    model.request(Effect::Evaluate(model.builds.request, Box::new(order)));
}

pub(crate) fn handle_crash(model: &mut Model, request: u64) {
    if request == model.builds.request {
        model.builds.running = RunningBuild::Idle;
        say_error(model, "this build crashed kzui's engine: please report it; z undoes the edit");
    }
}

pub(crate) fn handle_verified_findings(
    model: &mut Model,
    request: u64,
    found: Vec<(usize, VerifiedFinding)>,
) {
    if request != model.builds.request || found.is_empty() {
        return;
    }
    let is_saved =
        model.builds.saved.as_ref().is_some_and(|it| Arc::ptr_eq(it, &model.builds.recording));
    let mut recording = (*model.builds.recording).clone();
    recording.add_findings(found);
    model.builds.recording = Arc::new(recording);
    if is_saved {
        model.builds.saved = Some(model.builds.recording.clone());
    }
    model.derived.invalidate_claims();
}

pub(crate) fn handle_tried_fixes(model: &mut Model, request: u64, offers: Vec<Offer>) {
    if request == model.builds.request {
        let (scope, disk) = (model.edits.draft.scope(), &*model.opened.disk);
        model.problems.offers =
            offers.into_iter().map(|offer| offer.limited_to_scope(scope, disk)).collect();
        model.derived.invalidate_claims();
    }
}

/// Handles the result of a build: selection and step are found again by identity, not by number.
pub(crate) fn handle_build_answer(model: &mut Model, answer: BuildAnswer) {
    if answer.request != model.builds.request || model.builds.running == RunningBuild::Cancelled {
        model.deferred_drops.push(Box::new(answer));
        return;
    }
    model.builds.running = RunningBuild::Idle;
    let followed = model.builds.recording.step(model.cursor).map(|step| step.id.clone());
    let was_last = model.cursor >= model.builds.recording.last_effective_step();
    let was_empty = model.builds.recording.is_empty();
    let was = model.builds.recording.clone();
    drop_recording_data(model);
    model.builds.recording = answer.recording;
    model.like.built(model.builds.recording.trace.profile);
    model.opened.sources = answer.sources;
    super::secrets::learn(model);
    model.problems.offers.clear();
    model.builds.generation += 1;
    let is_first = std::mem::take(&mut model.builds.wants_saved);
    if !model.has_draft() || is_first {
        let before = model.like.before.as_ref();
        model.builds.saved = Some(before.unwrap_or(&model.builds.recording).clone());
    }
    let last = model.builds.recording.last_effective_step();
    let failed = time::failed_step(model);
    let before = model.builds.before_failure.take().filter(|_| failed.is_none());
    let before = before.and_then(|id| model.builds.recording.trace.position(&id));
    if failed.is_some() && model.builds.before_failure.is_none() && was_last {
        model.builds.before_failure.clone_from(&followed);
    }
    model.cursor = match followed.and_then(|id| model.builds.recording.trace.position(&id)) {
        _ if before.is_some() => before.unwrap_or(last),
        Some(position) if !(was_last && failed.is_some()) => position,
        _ if was_empty || was_last => failed.unwrap_or(last),
        _ => model.cursor.min(model.builds.recording.len().saturating_sub(1)),
    };
    if let Some(reason) = header::absence(model, model.screen).filter(|_| was_empty) {
        // The key of the screen opened the target.
        model.screen = Screen::Tree;
        warn(model, reason);
    }
    if was_empty {
        model.tree.is_folded = has_more_rows(model, LONG_TREE_ROWS);
        if model.builds.recording.error.is_some() && model.screen == Screen::Tree {
            // Show the problems first: the error, its location, and the action.
            model.screen = Screen::Problems;
        }
    }
    if let Some(act) = model.edits.last_edit.take() {
        report_edit_effect(model, &act, &was);
    }
    model.request(Effect::Watch(model.watched()));
    if is_first && model.has_draft() {
        evaluate(model);
    } else if std::mem::take(&mut model.builds.asked_functions) > 0
        && let Some(text) = model.status.as_ref().map(|status| status.text.clone())
        && text.starts_with(RUNNING)
    {
        note(model, format!("finished {text}"));
    }
}

/// The beginning of the messages about functions that run.
const RUNNING: &str = "running ";

fn report_edit_effect(model: &mut Model, act: &str, was: &WorkbenchRecording) {
    let colon = if act.is_empty() { String::new() } else { format!("{act}: ") };
    // On the screens about all targets, the edit may concern other targets than the open one.
    let target = match model.screen.place() {
        WorkbenchPlace::Target => String::new(),
        _ => format!("{}: ", super::super::text::sanitize(&model.target_name())),
    };
    let words = match (&was.error, &model.builds.recording.error) {
        (_, Some(_)) => "build failed (gp: why, z undoes)".to_owned(),
        (Some(_), None) => state_words(TargetState::BuildsNow).unwrap_or_default().to_owned(),
        (None, None) => {
            let rows = changed_between(was, &model.builds.recording);
            let counted = counted(&rows, model.glyphs().minus);
            match (counted.is_empty(), first_pending_reason([was, &model.builds.recording])) {
                (true, None) => "output unchanged".to_owned(),
                (true, Some(need)) => format!("not known: {need}"),
                (false, None) => format!("output: {counted}"),
                (false, Some(need)) => {
                    format!("output: {counted}; the rest not known: {need}")
                }
            }
        }
    };
    note(model, format!("{colon}{target}{words}"));
}

/// Drops all data that holds resources of the old recording, so that their memory is freed.
fn drop_recording_data(model: &mut Model) {
    let saved = if model.has_draft() { None } else { model.builds.saved.take() };
    let rows = [
        std::mem::take(&mut model.components.effect),
        std::mem::take(&mut model.detail.effect),
        std::mem::take(&mut model.diff.changed),
    ];
    let resources = std::mem::take(&mut model.resources.list);
    model.deferred_drops.push(Box::new((model.builds.recording.clone(), saved, rows, resources)));
}

/// A tree with at least this many rows is opened with its bases and components closed.
const LONG_TREE_ROWS: usize = 45;

/// Handles files that changed on disk: the draft is rebased if possible.
pub(crate) fn handle_changed_files(model: &mut Model, files: Vec<(PathBuf, Option<Arc<[u8]>>)>) {
    for (path, bytes) in files {
        let change = model.edits.draft.disk_changed(&path, bytes);
        let name = model.builds.recording.shorten(&path.to_string_lossy());
        match change {
            DiskChange::Unrelated | DiskChange::Agrees => {}
            DiskChange::Rebased => {
                warn(model, format!("{name} changed on disk: the draft was rebased on it"));
            }
            DiskChange::Conflict => say_error(
                model,
                format!("{name} conflicts with the file on disk: :w shows both and asks"),
            ),
        }
    }
    refresh_draft(model);
    evaluate(model);
}

/// Handles the end of the editor: files are read again.
pub(crate) fn handle_closed_editor(model: &mut Model, result: Result<(), String>) {
    if let Err(reason) = result {
        say_error(model, format!("editor: {reason}"));
    }
    model.request(Effect::Redraw);
    evaluate(model);
}

pub(crate) fn refresh_draft(model: &mut Model) {
    model.edits.pending = model.edits.draft.pending();
    model.edits.list = model.edits.draft.edits();
    model.edits.changes = model.edits.draft.changes();
    for change in &model.edits.changes {
        let text = change.draft.clone().unwrap_or_default();
        if let Some(source) = model.opened.sources.get_mut(&change.path)
            && source.bytes != text
        {
            source.draft(text);
        }
    }
    model.edits.draft_revision += 1;
}
