//! The Board: reading the repository, opening a target, returning, affected targets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::keymap::Command;
use super::super::message::{BoardNews, Effect};
use super::super::model::{Model, Overlay, Pane, Screen};
use super::super::ports::{BoardOrder, Comparison, ComparisonSides};
use super::super::theme::StyleRole;
use super::derive::derive_board;
use super::{answers, branch, compared, filter, say, selection};
use crate::answers::TargetSummary;
use crate::answers::compare::CompareReport;
use crate::engine::load::relative_path;
use crate::repository::Manager;

/// Requests the repository at the first visit.
pub(super) fn request_repository(model: &mut Model) -> Option<Effect> {
    if model.screen != Screen::Board || model.board.is_asked {
        return None;
    }
    model.board.is_asked = true;
    Some(Effect::Board(BoardOrder::Read))
}

/// Files changed on disk: affected targets are built again.
pub(super) fn files_changed(model: &mut Model, paths: Vec<PathBuf>) -> Vec<Effect> {
    if !model.board.is_asked {
        return Vec::new();
    }
    model.reach.report = None;
    model.reach.of.clear();
    // Without paths events were lost, and any file may have changed.
    let order = if paths.is_empty() { BoardOrder::Read } else { BoardOrder::Changed(paths) };
    let mut effects = vec![Effect::Board(order)];
    if model.branch.is_asked() {
        effects.push(branch::ask(model));
    }
    effects
}

/// Handles results about the repository.
pub(super) fn board_news(model: &mut Model, news: BoardNews) -> Vec<Effect> {
    if matches!(&news, BoardNews::Managers(all, again) if again.is_empty() && *all == model.board.managers)
    {
        return Vec::new();
    }
    model.board.edition += 1;
    match news {
        BoardNews::Failed(reason) => {
            model.board.error = Some(reason);
            Vec::new()
        }
        BoardNews::Read(repository, pending) => {
            let is_first = model.board.repository.as_ref().is_none_or(|known| known.is_unread);
            // The watched folders are the same as long as no file is added or deleted.
            let known = model.board.repository.as_ref();
            let is_as_before = known.is_some_and(|it| Arc::ptr_eq(&it.files, &repository.files));
            let managers: BTreeSet<PathBuf> =
                model.board.managers.iter().map(Manager::target).collect();
            let there =
                |path: &PathBuf| repository.target(path).is_some() || managers.contains(path);
            if !is_as_before {
                model.board.summaries.retain(|path, _| there(path));
            }
            model.board.pending = pending.into_iter().collect();
            model.board.error = None;
            model.board.repository = Some(repository);
            // Rows that the user opened or closed meanwhile keep their state.
            if is_first && model.board.closed == model.board.folded {
                fold(model);
            }
            if is_as_before { Vec::new() } else { vec![Effect::Watch(model.watched())] }
        }
        BoardNews::Found(repository) => {
            if let Some(words) = &repository.left_out {
                let words =
                    format!("not all targets are listed: {} {words}", repository.root.display());
                say(model, StyleRole::Warning, words);
            }
            if model.board.repository.is_none() {
                model.board.repository = Some(repository);
                fold(model);
            }
            Vec::new()
        }
        BoardNews::Managers(managers, again) => {
            model.board.managers = managers;
            model.board.pending.extend(again);
            Vec::new()
        }
        BoardNews::Built(built) => {
            for (path, summary) in built {
                model.board.pending.remove(&path);
                model.board.summaries.insert(path, summary);
            }
            Vec::new()
        }
    }
}

/// From this number of rows on, folders are listed closed.
const LONG: usize = 200;

/// Closes folders, the deepest first, until the list is short enough.
fn fold(model: &mut Model) {
    model.board.closed.clear();
    let rows = super::super::model::board_rows(&model.board, [&model.reach, &model.branch], None);
    let mut left = rows.len();
    let deepest = rows.iter().map(|row| row.depth).max().unwrap_or(0);
    for depth in (0..deepest).rev() {
        if left <= LONG {
            break;
        }
        let closed = rows.iter().filter(|row| row.depth == depth && row.open.is_some());
        model.board.closed.extend(closed.map(|row| row.path.clone()));
        left = rows.iter().filter(|row| row.depth <= depth).count();
    }
    model.board.folded = model.board.closed.clone();
}

