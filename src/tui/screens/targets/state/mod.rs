//! The Board: every target of a repository with its result, its users and its dependencies.

mod columns;
mod effect_words;
mod rows;
mod users;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::answers::compare::{CompareReport, Consequence, TargetState};
use crate::answers::{TargetBuildState, TargetSummary};
use crate::draft::FileChange;
use crate::model::{Model, WorkKind};
use crate::repository::{LocatedDeploymentObject, Repository, Target, TargetKind};
pub(crate) use crate::screens::findings::state::RepositoryFindings;
pub(crate) use columns::{changes_text, targets_width, with_thousands};
pub(crate) use effect_words::{
    consequence_line, consequence_role, draft_effect_lines, report_lines,
};
pub(crate) use rows::{BoardRow, ChangeCounts, TargetCounts, board_rows};
pub(crate) use users::{UserRow, user_rows};

/// The order of the listed targets, in the order in which the user changes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BoardSort {
    /// By folder, as a tree.
    #[default]
    Folder,
    /// Failed targets first, then pending ones, then those with problems.
    State,
    Objects,
    Draft,
    Branch,
}

impl BoardSort {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Folder, "by folder"),
        (Self::State, "by state"),
        (Self::Objects, "by objects"),
        (Self::Draft, "by changes of the draft"),
        (Self::Branch, "by changes of the branch"),
    ];

    pub(crate) fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()].0
    }

    pub(crate) fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardTotals {
    pub kustomizations: usize,
    pub listed: usize,
    /// The number of listed Argo CD and Flux objects.
    pub managers: usize,
    /// Of the listed targets, the number with errors, as `kzui check` counts them.
    pub errors: usize,
    pub build: usize,
    /// The number of those that do not build, for a fault or because the owner does not build
    /// them.
    pub fail: usize,
    pub wait: usize,
}

#[derive(Debug, Default)]
pub(crate) struct BoardState {
    /// The folder with the listed targets; the graph covers the repository around it.
    pub scope: PathBuf,
    /// The working directory: arguments of commands are relative to it.
    pub current: PathBuf,
    pub is_asked: bool,
    pub repository: Option<Arc<Repository>>,
    pub error: Option<String>,
    pub summaries: IndexMap<PathBuf, TargetSummary>,
    pub findings: RepositoryFindings,
    /// Targets that are being built again.
    pub pending: BTreeSet<PathBuf>,
    /// True if targets that other targets use are listed too.
    pub with_bases: bool,
    pub sort: BoardSort,
    pub closed: BTreeSet<PathBuf>,
    /// Folders that were closed because the list was long.
    pub folded: BTreeSet<PathBuf>,
    /// The objects of Argo CD and Flux that build targets.
    pub managers: Vec<LocatedDeploymentObject>,
    pub totals: BoardTotals,
    pub rows: Vec<BoardRow>,
    pub selected: Option<PathBuf>,
    /// The files and folders that the user followed in the graph; the last one is shown. If empty,
    /// the selected target is shown.
    pub subjects: Vec<PathBuf>,
    pub users: Vec<UserRow>,
    /// Incremented with each change of the fields above.
    pub edition: u64,
    /// Incremented with each change of `repository` and `managers`.
    pub graph: u64,
}

