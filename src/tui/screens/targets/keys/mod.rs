//! The Board: reading the repository, opening a target, returning, affected targets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::compare::{CompareReport, ComparisonResult, summary};
use crate::draft::FileChange;
use crate::engine::load::relative_path;
use crate::message::{BoardNews, Effect};
use crate::model::{
    BoardState, DraftImpact, EditEffects, Model, Overlay, Pane, RepositoryFindings, RunningBuild,
    Screen, WorkKind, WorkbenchPlace,
};
use crate::ports::{BoardOrder, ComparisonSides, Work};
use crate::repository::{LocatedDeploymentObject, Repository};
use crate::screens::compared;
use crate::theme::StyleRole;
use crate::update::derive::{derive_board, derive_findings};
use crate::update::{answers, matching, note, say, selection, warn, what_if};

/// Requests the repository at the first visit, or when a name of one of its targets is typed.
pub(crate) fn request_repository(model: &mut Model) {
    // The arguments of some commands are names of targets.
    let takes_target = match &model.overlay {
        Some(Overlay::Palette(palette)) => palette.takes_target(),
        _ => false,
    };
    let is_needed = model.screen.place() != WorkbenchPlace::Target || takes_target;
    if is_needed && !std::mem::replace(&mut model.board.is_asked, true) {
        model.request(Effect::Board(BoardOrder::Read));
    }
}

/// Drops comparisons from before a change of trust, of downloads, of recorded functions or of the
/// version profile, once the files and the draft are built.
pub(crate) fn compare_new_inputs(model: &mut Model) {
    if model.builds.running == RunningBuild::Idle
        && std::mem::take(&mut model.builds.has_new_inputs)
    {
        compare_again(model);
    }
}

/// Drops the comparisons of the draft and of the branch. That of the draft is requested again when
/// it is shown.
fn compare_again(model: &mut Model) {
    model.reach.report = None;
    model.reach.of.clear();
    model.work.of_kind(WorkKind::Reach).request = None;
    model.edits.effects = EditEffects::default();
    model.work.cancel(WorkKind::EditEffect);
    if model.shows_branch() || model.branch.error.is_some() {
        ask_branch(model);
    }
}

/// Handles files that changed on disk: affected targets are built again.
pub(crate) fn handle_tree_change(model: &mut Model, paths: Vec<PathBuf>) {
    if !model.board.is_asked {
        return;
    }
    // An empty list means that events were lost: any file may have changed.
    let order = if paths.is_empty() { BoardOrder::Read } else { BoardOrder::Changed(paths) };
    model.request(Effect::Board(order));
    compare_again(model);
    model.compared.is_outdated = model.compared.asked.is_some();
    model.board.findings = RepositoryFindings::default();
    model.table.of = None;
}

pub(crate) fn handle_board_news(model: &mut Model, news: BoardNews) {
    if matches!(&news, BoardNews::DeploymentObjects(all, again) if again.is_empty() && *all == model.board.managers)
    {
        return;
    }
    model.board.edition += 1;
    let is_graph = matches!(
        news,
        BoardNews::Found(_) | BoardNews::Read(..) | BoardNews::DeploymentObjects(..)
    );
    model.board.graph += u64::from(is_graph);
    match news {
        BoardNews::Failed(reason) => {
            model.board.error = Some(reason);
        }
        BoardNews::Read(repository, pending) => take_repository(model, repository, pending),
        BoardNews::Checked(report) => {
            report.count_in(&mut model.board.summaries);
            let repository = model.board.repository.as_deref();
            let root = repository.map_or(&*model.board.scope, |repository| &*repository.root);
            model.board.findings.take(report.findings, root);
            derive_findings(model);
        }
        BoardNews::Fixed(result) => handle_fix(model, result),
        BoardNews::Found(repository) => {
            if let Some(words) = &repository.left_out {
                let words =
                    format!("not all targets are listed: {} {words}", repository.root.display());
                warn(model, words);
            }
            if model.board.repository.is_none() {
                model.board.repository = Some(repository);
                fold(model);
            }
        }
        BoardNews::DeploymentObjects(managers, again) => {
            set_deployment_objects(model, managers);
            model.board.pending.extend(again);
        }
        BoardNews::Built(built) => {
            for (path, summary) in built {
                model.board.pending.remove(&path);
                match summary {
                    Some(summary) => model.board.summaries.insert(path, summary),
                    None => model.board.summaries.shift_remove(&path),
                };
            }
        }
    }
}

