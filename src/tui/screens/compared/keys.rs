//! The Compare screen: requests a comparison and lists its result.

use std::sync::Arc;

use crate::answers::compare::{CompareReport, OpenDraft};
use crate::engine::load::{clean, relative_path};
use crate::model::{ComparedState, DraftImpact, GroupBy, Model, Pane, Screen, WorkKind};
use crate::ports::ComparisonSides;
use crate::repository::LocatedDeploymentObject;
use crate::update::derive::derive_compared;
use crate::update::{note, selection, warn};

/// The maximum number of trial builds for each target, to verify the cause of a difference.
const MAX_TRIALS_OF_TARGET: usize = 400;

const DRAFT: &str = "the files → the draft";

/// Runs `:compare A B [--like-a V] [--like-b V]` with these arguments.
pub(crate) fn compare(model: &mut Model, words: &str) {
    // `draft` means the draft that is shown, even if it has a name.
    let name = model.edits.name.as_deref();
    let draft = name.map_or_else(|| "draft".to_owned(), |name| format!("draft:{name}"));
    let words = words.split_whitespace().map(|word| if word == "draft" { &*draft } else { word });
    let shown: Vec<&str> = words.collect();
    let named: Vec<String> = shown.iter().map(|word| target_named(model, word)).collect();
    let sides = |words: &str| ComparisonSides::parse(words);
    match sides(&shown.join(" ")).and_then(|shown| Ok((shown, sides(&named.join(" "))?))) {
        Ok((shown, named)) => {
            let named = named.with_open_draft(open_draft(model));
            ask_titled(model, named, shown.words());
        }
        Err(reason) => warn(model, reason),
    }
}

pub(crate) fn open_draft(model: &Model) -> OpenDraft {
    OpenDraft { name: model.edits.name.clone(), changes: model.edits.changes.clone() }
}

/// The path of the target that the list of targets shows with this name; other words are
/// unchanged, and a path in the working directory is one already.
fn target_named(model: &Model, word: &str) -> String {
    let board = &model.board;
    let folders = || board.targets().map(|target| target.folder.clone());
    if folders().any(|folder| folder == clean(&board.current.join(word))) {
        return word.to_owned();
    }
    let objects = board.managers.iter().map(LocatedDeploymentObject::target);
    let named = folders().chain(objects).find(|target| board.shown(target) == word);
    match named.map(|target| relative_path(&board.current, &target)) {
        None => word.to_owned(),
        // The working directory is a target.
        Some(path) if path.is_empty() => ".".to_owned(),
        Some(path) => path,
    }
}

pub(crate) fn ask(model: &mut Model, sides: ComparisonSides) {
    let title = sides.words();
    ask_titled(model, sides, title);
}

fn ask_titled(model: &mut Model, sides: ComparisonSides, title: String) {
    let edition = model.compared.edition + 1;
    let asked = Some(sides.clone());
    start(model, sides);
    let sides = std::mem::take(&mut model.compared.sides);
    let state = ComparedState { title, asked, sides, edition, ..ComparedState::default() };
    let former = std::mem::replace(&mut model.compared, state);
    model.compared.former = former.report.is_some().then(|| Box::new(former));
    show(model);
}

fn start(model: &mut Model, sides: ComparisonSides) {
    model.work.cancel(WorkKind::Compared);
    model.start_comparison(WorkKind::Compared, sides, MAX_TRIALS_OF_TARGET);
}

fn show(model: &mut Model) {
    if model.screen != Screen::Compared {
        model.jumps.opened_from = Some(model.screen);
    }
    selection::show_screen(model, Screen::Compared);
}

pub(crate) fn request_again(model: &mut Model) {
    let is_running = model.work.is_running(WorkKind::Compared);
    if model.screen != Screen::Compared || is_running || !model.compared.is_outdated {
        return;
    }
    let Some(sides) = model.compared.asked.clone() else { return };
    let sides =
        if sides.open_draft().is_some() { sides.with_open_draft(open_draft(model)) } else { sides };
    start(model, sides);
    let state = &mut model.compared;
    (state.is_outdated, state.report, state.error) = (false, None, None);
    state.edition += 1;
}

pub(crate) fn cancel_branch(model: &mut Model) {
    model.branch = DraftImpact::default();
    model.work.cancel(WorkKind::Branch);
    model.board.edition += 1;
    say_cancelled(model);
}

pub(crate) fn say_cancelled(model: &mut Model) {
    warn(model, "comparison cancelled");
}

/// Cancels the running comparisons of the draft and of its edits; false without one.
pub(crate) fn cancel_effects(model: &mut Model) -> bool {
    let effects = &mut model.edits.effects;
    let is_edit = model.work.cancel(WorkKind::EditEffect);
    if is_edit {
        for edit in &model.edits.list {
            effects.by_edit.entry(edit.act).or_insert_with(|| Err("cancelled".to_owned()));
        }
    }
    let is_draft = model.work.of_kind(WorkKind::Reach).request.take().is_some();
    if is_draft {
        model.reach.error = Some("cancelled".to_owned());
    }
    model.board.edition += 1;
    is_edit || is_draft
}

pub(crate) fn handle_report(model: &mut Model, result: Result<Arc<CompareReport>, String>) {
    model.compared.former = None;
    model.compared.edition += 1;
    match result {
        Ok(report) => model.compared.report = Some(report),
        Err(reason) => model.compared.error = Some(reason),
    }
}

/// Shows the changes of the draft, at one target if it is named.
pub(crate) fn show_draft(model: &mut Model, target: Option<&str>) {
    let edition = model.compared.edition + 1;
    let by = if target.is_some() { GroupBy::Target } else { GroupBy::Cause };
    let report = model.reach.report.clone().filter(|_| model.reach.of == model.edits.changes);
    let title = DRAFT.to_owned();
    model.compared = ComparedState { title, report, by, edition, ..ComparedState::default() };
    model.work.cancel(WorkKind::Compared);
    show(model);
    derive_compared(model);
    let row = target.and_then(|name| {
        let rows = model.compared.rows.iter();
        rows.clone().position(|row| row.label == name && row.depth == 0)
    });
    match (row, target) {
        (Some(row), _) => selection::select(model, Pane::Differences, row),
        (None, Some(name)) if model.compared.report.is_some() => {
            note(model, format!("the draft does not change {name}"));
        }
        _ => {}
    }
}

pub(crate) fn show_draft_by_target(model: &mut Model) {
    show_draft(model, None);
    model.compared.by = GroupBy::Target;
    model.compared.edition += 1;
    derive_compared(model);
}

pub(crate) fn update_draft_report(model: &mut Model, report: Arc<CompareReport>) {
    if model.compared.title == DRAFT {
        model.compared.report = Some(report);
        model.compared.edition += 1;
    }
}

pub(crate) fn group(model: &mut Model) {
    model.compared.by = model.compared.by.next();
    model.compared.edition += 1;
    model.list_mut(Pane::Differences).selected = 0;
}

pub(crate) fn only_dangers(model: &mut Model) {
    model.compared.only_dangers = !model.compared.only_dangers;
    model.compared.edition += 1;
    derive_compared(model);
    if model.compared.rows.is_empty() && model.compared.report.is_some() {
        model.compared.only_dangers = false;
        model.compared.edition += 1;
        note(model, "no dangerous change");
    }
}
