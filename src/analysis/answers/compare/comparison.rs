//! Builds the sides of a comparison, and compares them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::changed_files::{changed_file_edits, changed_paths};
use super::folders::{folder_edits, is_built_from, same_roles};
use super::report_context::{ReportContext, report_edits, report_target};
use super::report_renames::{CountedRenames, add_renames, with_counts};
use super::side_sources::{ComparedSide, Tree};
use super::side_targets::SideTargets;
use super::side_targets::{common_root, hidden_bases, target_folder};
use super::sides::{SideCaches, compare_side_builds, compare_target};
use super::{
    CommitOfEdit, CompareReport, FileEdits, Outcomes, ReportEdit, ReportTarget, SCHEMA_VERSION,
    Shard, Side, TargetState,
};
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::{BuildCache, BuildOptions, FunctionAnswers, Ports};
use crate::engine::plugin::PinnedPrograms;
use crate::engine::resource::{QuickSet, Resource};
use crate::repository::{BuildProgress, map_slice_in_parallel, map_with_cache, missing_content};

/// Compares both sides.
///
/// # Errors
/// Only one of the sides is a target, a folder cannot be listed, or a clone lacks the content of a
/// file.
pub fn compare_sides(
    before: &ComparedSide,
    after: &ComparedSide,
    settings: &CompareSettings<'_>,
) -> Result<CompareReport, String> {
    let report = compare_both((before, after), settings);
    check_content([before, after])?;
    Ok(report?.with_headline())
}

/// Fails if a clone lacks the content of a file that was read.
pub(super) fn check_content<const N: usize>(sides: [&ComparedSide; N]) -> Result<(), String> {
    // A build cannot distinguish a file without content from a missing file.
    let commit = |side: &ComparedSide| match side {
        ComparedSide::Tree(tree) => Some((tree.root.clone(), tree.commit.clone()?.tree)),
        ComparedSide::Rendered(..) => None,
    };
    let mut commits = sides.into_iter().filter_map(commit);
    commits.find_map(|(root, tree)| missing_content(&*tree, &root)).map_or(Ok(()), Err)
}

fn compare_both(
    places: (&ComparedSide, &ComparedSide),
    settings: &CompareSettings<'_>,
) -> Result<CompareReport, String> {
    let (ComparedSide::Tree(one), ComparedSide::Tree(other)) = places else {
        return compare_with_rendered(places, settings);
    };
    let inputs =
        ReportInputs { places, root: &other.root, edits: &[], has_dangers: true, settings };
    // A folder that is a target is compared as that target, even with other targets below it.
    let mut report = match (one.target(), other.target()) {
        (None, None) => compare_all_targets((one, other), &inputs),
        _ if settings.every_target || is_whole_repository(one, other) => {
            compare_all_targets((one, other), &inputs)
        }
        (Some(_), Some(_)) if one.object.is_some() || other.object.is_some() => {
            let (one, other) = (one.with_repository_scope(), other.with_repository_scope());
            compare_one_target((&one, &other), &inputs)
        }
        (Some(_), Some(_)) => compare_one_target((one, other), &inputs),
        (Some(_), None) => Err(format!("{} is a target, but {} is not", one.label, other.label)),
        (None, Some(_)) => Err(format!("{} is not a target, but {} is", one.label, other.label)),
    }?;
    add_commits(&mut report, one, other);
    Ok(report)
}

fn compare_with_rendered(
    places: (&ComparedSide, &ComparedSide),
    settings: &CompareSettings<'_>,
) -> Result<CompareReport, String> {
    let (before, after) = places;
    let (one, other) =
        (settings.side(before, settings.before), settings.side(after, settings.after));
    let mut root = PathBuf::new();
    for (place, side) in [(before, &one), (after, &other)] {
        let ComparedSide::Tree(tree) = place else { continue };
        root.clone_from(&tree.root);
        if side.target.is_none() {
            let why = "is not a target: no kustomization file in it";
            return Err(format!("{} {why}", tree.label));
        }
    }
    let outcomes = compare_target(&mut SideCaches::default(), (&one, &other), &[], false, 0);
    let name = format!("{} and {}", side_label(before), side_label(after));
    let inputs = ReportInputs { places, root: &root, edits: &[], has_dangers: true, settings };
    Ok(inputs.report(vec![ComparedTarget::new(name, outcomes)], 1, 0))
}