/// Requests the targets that the draft affects, if the Board is open and the draft changed.
pub(super) fn request_reach(model: &mut Model) -> Option<Effect> {
    let is_asked = matches!(&model.overlay, Some(Overlay::Confirm(it)) if it.is_write());
    let shows = model.screen == Screen::Board || is_asked;
    if !shows || model.reach.of == model.edits.changes {
        return None;
    }
    model.reach.report = None;
    model.reach.error = None;
    model.reach.is_final = false;
    model.reach.of.clone_from(&model.edits.changes);
    model.board.edition += 1;
    if model.edits.changes.is_empty() {
        model.reach.request = None;
        return None;
    }
    Some(ask_reach(model, 0))
}

/// Requests the targets that the draft affects, with `most` trials for each.
fn ask_reach(model: &mut Model, most: usize) -> Effect {
    model.builds.comparisons += 1;
    model.reach.request = Some(model.builds.comparisons);
    let show_secrets = !model.look.secrets.are_masked();
    let what = Comparison {
        sides: ComparisonSides::Draft(model.edits.changes.clone()),
        most,
        show_secrets,
    };
    Effect::Compare { request: model.builds.comparisons, what }
}

/// Trials for each target, to verify the cause of a difference.
const TRIALS: usize = 60;

/// The comparison of the draft over all targets ended.
pub(super) fn handle_draft_comparison(
    model: &mut Model,
    result: Result<CompareReport, String>,
) -> Vec<Effect> {
    model.board.edition += 1;
    model.reach.request = None;
    match result {
        Err(reason) => model.reach.error = Some(reason),
        Ok(report) => {
            let report = Arc::new(report);
            let is_final = model.reach.report.is_some() || report.targets.is_empty();
            model.reach.report = Some(report.clone());
            compared::draft_compared(model, report);
            if !is_final {
                // That was only a count; now trials find the cause of each difference.
                return vec![ask_reach(model, TRIALS)];
            }
            model.reach.is_final = true;
        }
    }
    Vec::new()
}

/// Opens the selected target, or a folder of the list.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let row = model.board.rows.get(model.list(Pane::Targets).selected).cloned();
    let Some(row) = row else { return Vec::new() };
    if let Some(manager) = model.board.manager(&row.path).cloned() {
        return open_manager(model, &manager);
    }
    if row.is_target {
        return open_target(model, &row.path);
    }
    toggle(model, &row.path);
    Vec::new()
}

/// Opens the target of a deployment object with its additions; for an `ApplicationSet`, the folder.
fn open_manager(model: &mut Model, manager: &Manager) -> Vec<Effect> {
    let Some(folder) = &manager.builds else {
        let path = &manager.path;
        let why =
            format!("{} {} deploys {path}: no such folder here", manager.object, manager.name);
        say(model, StyleRole::Dim, why);
        return Vec::new();
    };
    let is_buildable = model
        .board
        .repository
        .as_deref()
        .is_some_and(|repository| manager.is_buildable(repository));
    if !is_buildable {
        return open_target(model, folder);
    }
    let name = relative_path(&model.board.current, &manager.target());
    open_called(model, name, folder)
}

/// Opens or closes a folder of the list.
pub(super) fn toggle(model: &mut Model, path: &Path) {
    if !model.board.closed.remove(path) {
        model.board.closed.insert(path.to_owned());
    }
    model.board.edition += 1;
}

/// Opens or closes the selected folder.
pub(super) fn toggle_selected(model: &mut Model) {
    let row = model.board.rows.get(model.list(Pane::Targets).selected);
    match row.filter(|row| row.open.is_some()).map(|row| row.path.clone()) {
        Some(path) => toggle(model, &path),
        None => say(model, StyleRole::Dim, "no rows below it (enter opens it)"),
    }
}

/// Back from a row: its folder closes, or the folder above it is selected.
pub(super) fn back(model: &mut Model) {
    let at = model.list(Pane::Targets).selected;
    let Some(row) = model.board.rows.get(at).cloned() else { return };
    if row.open == Some(true) {
        return toggle(model, &row.path);
    }
    let above = model.board.rows[..at].iter().rposition(|other| other.depth < row.depth);
    if let Some(above) = above {
        selection::select(model, Pane::Targets, above);
    }
}

/// Opens a target in the workbench and keeps the draft.
pub(super) fn open_target(model: &mut Model, folder: &Path) -> Vec<Effect> {
    let name = match relative_path(&model.board.current, folder) {
        here if here.is_empty() => ".".to_owned(),
        path => path,
    };
    open_called(model, name, folder)
}

