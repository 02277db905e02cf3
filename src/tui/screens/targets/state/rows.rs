//! The rows of the Board: a tree of folders with their targets, or the targets in another order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use nucleo_matcher::Config;
use nucleo_matcher::pattern::CaseMatching;

use crate::answers::compare::{ReportTarget, TargetState};
use crate::answers::{TargetBuildState, TargetSummary};
use crate::engine::diagnostic::Code;
use crate::repository::LocatedDeploymentObject;
use crate::screens::targets::state::{BoardSort, BoardState, DraftImpact};
use crate::text::FuzzyMatcher;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TargetCounts {
    pub targets: usize,
    pub built: usize,
    pub fails: usize,
    /// The number of these targets with pending steps.
    pub waits: usize,
    pub objects: usize,
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    pub draft: ChangeCounts,
    pub branch: ChangeCounts,
}

/// The counts of the changes of the draft, or of the branch, in a folder or in one target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangeCounts {
    pub targets: usize,
    /// The number of targets that fail only with the changes.
    pub broken: usize,
    /// The number of targets that fail only without the changes.
    pub mended: usize,
    pub new: usize,
    /// The number of targets for which no difference is known.
    pub unknown: usize,
    /// The number of targets with a difference, of which the rest is not known.
    pub partly_known: usize,
    /// The number of removed, of added and of changed resources.
    pub removed: usize,
    pub added: usize,
    pub changed: usize,
    /// The number of dangers that are errors, and of those that are warnings.
    pub errors: usize,
    pub warnings: usize,
}

impl ChangeCounts {
    pub(super) fn from_target(target: &ReportTarget) -> Self {
        // The difference of a resource that a pending step may still write is not known.
        let known = || target.resources.iter().filter(|resource| resource.pending.is_none());
        let count = |change: &str| known().filter(|resource| resource.change == change).count();
        let dangers = |severity: &str| {
            let dangers = known().flat_map(|resource| &resource.dangers);
            dangers.filter(|danger| danger.severity == severity).count()
        };
        let is = |state| target.state == state;
        let is_partly_known = is(TargetState::Differs) && !target.pending.is_empty();
        Self {
            targets: 1,
            broken: is(TargetState::FailsNow).into(),
            mended: is(TargetState::BuildsNow).into(),
            new: is(TargetState::Added).into(),
            unknown: is(TargetState::NotKnown).into(),
            partly_known: is_partly_known.into(),
            removed: count("removed"),
            added: count("added"),
            changed: count("changed"),
            errors: dangers("error"),
            warnings: dangers("warning"),
        }
    }

    fn add(&mut self, other: Self) {
        self.targets += other.targets;
        self.broken += other.broken;
        self.mended += other.mended;
        self.new += other.new;
        self.unknown += other.unknown;
        self.partly_known += other.partly_known;
        self.removed += other.removed;
        self.added += other.added;
        self.changed += other.changed;
        self.errors += other.errors;
        self.warnings += other.warnings;
    }
}

/// The effect of the draft and the effect of the branch on a target, in this order.
type Changed = [Option<ChangeCounts>; 2];

impl TargetCounts {
    fn from_summary(summary: Option<&TargetSummary>, [draft, branch]: Changed) -> Self {
        let mut counts = Self { targets: 1, ..Self::default() };
        if let Some(summary) = summary {
            counts.built = 1;
            counts.fails = usize::from(summary.standing == TargetBuildState::Fails);
            counts.waits = usize::from(summary.standing == TargetBuildState::Waits);
            counts.objects = summary.objects;
            (counts.errors, counts.warnings) = (summary.errors, summary.warnings);
            counts.notes = summary.notes;
        }
        [counts.draft, counts.branch] = [draft, branch].map(Option::unwrap_or_default);
        counts
    }