/// True if both sides are one repository from its root, at least one of them at a commit or with a
/// draft. Then all targets are compared, even if the root folder is a target itself.
fn is_whole_repository(one: &Tree, other: &Tree) -> bool {
    let is_root = |tree: &Tree| tree.object.is_none() && tree.scope == tree.root;
    one.root == other.root
        && is_root(one)
        && is_root(other)
        && [one, other].iter().any(|tree| tree.commit.is_some() || !tree.drafted.is_empty())
}

/// True if a resource of the side satisfies `matches_resource`. `None` if the side is no single target, or
/// does not build.
pub fn has_resource(
    place: &ComparedSide,
    options: &BuildOptions,
    settings: &CompareSettings<'_>,
    matches_resource: &dyn Fn(&Resource) -> bool,
) -> Option<bool> {
    let side = settings.side(place, options);
    let is_single = side.target.is_some() || !side.rendered.is_empty();
    let built = is_single.then(|| side.build(&mut BuildCache::default()))?;
    let output = built.outcome.ok().filter(|_| built.pending.is_empty())?;
    Some(output.iter().any(|resource| matches_resource(resource)))
}

fn side_label(place: &ComparedSide) -> &str {
    match place {
        ComparedSide::Tree(tree) => &tree.label,
        ComparedSide::Rendered(label, _) => label,
    }
}

fn compare_two_folders<'t>(
    (one, other): (&'t Tree, &'t Tree),
    inputs: &ReportInputs<'_>,
) -> CompareReport {
    let settings = inputs.settings;
    let build = |tree: &'t Tree, options| {
        let (side, mut memory) =
            (settings.tree_side(tree, tree.target(), options), BuildCache::default());
        let built = side.build(&mut memory);
        (tree, side, built, memory)
    };
    let (mut first, mut second) = (build(one, settings.before), build(other, settings.after));
    // Only entries of the second side can be reverted, so the target that is built from the other
    // one has to be the second side.
    let is_flipped = is_built_from((one, &first.2), (other, &second.2));
    if is_flipped {
        std::mem::swap(&mut first, &mut second);
    }
    let (from, to) = ((first.0, &first.2), (second.0, &second.2));
    let mut edits = folder_edits(from, to);
    let is_above = is_flipped || is_built_from(to, from);
    let roles = if is_above { Vec::new() } else { same_roles(from.1, to.1) };
    let (_, side, built, mut memory) = second;
    let sides = (&side, built, &mut memory);
    let mut outcomes = compare_side_builds(first.2, sides, &edits, false, settings.most, &roles);
    if is_flipped {
        edits = edits.into_iter().map(FileEdits::flipped).collect();
        outcomes = outcomes.flipped();
    }
    let root = common_root(&one.root, &other.root);
    let name = relative_text(&root, &other.target().unwrap_or_else(|| other.scope.clone()));
    let inputs = ReportInputs { root: &root, edits: &edits, has_dangers: false, ..*inputs };
    inputs.report(vec![ComparedTarget::new(name, outcomes)], 1, 0)
}