fn take_repository(model: &mut Model, repository: Arc<Repository>, pending: Vec<PathBuf>) {
    let is_first = model.board.repository.as_ref().is_none_or(|known| known.is_unread);
    // As long as no file is added or deleted, the watched folders are the same.
    let known = model.board.repository.as_ref();
    let is_as_before = known.is_some_and(|it| Arc::ptr_eq(&it.files, &repository.files));
    let managers: BTreeSet<PathBuf> =
        model.board.managers.iter().map(LocatedDeploymentObject::target).collect();
    let there = |path: &PathBuf| repository.target(path).is_some() || managers.contains(path);
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
    if !is_as_before {
        model.request(Effect::Watch(model.watched()));
    }
}

/// Shows the places of the selected problem, or opens its first target.
pub(crate) fn open_finding(model: &mut Model) {
    let row = model.list(Pane::Findings).selected;
    if matching::open_finding_row(model, Pane::Findings) {
        return;
    }
    let target = model.finding(row).and_then(|found| found.targets.first()).cloned();
    if let Some(target) = target {
        return open_path(model, &target);
    }
    note(model, "no target has this problem");
}

pub(crate) fn fix_finding(model: &mut Model) {
    let row = model.list(Pane::Findings).selected;
    let Some(found) = model.fixable_finding(row).cloned() else { return };
    note(model, "trying the fix in every target that it affects…");
    let scope = model.edits.draft.scope().clone();
    model.request(Effect::Board(BoardOrder::Fix(Box::new(found), scope)));
}

fn handle_fix(model: &mut Model, result: Result<(String, Vec<FileChange>), String>) {
    let (words, changes) = match result {
        Ok(fix) => fix,
        Err(reason) => return warn(model, format!("no fix: {reason}")),
    };
    let is_drafted =
        |change: &FileChange| model.edits.changes.iter().any(|it| it.path == change.path);
    if let Some(change) = changes.iter().find(|change| is_drafted(change)) {
        let file = model.board.shown(&change.path);
        let words =
            format!("{file} is in the draft: fix it in the target, or write the draft first");
        return warn(model, words);
    }
    what_if::apply_fix(model, &words, &changes);
}

/// A list with at least this many rows is shown with closed folders.
const LONG: usize = 200;