    fn add(&mut self, other: Self) {
        self.targets += other.targets;
        self.built += other.built;
        self.fails += other.fails;
        self.waits += other.waits;
        self.objects += other.objects;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
        self.draft.add(other.draft);
        self.branch.add(other.branch);
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BoardRow {
    pub path: PathBuf,
    /// The shown text: the path relative to the row above that contains this one.
    pub label: String,
    pub depth: usize,
    /// True for a target; false for a folder that only contains targets.
    pub is_target: bool,
    /// True if the row is open; `None` if it has no rows below it.
    pub open: Option<bool>,
    pub counts: TargetCounts,
}

#[derive(Default)]
struct BoardFolder {
    target: Option<TargetCounts>,
    /// The path of a deployment object.
    path: Option<PathBuf>,
    /// For a deployment object, the folder that it deploys.
    deploys: Option<String>,
    /// The subfolders with their names, in order.
    below: Vec<(String, BoardFolder)>,
}

impl BoardFolder {
    fn sum_counts(&self) -> TargetCounts {
        let mut counts = self.target.unwrap_or_default();
        for (_, folder) in &self.below {
            counts.add(folder.sum_counts());
        }
        counts
    }

    /// The subfolder with this name, created if missing. Targets are sorted by path, so that only
    /// the last subfolder can be the one.
    fn subfolder(&mut self, name: &str) -> Option<&mut Self> {
        if self.below.last().is_none_or(|(last, _)| last != name) {
            self.below.push((name.to_owned(), Self::default()));
        }
        self.below.last_mut().map(|(_, folder)| folder)
    }
}

pub(crate) fn board_rows(
    board: &BoardState,
    changes: [&DraftImpact; 2],
    filter: Option<&str>,
) -> Vec<BoardRow> {
    let names = || {
        let objects = board.listed_deployment_objects();
        let objects = objects.map(|it| searched_name(board, it, &deployed_words(board, it)));
        board.targets().map(|it| board.shown(&it.folder)).chain(objects).collect::<Vec<_>>()
    };
    let names = if filter.is_some() { names() } else { Vec::new() };
    let words = filter.unwrap_or_default().split_whitespace();
    let mut conditions: Vec<Condition> = words.map(|word| condition(word, &names)).collect();
    let mut is_wanted = |name: &str, summary: Option<&TargetSummary>, changed: Changed| {
        conditions.iter_mut().all(|holds| holds(name, summary, changed))
    };
    let mut targets: Vec<ListedTarget> = Vec::new();
    let changed = changes.map(DraftImpact::by_target);
    let changes_of = |folder: &Path| -> Changed {
        if changed.iter().all(Option::is_none) {
            return Changed::default();
        }
        // Reports name a target by its path relative to the top of the repository.
        let name = board.repository.as_deref().map_or_else(String::new, |it| it.shown(folder));
        changed.each_ref().map(|by| by.as_ref().and_then(|by| by.get(&name).copied()))
    };
    let mut list = |path: PathBuf, words: &str, deploys: Option<String>, changed: Changed| {
        let summary = board.summaries.get(&path);
        if is_wanted(words, summary, changed) {
            let counts = TargetCounts::from_summary(summary, changed);
            let shown = board.shown(&path);
            targets.push(ListedTarget { path, shown, deploys, counts });
        }
    };
    for target in board.targets() {
        let changed = changes_of(&target.folder);
        list(target.folder.clone(), &board.shown(&target.folder), None, changed);
    }
    for manager in board.listed_deployment_objects() {
        let deploys = deployed_words(board, manager);
        // Reports name the object; a folder that is a target as well has its own differences.
        let [draft, branch] = changes_of(&manager.target());
        let of_folder = manager.builds.as_deref().map(changes_of).unwrap_or_default();
        let changed = [draft.or(of_folder[0]), branch.or(of_folder[1])];
        let words = searched_name(board, manager, &deploys);
        list(manager.target(), &words, Some(deploys), changed);
    }
    if targets.iter().any(|it| it.deploys.is_some()) {
        targets.sort_by(|one, other| one.path.cmp(&other.path));
    }
    if board.sort == BoardSort::Folder {
        return tree(board, &targets, filter.is_some());
    }
    targets.sort_by_cached_key(|it| (Reverse(rank(&it.counts, board.sort)), it.shown.clone()));
    let row = |ListedTarget { path, shown, deploys, counts }| BoardRow {
        path,
        label: label_with_deployed_target(&shown, deploys.as_deref()),
        depth: 0,
        is_target: true,
        open: None,
        counts,
    };
    targets.into_iter().map(row).collect()
}

/// Numbers by which targets are sorted, the largest first.
fn rank(counts: &TargetCounts, by: BoardSort) -> Vec<usize> {
    match by {
        BoardSort::Folder => Vec::new(),
        BoardSort::State => {
            let TargetCounts { errors, warnings, waits, .. } = *counts;
            let (is_fault, fails) = (usize::from(errors > 0), usize::from(counts.fails > 0));
            vec![is_fault * fails, is_fault, fails, waits, errors, warnings]
        }
        BoardSort::Objects => vec![counts.objects],
        BoardSort::Draft => gravity(counts.draft),
        BoardSort::Branch => gravity(counts.branch),
    }
}

/// The order of changed targets: failing ones and dangers first, then by the number of resources.
fn gravity(counts: ChangeCounts) -> Vec<usize> {
    let ChangeCounts { broken, errors, warnings, targets, .. } = counts;
    vec![broken, errors, warnings, targets, counts.removed + counts.added + counts.changed]
}

struct ListedTarget {
    path: PathBuf,
    shown: String,
    /// For a deployment object, the folder that it deploys.
    deploys: Option<String>,
    counts: TargetCounts,
}

/// The folder that a deployment object builds, after its kind; its name if the folder is not known.
fn deployed_words(board: &BoardState, object: &LocatedDeploymentObject) -> String {
    let folder = object.builds.as_deref().map(|folder| board.shown(folder));
    let deployed = folder.unwrap_or_else(|| object.path.clone());
    if deployed.is_empty() {
        format!("{} {}", object.definition.kind.word(), object.name)
    } else {
        format!("{} of {deployed}", object.definition.kind.word())
    }
}

/// The text of a deployment object in which a search looks for its words.
fn searched_name(board: &BoardState, object: &LocatedDeploymentObject, deploys: &str) -> String {
    format!("{} {deploys}", board.shown(&object.target()))
}

fn label_with_deployed_target(name: &str, deploys: Option<&str>) -> String {
    deploys.map_or_else(|| name.to_owned(), |deploys| format!("{name}: {deploys}"))
}

/// A file with more deployment objects than this has a separate row, which opens them.
const MAX_OBJECTS_BESIDE_FILES: usize = 3;

impl BoardState {
    pub(crate) fn files_of_many(&self) -> BTreeSet<&Path> {
        let mut counts: BTreeMap<&Path, usize> = BTreeMap::new();
        for object in self.listed_deployment_objects() {
            *counts.entry(&object.at.file).or_default() += 1;
        }
        let many = counts.into_iter().filter(|(_, count)| *count > MAX_OBJECTS_BESIDE_FILES);
        many.map(|(file, _)| file).collect()
    }
}

/// The folder of a deployment object in the tree, and its name in it. The name may contain slashes:
/// the path of the target that deploys the object.
fn place_of_object<'p>(path: &'p Path, files: &BTreeSet<&Path>) -> Option<[&'p str; 2]> {
    let path = path.to_str()?;
    let (file, name) = path.split_once('#')?;
    if files.contains(Path::new(file)) {
        return Some([file, name]);
    }
    let start = file.rfind('/').map_or(0, |at| at + 1);
    Some([&path[..start], &path[start..]])
}

fn tree(board: &BoardState, targets: &[ListedTarget], is_filtered: bool) -> Vec<BoardRow> {
    let mut top = BoardFolder::default();
    let files = board.files_of_many();
    for ListedTarget { path, deploys, counts, .. } in targets {
        let object = deploys.as_ref().and_then(|_| place_of_object(path, &files));
        let folder = object.map_or(path.as_path(), |[folder, _]| Path::new(folder));
        let below = folder.strip_prefix(&board.scope).unwrap_or(folder);
        let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
        let name = object.map(|[_, name]| name.into());
        let folder = parts.chain(name).try_fold(&mut top, |at, part| at.subfolder(&part));
        if let Some(folder) = folder {
            (folder.target, folder.deploys) = (Some(*counts), deploys.clone());
            folder.path = object.map(|_| path.clone());
        }
    }
    let mut rows = Vec::new();
    if let Some(counts) = top.target {
        let path = board.scope.clone();
        let label = ".".to_owned();
        rows.push(BoardRow { path, label, depth: 0, is_target: true, open: None, counts });
    }
    let mut writer = BoardRowWriter { board, is_filtered, rows };
    writer.below(&top, &board.scope, 0);
    writer.rows
}

struct BoardRowWriter<'a> {
    board: &'a BoardState,
    is_filtered: bool,
    rows: Vec<BoardRow>,
}