/// Compares one target in two states of its files. Targets of different folders are compared by
/// [`compare_two_folders`].
fn compare_one_target(
    (one, other): (&Tree, &Tree),
    inputs: &ReportInputs<'_>,
) -> Result<CompareReport, String> {
    if one.root != other.root || one.scope != other.scope || one.object != other.object {
        return Ok(compare_two_folders((one, other), inputs));
    }
    let settings = inputs.settings;
    let changed = changed_paths(one, other);
    let frames: (&Path, &Path) = (&one.root, &other.root);
    let edits = changed_file_edits(one, other, frames, &changed)?;
    let first = settings.tree_side(one, one.target(), settings.before);
    let second = settings.tree_side(other, other.target(), settings.after);
    let (is_alike, most) = (settings.has_same_profile(), settings.most);
    let caches = &mut SideCaches::default();
    let outcomes = compare_target(caches, (&first, &second), &edits, is_alike, most);
    let target = other.target().unwrap_or_else(|| other.scope.clone());
    let name = relative_text(&other.root, &target);
    let mut compared = vec![ComparedTarget::new(name, outcomes)];
    if !compared[0].outcomes.is_compared() {
        let both = SideTargets::of_both((one, other), frames)?;
        let target = both.1.relative_to_common_folder([target]);
        let targets = ComparedTargets { both: &both, changed: &changed, edits: &edits, settings };
        targets.add_bases_of_uncompared(&target, &mut compared);
    }
    Ok(ReportInputs { edits: &edits, ..*inputs }.report(compared, 1, 0))
}

fn compare_all_targets(
    (one, other): (&Tree, &Tree),
    inputs: &ReportInputs<'_>,
) -> Result<CompareReport, String> {
    let settings = inputs.settings;
    // Targets of different folders have the same role if they have the same path in these folders.
    let is_same_folder = one.root == other.root && one.scope == other.scope;
    let is_over_time = is_same_folder || one.root != other.root;
    let frames: (&Path, &Path) =
        if is_same_folder { (&one.root, &other.root) } else { (&one.scope, &other.scope) };
    let both = SideTargets::of_both((one, other), frames)?;
    let (old, new) = (&both.0, &both.1);
    let (olds, news) = (old.targets(settings.bases), new.targets(settings.bases));
    let all: BTreeSet<PathBuf> = olds.union(&news).cloned().collect();
    let changed = changed_paths(one, other);
    let (from, to) = (old.affected_targets(&changed), new.affected_targets(&changed));
    // With different version profiles, the output of every target may differ.
    let is_reached = |target: &PathBuf| {
        !settings.has_same_profile() || from.contains(target) || to.contains(target)
    };
    let is_mine = |at: usize| settings.shard.is_none_or(|shard| shard.has(at));
    let mine = all.iter().enumerate().filter(|(at, target)| is_mine(*at) && is_reached(target));
    let mine: Vec<&PathBuf> = mine.map(|(_, target)| target).collect();
    let edits = changed_file_edits(one, other, frames, &changed)?;
    let (in_both, only): (Vec<&PathBuf>, Vec<&PathBuf>) =
        mine.into_iter().partition(|target| old.has(target) && new.has(target));
    let targets = ComparedTargets { both: &both, changed: &changed, edits: &edits, settings };
    let mut compared = targets.compare_all(&in_both);
    targets.add_bases_of_uncompared(&all, &mut compared);
    let not_reached = all.iter().filter(|target| !is_reached(target)).count();
    let root = if is_over_time { frames.1 } else { &other.root };
    let inputs = ReportInputs { root, edits: &edits, has_dangers: is_over_time, ..*inputs };
    let mut report = inputs.report(compared, all.len(), not_reached);
    let hidden = hidden_bases((old, new), (&all, &(&from | &to)), &report, settings.bases);
    if is_over_time && settings.shard.is_none() {
        let hidden: Vec<&PathBuf> = hidden.iter().collect();
        let bases = targets.compare_all(&hidden);
        report.bases_changed = inputs.report(bases, 0, 0).differing_targets().count();
    }
    let without_edits = ComparedTargets { edits: &[], ..targets };
    let alone = map_slice_in_parallel(&only, |target| {
        without_edits.compare(target, &mut SideCaches::default())
    });
    let mut alone = inputs.report(alone, 0, 0).targets;
    for target in only {
        let state = if old.has(target) { TargetState::Removed } else { TargetState::Added };
        let name = relative_text(Path::new(""), target);
        let at = alone.iter().position(|target| target.target == name);
        let mut target = at.map(|at| alone.swap_remove(at)).unwrap_or_default();
        // All fields of an added or removed target have one cause, the target itself, so fields are
        // not listed.
        target.resources.iter_mut().for_each(|resource| resource.fields.clear());
        report.targets.push(ReportTarget { target: name, state, ..target });
    }
    report.clear_moved_resource_dangers();
    Ok(report.sorted())
}

