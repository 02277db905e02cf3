//! The Board: every target of a repository with its result, its users and its dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::answers::compare::{
    CompareReport, Consequence, ConsequenceWeight, TargetState, cause_heading_lines,
    resource_change_words, state_count_words, state_words,
};
use crate::answers::{TargetBuildState, TargetSummary};
use crate::display::counted;
use crate::draft::FileChange;
use crate::glyphs::Glyphs;
use crate::model::{Model, WorkKind};
use crate::repository::{
    LocatedDeploymentObject, ReferenceDestination, ReferenceEntry, Repository, Route, Target,
    TargetKind,
};
use crate::text::{TextLine, width};
use crate::theme::StyleRole;

mod rows;

pub(crate) use crate::screens::findings::state::RepositoryFindings;
pub(crate) use rows::{BoardRow, ChangeCounts, TargetCounts, board_rows};

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
    /// The edition of `totals`.
    pub counted: Option<u64>,
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

/// The cells of the column with the numbers of objects, and of the space before it.
const OBJECTS_CELLS: usize = 9;
/// The cells of counts of problems, as in `2 errors, 1 warning`. An error message has more.
const COUNT_CELLS: usize = 20;

/// The changes in a row, in few cells: a sign for dangers, removed, added and changed resources, and
/// `?` for a part that is not known: `△ −1 ~3 ?`. If the state of targets changes, it is named, with
/// the number of targets of the row.
pub(crate) fn changes_text(counts: ChangeCounts, of: usize, glyphs: &Glyphs) -> String {
    let ChangeCounts { targets, broken, mended, new, .. } = counts;
    let ChangeCounts { unknown, partly_known, errors, warnings, .. } = counts;
    match () {
        () if targets == 0 => String::new(),
        () if broken > 0 => state_count_words(TargetState::FailsNow, [broken, of]),
        () if new == targets => state_count_words(TargetState::Added, [new, of]),
        () if mended == targets => state_count_words(TargetState::BuildsNow, [mended, of]),
        () if unknown == targets => "?".to_owned(),
        () => {
            let danger = match () {
                () if errors > 0 => Some(glyphs.failed.to_owned()),
                () if warnings > 0 => Some(glyphs.warning.to_owned()),
                () => None,
            };
            let signed = ['−', '+', '~'].into_iter();
            let signed = signed.zip([counts.removed, counts.added, counts.changed]);
            let signed = signed.filter(|(_, count)| *count > 0);
            let mut words: Vec<String> = danger.into_iter().collect();
            words.extend(signed.map(|(sign, count)| format!("{sign}{}", with_thousands(count))));
            words.extend((unknown + partly_known > 0).then(|| "?".to_owned()));
            words.join(" ")
        }
    }
}

pub(crate) fn targets_width(model: &Model) -> usize {
    let longest =
        |cells: &dyn Fn(&BoardRow) -> usize| model.board.rows.iter().map(cells).max().unwrap_or(0);
    let changes = |counts: fn(&TargetCounts) -> ChangeCounts, least: &str| {
        let text =
            |row: &BoardRow| changes_text(counts(&row.counts), row.counts.targets, model.glyphs());
        longest(&|row| width(&text(row))).max(width(least)) + 2
    };
    let draft = if model.has_draft() { changes(|it| it.draft, "draft") } else { 0 };
    let branch = if model.shows_branch() { changes(|it| it.branch, "branch") } else { 0 };
    let has_problems = |row: &BoardRow| {
        let TargetCounts { errors, warnings, fails, waits, .. } = row.counts;
        errors + warnings + fails + waits > 0
    };
    let is_long = model.board.rows.iter().any(has_problems);
    let problems = if is_long { COUNT_CELLS } else { width("problems") };
    let fixed = OBJECTS_CELLS + problems + 5;
    longest(&name_cells) + fixed + draft + branch
}

/// The cells for the name of a row, with its indentation, fold sign and number of targets.
fn name_cells(row: &BoardRow) -> usize {
    let fold = if row.open.is_some() { 2 } else { 0 };
    let count = width(&with_thousands(row.counts.targets));
    let count = if row.open == Some(false) { count + 3 } else { 0 };
    width(&row.label) + 2 * row.depth + fold + count + 1
}

pub(crate) fn with_thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

pub(crate) fn draft_effect_lines(model: &Model) -> Vec<TextLine> {
    if !model.has_draft() && !model.edits.list.is_empty() {
        return vec![TextLine::new(StyleRole::Dim, "no change: each edit is left out")];
    }
    if !model.has_draft() {
        let words = ["no draft", "edit a target to start one;", "this pane shows its effect"];
        return words.map(|text| TextLine::new(StyleRole::Dim, text)).to_vec();
    }
    let consequence = model.write_consequences().into_iter();
    let mut lines: Vec<TextLine> = consequence.map(|line| consequence_line(model, line)).collect();
    if let Some(report) = &model.reach.report {
        lines.extend(report_lines(model, report, true));
    }
    lines
}