fn open_called(model: &mut Model, name: String, folder: &Path) -> Vec<Effect> {
    // The same folder may be open as the target of a deployment object.
    let is_deployed = |name: &str| name.contains('#');
    let is_same = model.opened.dir == folder
        && (model.opened.target == name
            || !is_deployed(&model.opened.target) && !is_deployed(&name));
    if is_same && model.opened.has_target {
        selection::show(model, Screen::Tree);
        return Vec::new();
    }
    model.open_target(name, folder.to_owned());
    // Changes of the draft are relative to the files: the files are built first.
    model.builds.wants_saved = model.has_draft();
    selection::show(model, Screen::Tree);
    let mut effects = vec![Effect::Discover(folder.to_owned())];
    effects.extend(answers::evaluate(model));
    effects
}

/// The next order of the list.
pub(super) fn sort(model: &mut Model) {
    model.board.sort = model.board.sort.next();
    model.board.edition += 1;
    let words = model.board.sort.word();
    say(model, StyleRole::Dim, format!("targets {words}"));
}

/// Toggles between all targets and those that no other target uses.
pub(super) fn with_bases(model: &mut Model) {
    model.board.with_bases = !model.board.with_bases;
    model.board.edition += 1;
    let words = if model.board.with_bases {
        "every kustomization, bases included"
    } else {
        "only targets that no other target uses"
    };
    say(model, StyleRole::Dim, words);
}

/// Follows a row of the graph.
pub(super) fn follow(model: &mut Model) {
    let row = model.board.users.get(model.list(Pane::Users).selected);
    let Some(path) = row.and_then(|row| row.path.clone()) else {
        say(model, StyleRole::Dim, "no target here for this row");
        return;
    };
    model.board.subjects.push(path);
    model.list_mut(Pane::Users).selected = 0;
    model.board.edition += 1;
}

/// Back to the start of the last step in the graph; false at its beginning.
pub(super) fn unfollow(model: &mut Model) -> bool {
    let was = model.board.subjects.pop().is_some();
    model.board.edition += 1;
    was
}

/// Shows the graph of the selected target.
pub(super) fn users(model: &mut Model) {
    if model.screen != Screen::Board {
        model.board.subjects = vec![model.opened.dir.clone()];
        selection::show(model, Screen::Board);
    }
    selection::focus(model, Pane::Users);
}

/// Commands of the screens about many builds.
pub(super) fn run(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::Branch => return branch::run(model),
        Command::Sort => sort(model),
        Command::WithBases => with_bases(model),
        Command::Users => users(model),
        Command::GroupBy => compared::group(model),
        _ => compared::only_dangers(model),
    }
    Vec::new()
}

/// Shows the diff of the draft in the selected target, or in all affected targets.
pub(super) fn draft_diff(model: &mut Model) -> Vec<Effect> {
    if !model.has_draft() {
        say(model, StyleRole::Dim, "no draft: edit a target first");
        return Vec::new();
    }
    let row = model.board.rows.get(model.list(Pane::Targets).selected);
    let name = row.filter(|row| row.is_target && model.screen == Screen::Board).and_then(|row| {
        let manager = model.board.manager(&row.path).and_then(|manager| manager.builds.as_ref());
        let folder = manager.unwrap_or(&row.path);
        model.board.repository.as_deref().map(|repository| repository.shown(folder))
    });
    compared::show_draft(model, name.as_deref());
    reach_now(model)
}

/// Requests the affected targets unless they are known or requested.
pub(super) fn reach_now(model: &mut Model) -> Vec<Effect> {
    if model.reach.of == model.edits.changes {
        return Vec::new();
    }
    model.reach.of.clone_from(&model.edits.changes);
    model.reach.report = None;
    model.reach.is_final = false;
    vec![ask_reach(model, 0)]
}

/// Shows all rows again when the filter lets none through is no way out: esc is.
pub(super) fn filtered(model: &mut Model, text: &str) {
    filter::set(model, Pane::Targets, text);
    derive_board(model);
    if model.board.rows.is_empty() && !text.is_empty() {
        say(
            model,
            StyleRole::Warning,
            "no match; filters: part of a path, KZ101, state:fails, state:pending, is:problem, is:affected, is:branch",
        );
    }
}

/// A summary for the views.
pub(crate) fn summary_of<'m>(model: &'m Model, path: &Path) -> Option<&'m TargetSummary> {
    model.board.summaries.get(path)
}