/// The limit on targets in one part. The targets of a part are compared one after the other, so
/// that their common bases are built once.
const MAX_TARGETS_PER_PART: usize = 24;
/// The targets are divided into at least this number of parts, so that all cores have work.
const MIN_PARTS: usize = 16;

/// The targets of both sides, with the files that differ and their edits.
#[derive(Clone, Copy)]
struct ComparedTargets<'a> {
    both: &'a (SideTargets<'a>, SideTargets<'a>),
    changed: &'a [PathBuf],
    edits: &'a [FileEdits],
    settings: &'a CompareSettings<'a>,
}

impl ComparedTargets<'_> {
    fn compare_all(&self, targets: &[&PathBuf]) -> Vec<ComparedTarget> {
        let together = (targets.len() / MIN_PARTS).clamp(1, MAX_TARGETS_PER_PART);
        let done = AtomicUsize::new(0);
        map_with_cache(targets, (together, SideCaches::default), |target, memories| {
            let compared = self.compare(target, memories);
            if let Some(report) = &self.settings.progress {
                report(done.fetch_add(1, Ordering::Relaxed) + 1, targets.len());
            }
            compared
        })
    }

    /// Compares a target of both sides; one that a side lacks is compared with an empty output.
    fn compare(&self, target: &Path, memories: &mut SideCaches) -> ComparedTarget {
        let Self { both: (old, new), settings, .. } = self;
        let side = |of: &SideTargets<'_>, options: &BuildOptions| {
            let path = of.has(target).then(|| of.path(target));
            settings.tree_side(of.tree, path, options)
        };
        let (one, other) = (side(old, settings.before), side(new, settings.after));
        let (is_alike, most) = (settings.has_same_profile(), settings.most);
        let outcomes = compare_target(memories, (&one, &other), self.edits, is_alike, most);
        ComparedTarget::new(relative_text(Path::new(""), target), outcomes)
    }

    /// For each target that cannot be compared, records the changed files that affect it, and
    /// compares in its place those of its bases that the change affects and that build. If a base
    /// does not build, its own bases are tried. The targets in `listed` are compared anyway.
    fn add_bases_of_uncompared(
        &self,
        listed: &BTreeSet<PathBuf>,
        compared: &mut Vec<ComparedTarget>,
    ) {
        let Self { both: (old, new), changed, .. } = self;
        if compared.iter().all(|target| target.outcomes.is_compared()) {
            return;
        }
        let reached = |file: &PathBuf| {
            let file = std::slice::from_ref(file);
            &old.affected_targets(file) | &new.affected_targets(file)
        };
        let reached: Vec<BTreeSet<PathBuf>> = map_slice_in_parallel(changed, reached);
        let add_used =
            |folder: &Path, users: &[String], open: &mut BTreeMap<_, BTreeSet<String>>| {
                for below in old.used_targets(folder).intersection(&new.used_targets(folder)) {
                    open.entry(below.clone()).or_default().extend(users.iter().cloned());
                }
            };
        let mut open: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
        for target in compared.iter_mut().filter(|target| !target.outcomes.is_compared()) {
            let folder = target_folder(&target.name);
            let reaching = changed.iter().zip(&reached).filter(|(_, all)| all.contains(&folder));
            target.changed_files =
                reaching.map(|(file, _)| relative_text(Path::new(""), file)).collect();
            add_used(&folder, std::slice::from_ref(&target.name), &mut open);
        }
        let mut seen = listed.clone();
        while !open.is_empty() {
            open.retain(|target, _| {
                seen.insert(target.clone()) && reached.iter().any(|all| all.contains(target))
            });
            let (targets, users): (Vec<PathBuf>, Vec<BTreeSet<String>>) =
                std::mem::take(&mut open).into_iter().unzip();
            let is_built = |target: &PathBuf| old.is_buildable(target) && new.is_buildable(target);
            let built = map_slice_in_parallel(&targets, |target| {
                is_built(target).then(|| self.compare(target, &mut SideCaches::default()))
            });
            for ((folder, users), built) in targets.iter().zip(users).zip(built) {
                let in_place_of: Vec<String> = users.into_iter().collect();
                match built {
                    Some(target) if target.outcomes.is_compared() => {
                        compared.push(ComparedTarget { in_place_of, ..target });
                    }
                    _ => add_used(folder, &in_place_of, &mut open),
                }
            }
        }
    }
}