/// A line of a consequence, with a sign if it is grave.
pub(crate) fn consequence_line(
    model: &Model,
    (weight, text): (ConsequenceWeight, String),
) -> TextLine {
    let sign = match weight {
        ConsequenceWeight::Grave => format!("{} ", model.glyphs().failed),
        _ => String::new(),
    };
    TextLine::new(consequence_role(weight), format!("{sign}{text}"))
}

pub(crate) fn consequence_role(weight: ConsequenceWeight) -> StyleRole {
    match weight {
        ConsequenceWeight::Grave => StyleRole::Error,
        ConsequenceWeight::Plain => StyleRole::Draft,
        ConsequenceWeight::Danger | ConsequenceWeight::Unknown => StyleRole::Warning,
    }
}

fn state_role(state: TargetState) -> StyleRole {
    match state {
        TargetState::FailsNow | TargetState::FailsOtherwise => StyleRole::Error,
        TargetState::NotKnown | TargetState::Removed => StyleRole::Warning,
        TargetState::BuildsNow | TargetState::Added | TargetState::Differs => StyleRole::Draft,
    }
}

/// The targets that do not build, and the changes, with the edits that cause them if `has_causes`.
pub(crate) fn report_lines(
    model: &Model,
    report: &CompareReport,
    has_causes: bool,
) -> Vec<TextLine> {
    let mut lines = Vec::new();
    // The consequence is above these lines.
    let consequence = Consequence::from_report(report);
    for target in report.targets.iter().filter(|it| !consequence.names_state_of(&it.target)) {
        if let Some(words) = state_words(target.state) {
            let text = format!("{} {words}", target.target);
            lines.push(TextLine::new(state_role(target.state), text));
        }
    }
    let review = report.review();
    let changes: Vec<_> = review.iter().map(|row| row.cause.merged_changes()).collect();
    let counts: Vec<usize> = changes.iter().map(Vec::len).collect();
    // The pane has up to three fifths of the screen, with a frame and with the consequence above.
    let room = usize::from(model.look.size.1) * 3 / 5;
    let most = changes_per_cause(&counts, room.saturating_sub(8));
    for (row, changes) in review.iter().zip(&changes) {
        let times = match row.edits.len() {
            1 => String::new(),
            count => format!("{count} × "),
        };
        let causes = cause_heading_lines(report, &row.cause);
        for (at, text) in causes.lines().enumerate().filter(|_| has_causes) {
            let times = if at == 0 { &*times } else { "" };
            lines.push(TextLine::new(StyleRole::Place, format!("{times}{text}")));
        }
        for change in changes.iter().take(most) {
            let text = format!("  {}", resource_change_words(change));
            lines.push(TextLine::new(StyleRole::Text, text));
        }
        if let more @ 1.. = changes.len().saturating_sub(most) {
            lines.push(TextLine::new(StyleRole::Dim, format!("  and {more} more (gD lists all)")));
        }
        let targets = row.cause.targets().len();
        lines.push(TextLine::new(StyleRole::Dim, format!("  in {targets} of these targets")));
    }
    lines
}

/// The number of changes to list for each cause, so that the lines of all causes fit in `room` if
/// possible; at least [`MIN_CHANGES`].
fn changes_per_cause(counts: &[usize], room: usize) -> usize {
    let lines = |most: usize| counts.iter().map(|count| 2 + (*count).min(most)).sum::<usize>();
    let longest = counts.iter().copied().max().unwrap_or_default();
    (MIN_CHANGES..=longest).rev().find(|most| lines(*most) <= room).unwrap_or(MIN_CHANGES)
}

/// The number of changes of a cause that are listed on every screen.
const MIN_CHANGES: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UserRow {
    pub label: String,
    /// The field and the location of the entry.
    pub place: String,
    pub path: Option<PathBuf>,
    /// For each ancestor and for the row itself, true for a last child; empty for a heading.
    pub lasts: Vec<bool>,
    pub is_missing: bool,
}

impl UserRow {
    pub(crate) fn heading(label: String) -> Self {
        Self { label, place: String::new(), path: None, lasts: Vec::new(), is_missing: false }
    }
}

/// Longer lists are not readable.
const MAX_USER_ROWS: usize = 2_000;