impl BoardState {
    /// The targets that can be listed. Components are not listed, since they are built with the
    /// targets that use them; a folder that an object deploys is listed as that object.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Target> {
        let repository = self.repository.as_deref();
        let is_buildable = |object: &&LocatedDeploymentObject| {
            repository.is_some_and(|repository| repository.can_build(object))
        };
        let objects = self.managers.iter().filter(is_buildable);
        let deployed: BTreeSet<&Path> =
            objects.flat_map(LocatedDeploymentObject::folders).map(PathBuf::as_path).collect();
        let all = repository.into_iter().flat_map(Repository::targets);
        all.filter(move |target| {
            let is_wanted = if self.with_bases {
                target.kind != TargetKind::Component
            } else {
                repository.is_some_and(|repository| repository.is_root(target))
                    && !deployed.contains(&*target.folder)
            };
            is_wanted && target.folder.starts_with(&self.scope)
        })
    }

    pub(crate) fn listed_deployment_objects(
        &self,
    ) -> impl Iterator<Item = &LocatedDeploymentObject> {
        self.managers.iter().filter(|manager| manager.at.file.starts_with(&self.scope))
    }

    pub(crate) fn deployment_object(&self, row: &Path) -> Option<&LocatedDeploymentObject> {
        self.managers.iter().find(|manager| manager.target() == row)
    }

    pub(crate) fn count(&self) -> BoardTotals {
        let kustomizations = self.repository.as_ref().map_or(0, |it| it.targets().count());
        let mut totals = BoardTotals { kustomizations, ..BoardTotals::default() };
        let mut count = |row: &Path| {
            let Some(summary) = self.summaries.get(row) else { return };
            totals.errors += usize::from(summary.errors > 0);
            match summary.standing {
                TargetBuildState::Builds => totals.build += 1,
                TargetBuildState::Fails => totals.fail += 1,
                TargetBuildState::Waits => totals.wait += 1,
            }
        };
        let listed = self.targets().map(|target| count(&target.folder)).count();
        let managers =
            self.listed_deployment_objects().map(|manager| count(&manager.target())).count();
        BoardTotals { listed, managers, ..totals }
    }

    pub(crate) fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.scope) {
            Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
            Ok(below) => below.to_string_lossy().into_owned(),
            Err(_) => match &self.repository {
                Some(repository) => repository.shown(path),
                None => path.to_string_lossy().into_owned(),
            },
        }
    }

    /// The path whose users are shown: for a deployment object, the folder that it builds.
    pub(crate) fn path_of_shown_users(&self) -> Option<&Path> {
        let shown = self.subjects.last().or(self.selected.as_ref())?;
        // For a deployment object, the folder that it builds.
        let folder = self.deployment_object(shown).and_then(|manager| manager.builds.as_deref());
        Some(folder.unwrap_or(shown))
    }
}

/// The effect of the draft, or of the branch, on all targets.
#[derive(Debug, Default)]
pub(crate) struct DraftImpact {
    /// The draft of the last request.
    pub of: Vec<FileChange>,
    pub report: Option<Arc<CompareReport>>,
    /// False while causes of differences are still being verified.
    pub is_final: bool,
    pub error: Option<String>,
}

pub(crate) fn comparing_words(progress: Option<(usize, usize)>) -> String {
    match progress {
        Some((done, all)) => format!("{done} of {all} targets compared… (ctrl-c: cancel)"),
        None => "comparing all targets… (ctrl-c: cancel)".to_owned(),
    }
}

impl Model {
    pub(crate) fn shows_branch(&self) -> bool {
        self.work.is_running(WorkKind::Branch) || self.branch.report.is_some()
    }
}

impl DraftImpact {
    /// The counts of each changed target, keyed by its name; `None` without a report.
    pub(crate) fn by_target(&self) -> Option<BTreeMap<String, ChangeCounts>> {
        let targets = self.report.as_deref()?.targets.iter();
        Some(targets.map(|it| (it.target.clone(), ChangeCounts::from_target(it))).collect())
    }

    pub(crate) fn has_failing_targets(&self) -> bool {
        let targets = self.report.iter().flat_map(|report| &report.targets);
        targets.into_iter().any(|target| target.state == TargetState::FailsNow)
    }

    pub(crate) fn consequence(&self) -> Option<Consequence> {
        self.report.as_deref().map(Consequence::from_report)
    }

    /// A summary such as `affects 14 of 212 targets, 2 not known`; before it is known, the
    /// progress of the comparison.
    pub(crate) fn words(&self, progress: Option<(usize, usize)>) -> String {
        if let Some(error) = &self.error {
            return format!("affected targets not known: {error}");
        }
        let last = self.consequence().and_then(|it| it.lines().pop());
        last.map_or_else(|| comparing_words(progress), |(_, text)| text)
    }
}