/// The text of a path relative to `root`: `.` for `root` itself, and an unchanged path outside of
/// `root`.
pub(super) fn relative_text(root: &Path, path: &Path) -> String {
    match path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned() {
        text if text.is_empty() => ".".to_owned(),
        text => text,
    }
}

pub(super) struct ComparedTarget {
    name: String,
    outcomes: Outcomes,
    /// The changed files that affect the target, if the target is not compared.
    changed_files: Vec<String>,
    in_place_of: Vec<String>,
}

impl ComparedTarget {
    pub(super) fn new(name: String, outcomes: Outcomes) -> Self {
        Self { name, outcomes, changed_files: Vec::new(), in_place_of: Vec::new() }
    }
}

#[derive(Clone, Copy)]
pub(super) struct ReportInputs<'a> {
    pub(super) places: (&'a ComparedSide, &'a ComparedSide),
    pub(super) root: &'a Path,
    pub(super) edits: &'a [FileEdits],
    pub(super) has_dangers: bool,
    pub(super) settings: &'a CompareSettings<'a>,
}

impl ReportInputs<'_> {
    /// The report about the compared targets, with secrets masked.
    pub(super) fn report(
        &self,
        compared: Vec<ComparedTarget>,
        total: usize,
        not_reached: usize,
    ) -> CompareReport {
        let mut secrets = self.settings.secrets.clone();
        for outcomes in compared.iter().map(|target| &target.outcomes) {
            for built in [&outcomes.before, &outcomes.after] {
                secrets.learn(&built.trace);
                for resource in built.outcome.iter().flatten() {
                    secrets.learn_resource(resource, &built.trace.sources);
                }
            }
        }
        let own = match self.places.0 {
            ComparedSide::Tree(tree) => &tree.root,
            ComparedSide::Rendered(..) => self.root,
        };
        let (roots, has_dangers) = ((own, self.root), self.has_dangers);
        let told = ReportContext { roots, secrets: &secrets, has_dangers };
        let mut report = CompareReport {
            schema_version: SCHEMA_VERSION,
            before: side_label(self.places.0).to_owned(),
            after: side_label(self.places.1).to_owned(),
            targets_total: total,
            targets_not_reached: not_reached,
            shard: self.settings.shard.map(|shard| shard.to_string()),
            ..CompareReport::default()
        };
        let (mut named, mut renames) = (QuickSet::default(), CountedRenames::default());
        for ComparedTarget { name, outcomes, changed_files, in_place_of } in compared {
            let target = report_target(&name, &outcomes, &told, &mut named);
            let Some(mut target) = target else { continue };
            if target.state == TargetState::NotKnown {
                report.targets_failing += usize::from(outcomes.after.outcome.is_err());
            }
            target.changed_files = changed_files;
            target.in_place_of = in_place_of;
            if !self.has_dangers {
                add_renames(&mut renames, &mut target, &outcomes, &told);
            }
            report.targets.push(target);
        }
        report.renames = with_counts(renames);
        report.edits = report_edits(&named, self.edits, &told);
        report.sorted()
    }
}