/// Rows with the targets whose builds use a path, and the routes to it; below them the dependencies
/// of the path.
pub(crate) fn user_rows(
    repository: &Repository,
    managers: &[LocatedDeploymentObject],
    path: &Path,
) -> Vec<UserRow> {
    let mut routes = repository.routes_from(path);
    routes.retain(|route| !route.target.starts_with(path));
    let (all, roots) = (routes.len(), routes.iter().filter(|route| route.is_root).count());
    let (rows, seen, lasts) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut writer = UserRowWriter { repository, routes, rows, seen, lasts };
    writer.heading(match (all, roots) {
        (0, _) => "not used by any target".to_owned(),
        (all, roots) if all == 1 || all == roots => format!("used by {}", counted(all, "target")),
        (all, roots) => format!("used by {all} targets ({roots} top-level)"),
    });
    writer.walk(path, UserRowWriter::users);
    writer.managers(managers, path);
    if let Some(target) = repository.target(path) {
        writer.heading(match target.uses.len() {
            0 => "uses no other target".to_owned(),
            count => format!("uses {}", counted(count, "entry")),
        });
        writer.seen.clear();
        writer.walk(path, UserRowWriter::uses);
    }
    writer.rows
}

struct UserRowWriter<'a> {
    repository: &'a Repository,
    /// The routes from the first path.
    routes: Vec<Route>,
    rows: Vec<UserRow>,
    seen: BTreeSet<PathBuf>,
    lasts: Vec<bool>,
}

impl UserRowWriter<'_> {
    fn heading(&mut self, label: String) {
        self.rows.push(UserRow::heading(label));
    }

    fn managers(&mut self, managers: &[LocatedDeploymentObject], path: &Path) {
        let mine: Vec<&LocatedDeploymentObject> =
            managers.iter().filter(|it| it.folders().any(|folder| folder == path)).collect();
        if mine.is_empty() {
            return;
        }
        let count = mine.len();
        self.heading(format!("deployed by {}", counted(count, "object")));
        for (at, manager) in mine.iter().enumerate() {
            let kind = manager.definition.kind;
            let (controller, word) = (kind.controller(), kind.word());
            let file = &manager.at.file;
            // The same object of several targets differs by the target that deploys it.
            let parent = manager.parent.as_ref().map(|parent| format!(" of {parent}"));
            let parent = parent.unwrap_or_default();
            self.rows.push(UserRow {
                label: format!("{controller} {word} {}{parent}", manager.name),
                place: format!("{}:{}", self.repository.shown(file), manager.at.line),
                path: Some(file.clone()),
                lasts: vec![at + 1 == count],
                is_missing: false,
            });
        }
    }

    /// Adds the rows below a path, and below each of them its own.
    fn walk(&mut self, path: &Path, below: fn(&Self, &Path) -> Vec<UserRow>) {
        if !self.seen.insert(path.to_owned()) || self.rows.len() > MAX_USER_ROWS {
            return;
        }
        let rows = below(self, path);
        let count = rows.len();
        for (at, row) in rows.into_iter().enumerate() {
            let path = row.path.clone();
            self.lasts.push(at + 1 == count);
            self.rows.push(UserRow { lasts: self.lasts.clone(), ..row });
            if let Some(path) = path {
                self.walk(&path, below);
            }
            self.lasts.pop();
        }
    }

    fn users(&self, path: &Path) -> Vec<UserRow> {
        let target = self.repository.target(path);
        let direct = self.repository.users(path);
        let by_file = target.into_iter().flat_map(|target| self.repository.users(&target.file));
        let mut users: Vec<(&Path, &ReferenceEntry)> =
            direct.chain(by_file).map(|(user, it)| (&*user.folder, it)).collect();
        // For a file of a target, the users of the target are shown; for a file inside a chart, the
        // users of the chart.
        if users.is_empty() && target.is_none() {
            users.extend(self.routes.iter().filter_map(|route| match route.hops.as_slice() {
                [hop] => Some((&*route.target, hop)),
                _ => None,
            }));
        }
        let row = |(folder, it): (&Path, &ReferenceEntry)| {
            let path = Some(folder.to_owned());
            UserRow { path, place: place(it), ..UserRow::heading(self.repository.shown(folder)) }
        };
        users.into_iter().map(row).collect()
    }

    fn uses(&self, path: &Path) -> Vec<UserRow> {
        let Some(target) = self.repository.target(path) else { return Vec::new() };
        let row = |it: &ReferenceEntry| {
            let to = it.to.path().map(Path::to_owned);
            let label = match (&it.to, &to) {
                (ReferenceDestination::Remote(place), _) => place.clone(),
                // A path in the folder of the row above is as long as it has to be.
                (_, Some(to)) => match to.strip_prefix(path) {
                    Ok(rest) if rest.components().next().is_some() => {
                        format!("./{}", rest.display())
                    }
                    _ => self.repository.shown(to),
                },
                _ => it.text.clone(),
            };
            let is_missing = matches!(it.to, ReferenceDestination::Missing(_));
            UserRow { path: to, place: place(it), is_missing, ..UserRow::heading(label) }
        };
        target.uses.iter().map(row).collect()
    }
}

fn place(entry: &ReferenceEntry) -> String {
    format!("{}:{}", entry.field, entry.line)
}