/// Closes folders, the deepest first, until the list is short enough.
fn fold(model: &mut Model) {
    model.board.closed.clear();
    let rows = crate::model::board_rows(&model.board, [&model.reach, &model.branch], None);
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

/// Takes the deployment objects. In a long list, files with many of them are closed at first.
fn set_deployment_objects(model: &mut Model, managers: Vec<LocatedDeploymentObject>) {
    let files = |board: &BoardState| -> BTreeSet<PathBuf> {
        board.files_of_many().into_iter().map(Path::to_owned).collect()
    };
    let known = files(&model.board);
    model.board.managers = managers;
    if model.board.listed_deployment_objects().count() > LONG {
        let added: Vec<PathBuf> = files(&model.board).difference(&known).cloned().collect();
        model.board.closed.extend(added.iter().cloned());
        model.board.folded.extend(added);
    }
}

/// Requests the targets that the draft affects, if the Board is open and the draft changed.
pub(crate) fn request_draft_effects(model: &mut Model) {
    let is_asked = matches!(&model.overlay, Some(Overlay::Confirm(it)) if it.is_write());
    if model.screen.place() != WorkbenchPlace::Target || is_asked {
        request_draft_effects_now(model);
    }
}

pub(crate) fn request_draft_effects_now(model: &mut Model) {
    if model.reach.of == model.edits.changes {
        return;
    }
    model.reach = DraftImpact { of: model.edits.changes.clone(), ..DraftImpact::default() };
    model.work.of_kind(WorkKind::Reach).request = None;
    model.board.edition += 1;
    if model.has_draft() {
        compare_draft(model, 0);
    }
}

/// Requests a comparison of all targets with and without the draft, with at most `most` trial
/// builds for each.
fn compare_draft(model: &mut Model, most: usize) {
    let sides = ComparisonSides::Draft(model.edits.changes.clone());
    model.start_comparison(WorkKind::Reach, sides, most);
}

/// The maximum number of trial builds for each target, to verify the cause of a difference.
const MAX_TRIALS_PER_TARGET: usize = 60;

pub(crate) fn handle_draft_comparison(
    model: &mut Model,
    result: Result<Arc<CompareReport>, String>,
) {
    model.board.edition += 1;
    match result {
        Err(reason) => model.reach.error = Some(reason),
        Ok(report) => {
            let is_final = model.reach.report.is_some() || report.targets.is_empty();
            model.reach.report = Some(report.clone());
            compared::keys::update_draft_report(model, report);
            if !is_final {
                // The first report only contains the differences; the next one verifies their
                // causes by trial builds.
                return compare_draft(model, MAX_TRIALS_PER_TARGET);
            }
            model.reach.is_final = true;
        }
    }
}

pub(crate) fn open(model: &mut Model) {
    let row = model.board.rows.get(model.list(Pane::Targets).selected).cloned();
    let Some(row) = row else { return };
    if row.is_target || model.board.deployment_object(&row.path).is_some() {
        return open_path(model, &row.path);
    }
    if row.open == Some(true) {
        let below = model.list(Pane::Targets).selected + 1;
        selection::select(model, Pane::Targets, below);
    } else {
        toggle(model, &row.path);
    }
}

pub(crate) fn open_path(model: &mut Model, path: &Path) {
    match model.board.deployment_object(path).cloned() {
        Some(manager) => open_deployed_target(model, &manager),
        None => open_target(model, path),
    }
}

pub(crate) fn open_selected(model: &mut Model) {
    if model.screen == Screen::Findings {
        return open_finding(model);
    }
    let selected = model.board.rows.get(model.list(Pane::Targets).selected);
    let is_target = selected
        .is_some_and(|row| row.is_target || model.board.deployment_object(&row.path).is_some());
    if is_target {
        return open(model);
    }
    warn(model, "no target open: select one in the repository (0)");
}

/// Opens the target with this name: a folder, `FILE#NAME`, or the file or the name of a deployment
/// object alone.
pub(crate) fn open_named(model: &mut Model, name: &str) {
    // Every kustomization has a name, also one that the list leaves out because others use it.
    let board = &model.board;
    let targets = |repository: &Repository| {
        let mut folders = repository.targets().map(|target| &target.folder);
        folders.find(|folder| board.shown(folder) == name).cloned()
    };
    if let Some(folder) = board.repository.as_deref().and_then(targets) {
        return open_target(model, &folder);
    }
    let is_named = |object: &&LocatedDeploymentObject| {
        let names = [object.target(), object.object_name(), object.at.file.clone()];
        object.name == name || names.iter().any(|path| board.shown(path) == name)
    };
    let objects = board.managers.iter().filter(|object| object.is_listed()).filter(is_named);
    let objects: Vec<LocatedDeploymentObject> = objects.cloned().collect();
    let words = match objects.as_slice() {
        [object] => return open_deployed_target(model, object),
        [] => format!("no target `{name}` in the repository"),
        several => {
            let names = several.iter().map(|object| model.board.shown(&object.target()));
            let names = names.collect::<Vec<_>>().join(", ");
            format!("{} targets are named {name}: name one: {names}", several.len())
        }
    };
    warn(model, words);
}

/// Opens the target that a deployment object builds, with the additions of that object (its images,
/// patches, namespace); for an `ApplicationSet`, its folder.
fn open_deployed_target(model: &mut Model, manager: &LocatedDeploymentObject) {
    let name = relative_path(&model.board.current, &manager.target());
    let Some(folder) = &manager.builds else {
        // The build is pending, with the reason and the remedy, or fails.
        let beside = manager.at.file.parent().unwrap_or(&manager.at.file).to_owned();
        return open_folder_as(model, name, &beside);
    };
    let repository = model.board.repository.as_deref();
    if repository.is_some_and(|repository| repository.can_build(manager)) {
        return open_folder_as(model, name, folder);
    }
    open_target(model, folder);
}

pub(crate) fn toggle(model: &mut Model, path: &Path) {
    if !model.board.closed.remove(path) {
        model.board.closed.insert(path.to_owned());
    }
    model.board.edition += 1;
}

pub(crate) fn toggle_selected(model: &mut Model) {
    let row = model.board.rows.get(model.list(Pane::Targets).selected);
    match row.filter(|row| row.open.is_some()).map(|row| row.path.clone()) {
        Some(path) => toggle(model, &path),
        None => note(model, "no rows below it (enter opens it)"),
    }
}

/// Closes the selected folder if it is open; otherwise selects the folder above it.
pub(crate) fn close_or_select_parent(model: &mut Model) {
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
pub(crate) fn open_target(model: &mut Model, folder: &Path) {
    let name = match relative_path(&model.board.current, folder) {
        here if here.is_empty() => ".".to_owned(),
        path => path,
    };
    open_folder_as(model, name, folder);
}

fn open_folder_as(model: &mut Model, name: String, folder: &Path) {
    // The folder may already be open as the target of a deployment object, which is a different
    // target.
    let is_deployed = |name: &str| name.contains('#');
    let is_same = model.opened.dir == folder
        && (model.opened.target == name
            || !is_deployed(&model.opened.target) && !is_deployed(&name));
    if is_same && model.opened.has_target {
        selection::show_screen(model, Screen::Tree);
        return;
    }
    model.open_target(name, folder.to_owned());
    // Changes of the draft are relative to the files: the files are built first.
    model.builds.wants_saved = model.has_draft();
    selection::show_screen(model, Screen::Tree);
    model.start(WorkKind::Components, Work::Discover(folder.to_owned()));
    answers::evaluate(model);
}

pub(crate) fn sort(model: &mut Model) {
    model.board.sort = model.board.sort.next();
    model.board.edition += 1;
    let words = model.board.sort.word();
    note(model, format!("targets {words}"));
}

/// Switches between all targets and those that no other target uses.
pub(crate) fn toggle_bases(model: &mut Model) {
    model.board.with_bases = !model.board.with_bases;
    model.board.edition += 1;
    let words = if model.board.with_bases {
        "every kustomization, bases included"
    } else {
        "only targets that no other target uses"
    };
    note(model, words);
}

/// Shows the users and dependencies of the path in the selected row of the graph.
pub(crate) fn follow(model: &mut Model) {
    let row = model.board.users.get(model.list(Pane::Users).selected);
    let Some(path) = row.and_then(|row| row.path.clone()) else {
        return note(model, "no target here for this row");
    };
    model.board.subjects.push(path);
    model.list_mut(Pane::Users).selected = 0;
    model.board.edition += 1;
}

/// Goes back to the row from which the graph was last followed; false at the beginning.
pub(crate) fn unfollow(model: &mut Model) -> bool {
    let was = model.board.subjects.pop().is_some();
    model.board.edition += 1;
    was
}

/// Shows the users of the open target, or on the Board those of the selected target.
pub(crate) fn users(model: &mut Model) {
    if model.screen != Screen::Board {
        model.board.subjects = vec![model.opened.dir.clone()];
        selection::show_screen(model, Screen::Board);
    }
    selection::focus(model, Pane::Users);
}

pub(crate) fn draft_diff(model: &mut Model) {
    if !model.has_draft() {
        return note(model, "no draft: edit a target first");
    }
    let row = model.board.rows.get(model.list(Pane::Targets).selected);
    let name = row.filter(|row| row.is_target && model.screen == Screen::Board).and_then(|row| {
        let manager =
            model.board.deployment_object(&row.path).and_then(|manager| manager.builds.as_ref());
        let folder = manager.unwrap_or(&row.path);
        model.board.repository.as_deref().map(|repository| repository.shown(folder))
    });
    compared::keys::show_draft(model, name.as_deref());
    request_draft_effects_now(model);
}

pub(crate) fn filter_targets(model: &mut Model, text: &str) {
    selection::set_filter(model, Pane::Targets, text);
    derive_board(model);
    if model.board.rows.is_empty() && !text.is_empty() {
        warn(
            model,
            "no match; filters: part of a path, KZ101, state:fails, state:pending, is:problem, is:affected, is:branch",
        );
    }
}

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let repository = model.board.repository.as_deref()?;
    Some((repository.target(model.board.selected.as_deref()?)?.file.clone(), 1))
}

pub(crate) fn place_of_user(model: &Model) -> Option<(PathBuf, u32)> {
    let path = model.board.users.get(model.list(Pane::Users).selected)?.path.clone()?;
    let target = model.board.repository.as_deref()?.target(&path);
    Some((target.map_or(path, |target| target.file.clone()), 1))
}

/// Requests the changes of the branch in each target; if they are already known, opens their
/// comparison with the edits that caused them.
pub(crate) fn compare_branch(model: &mut Model) {
    if model.branch.report.as_deref().is_some_and(|report| !report.targets.is_empty()) {
        return compared::keys::ask(model, ComparisonSides::Branch);
    }
    note(model, BUILDING);
    ask_branch(model);
}

/// The beginning of the message while the targets are compared.
const BUILDING: &str = "building the default branch…";

/// Adds the number of compared targets to the shown message about the comparison.
pub(crate) fn update_progress_message(model: &mut Model) {
    let progress = model.work.progress(WorkKind::Branch);
    let status = model.status.as_mut().filter(|status| status.text.starts_with(BUILDING));
    if let Some((status, (done, all))) = status.zip(progress) {
        status.text = format!("{BUILDING} {done} of {all} targets compared (ctrl-c: cancel)");
    }
}

/// Requests the comparison, even if an earlier one is running.
pub(crate) fn ask_branch(model: &mut Model) {
    model.branch = DraftImpact::default();
    model.work.cancel(WorkKind::Branch);
    model.start_comparison(WorkKind::Branch, ComparisonSides::Branch, 0);
    model.board.edition += 1;
}

pub(crate) fn handle_branch_comparison(
    model: &mut Model,
    result: Result<Arc<CompareReport>, String>,
) {
    model.board.edition += 1;
    match result {
        Err(reason) => {
            warn(model, format!("changes of the branch not known: {reason}"));
            model.branch.error = Some(reason);
        }
        Ok(report) => {
            let found = match report.result() {
                ComparisonResult::Same => format!("no output differs from {}", report.before),
                ComparisonResult::Different => {
                    format!("{} (gb: by edit)", summary(&report))
                }
                ComparisonResult::NotKnown => format!("{} (gb: reasons)", summary(&report)),
            };
            // The comparison may end after a first edit.
            let words = if model.has_draft() {
                format!("branch without the draft: {found}")
            } else {
                found
            };
            say(model, StyleRole::Text, words);
            model.branch.report = Some(report);
        }
    }
}