/// Adds the ignored files that were read for a commit, and the commits of edits between two commits.
fn add_commits(report: &mut CompareReport, one: &Tree, other: &Tree) {
    let ignored = [one, other].into_iter().filter_map(|tree| Some((tree, tree.commit.as_ref()?)));
    let ignored = ignored.flat_map(|(tree, commit)| {
        commit.ignored.files_read().into_iter().map(|file| relative_text(&tree.root, &file))
    });
    report.ignored_files = ignored.collect::<BTreeSet<String>>().into_iter().collect();
    let (Some(from), Some(to)) = (&one.commit, &other.commit) else { return };
    let mut by_file: BTreeMap<String, Vec<&mut ReportEdit>> = BTreeMap::new();
    for edit in &mut report.edits {
        by_file.entry(edit.file.clone()).or_default().push(edit);
    }
    for (file, edits) in by_file {
        let path = other.root.join(&file);
        let Ok(touching) = from.commits.commits_touching(&from.id, &to.id, &path) else { continue };
        let writers = match touching.as_slice() {
            [_] => BTreeMap::new(),
            _ => from.commits.writers(&from.id, &to.id, &path).unwrap_or_default(),
        };
        let of = |edit: &ReportEdit| {
            let found = match touching.as_slice() {
                [only] => Some(only),
                _ if edit.new.is_empty() => None,
                _ => {
                    let id = writers.get(&edit.line)?;
                    touching.iter().find(|commit| commit.id == *id)
                }
            };
            let commit = found?.clone();
            Some(CommitOfEdit { id: commit.id, author: commit.author, subject: commit.subject })
        };
        for edit in edits {
            edit.commit = of(edit);
        }
    }
}

pub struct CompareSettings<'a> {
    /// The ports of the builds, except for files.
    pub ports: &'a Ports,
    pub before: &'a BuildOptions,
    pub after: &'a BuildOptions,
    pub answers: FunctionAnswers,
    pub secrets: Secrets,
    pub shard: Option<Shard>,
    /// Includes targets that other targets use.
    pub bases: bool,
    /// Includes all targets in and below both folders, even if these are targets themselves.
    pub every_target: bool,
    /// The limit on builds for each target to verify the edits that cause a difference.
    pub most: usize,
    /// Receives the number of compared targets, and the number of all that are compared.
    pub progress: Option<BuildProgress>,
}

impl<'a> CompareSettings<'a> {
    /// Settings with the same options for both sides; no edit is verified.
    pub fn new(ports: &'a Ports, options: &'a BuildOptions, secrets: Secrets) -> Self {
        Self {
            ports,
            before: options,
            after: options,
            answers: FunctionAnswers::default(),
            secrets,
            shard: None,
            bases: false,
            every_target: false,
            most: 0,
            progress: None,
        }
    }

    pub(super) fn side(&self, place: &ComparedSide, options: &BuildOptions) -> Side {
        match place {
            ComparedSide::Rendered(_, resources) => Side {
                ports: self.ports.clone(),
                options: options.clone(),
                target: None,
                current: PathBuf::new(),
                rendered: resources.clone(),
                answers: FunctionAnswers::default(),
            },
            ComparedSide::Tree(tree) => self.tree_side(tree, tree.target(), options),
        }
    }

    /// A side that builds a target of a tree; without a target, a side with an empty output.
    fn tree_side(&self, tree: &Tree, target: Option<PathBuf>, options: &BuildOptions) -> Side {
        let mut ports = Ports { files: tree.files.clone(), ..self.ports.clone() };
        if tree.commit.is_some() {
            // Programs in the work tree may differ from those of the commit, so only pinned
            // programs run.
            ports.programs = Arc::new(PinnedPrograms(ports.programs));
        }
        let (options, current, answers) =
            (options.clone(), tree.root.clone(), self.answers.clone());
        Side { ports, options, target, current, rendered: Vec::new(), answers }
    }

    pub(super) fn has_same_profile(&self) -> bool {
        self.before.profile == self.after.profile
    }
}