impl BoardRowWriter<'_> {
    fn below(&mut self, folder: &BoardFolder, path: &Path, depth: usize) {
        for (name, folder) in &folder.below {
            let (mut folder, mut label, mut path) = (folder, name.clone(), path.join(name));
            // A folder that contains only one folder shares its row with it.
            while folder.target.is_none() && folder.below.len() == 1 {
                let Some((name, below)) = folder.below.first() else { break };
                (folder, path) = (below, path.join(name));
                label = format!("{label}/{name}");
            }
            label = label_with_deployed_target(&label, folder.deploys.as_deref());
            path = folder.path.clone().unwrap_or(path);
            let has_below = !folder.below.is_empty();
            // With a filter, all folders are open.
            let is_open = self.is_filtered || !self.board.closed.contains(&path);
            let is_target = folder.target.is_some();
            let counts = match folder.target {
                Some(own) if is_open => own,
                _ => folder.sum_counts(),
            };
            let open = has_below.then_some(is_open);
            self.rows.push(BoardRow { path: path.clone(), label, depth, is_target, open, counts });
            if has_below && is_open {
                self.below(folder, &path, depth + 1);
            }
        }
    }
}

/// Decides about a target by its name, its summary and its changes.
type Condition = Box<dyn FnMut(&str, Option<&TargetSummary>, Changed) -> bool>;

/// The condition of a word of the filter: a state, a code, or a part of the path. If no path contains
/// the word, its letters in their order and close together.
fn condition(word: &str, names: &[String]) -> Condition {
    let has_state = |wanted| -> Condition {
        Box::new(move |_, summary, _| summary.is_some_and(|it| it.standing == wanted))
    };
    match word.to_lowercase().as_str() {
        "state:fails" => has_state(TargetBuildState::Fails),
        "state:pending" | "state:waits" => has_state(TargetBuildState::Waits),
        "state:builds" => has_state(TargetBuildState::Builds),
        "is:problem" => {
            Box::new(|_, summary, _| summary.is_some_and(|it| it.errors + it.warnings > 0))
        }
        "is:affected" | "is:reached" => Box::new(|_, _, [draft, _]| draft.is_some()),
        "is:branch" => Box::new(|_, _, [_, branch]| branch.is_some()),
        code if code.len() > 3 && code.starts_with("kz") => {
            let code = code.to_uppercase();
            let is_it = move |it: &Code| it.as_str().starts_with(&*code);
            Box::new(move |_, summary, _| summary.is_some_and(|it| it.codes.iter().any(&is_it)))
        }
        _ => {
            // Capital letters match only themselves.
            let (text, is_exact) = (word.to_owned(), word.contains(char::is_uppercase));
            let contains = move |name: &str| {
                name.contains(&text) || !is_exact && name.to_lowercase().contains(&text)
            };
            if names.iter().any(|name| contains(name)) {
                return Box::new(move |name, _, _| contains(name));
            }
            let mode = (Config::DEFAULT.match_paths(), CaseMatching::Smart);
            let half = |itself: Option<u32>| itself.unwrap_or_default() / 2;
            let mut letters = FuzzyMatcher::new(word, mode, half);
            Box::new(move |name, _, _| letters.matches(name))
        }
    }
}
