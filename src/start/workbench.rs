//! Runs the workbench with the adapters of this machine.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::Receiver;
use kzui::answers::compare::CompareReport;
use kzui::answers::reverse::VerifiedProposal;
use kzui::answers::{AskedFor, RepositoryBuilds};
use kzui::cli::{self, Exit};
use kzui::draft::{FileChange, StoredDraft, WriteScope};
use kzui::engine::evaluate::{
    BuildCache, BuildOptions, Cancel, DeploymentCache, FunctionAnswers, Ports, consolidate,
    deployed_directory, evaluate, target_file_names,
};
use kzui::engine::load::{Fetch, Files, Remote};
use kzui::engine::plugin::{CatalogPorts, Trust, TrustRecord, TrustScope, TrustStore};
use kzui::host::{
    self, DiskFiles, DiskListing, DraftFiles, Fetcher, GitObjects, OperationLog, SystemClock,
    TrustFile, Watch,
};
use kzui::repository::{BuildProgress, Repository, TargetKind};
use kzui::tui::{
    self, Access, BuildRequest, Comparison, ComparisonSides, CompositionResult, DraftNews,
    EditRequest, Evaluator, NameUse, NamedSide, NamedSideKind, PaneShare, RunningFunction,
    StoreAnswer, StoreOrder, UserCatalogs, UserCommandResult, UserCommandRun, Work, WorkAnswer,
    WorkNews, WorkReports, WorkbenchBuild, WorkbenchOptions, WriteError,
};

use super::opening::{all_notes, build_settings, root_of, scope};
use super::printers::refuse;
use super::recording::OpenedRecording;
use super::requested_programs::RunProgress;

/// The time without further changes after which changed files are reported.
const QUIET_DURATION: Duration = Duration::from_millis(60);

/// The message if the workbench cannot be drawn.
const NEEDS_A_TERMINAL: &str = "kzui opens a workbench, which needs a terminal; standard input or output is not a terminal.\n\
To build without one: kzui build DIR. To print the recording: kzui trace DIR [--json].\n";

/// Reports that the directory does not exist, and suggests a command with a similar name.
fn no_directory(word: &str, directory: &Path) -> std::io::Result<Exit> {
    let meant = cli::similar_command(word);
    let is_file = directory.is_file();
    let directory = directory.display();
    if let Some(name) = meant {
        let error = format!("no directory {directory}: did you mean 'kzui {name}'?");
        return refuse(Exit::USAGE, error);
    }
    let mut err = super::standard_error();
    if is_file {
        writeln!(err, "error: {directory} is a file, and neither a folder nor a recording")?;
    } else {
        writeln!(err, "error: no directory {directory}")?;
    }
    writeln!(err, "help: name a folder with a kustomization file; `kzui --help` lists commands")?;
    Ok(Exit::FAILED)
}

/// Opens the workbench; with a tour, or with a comparison of two sides.
pub(crate) fn open(
    arguments: &cli::Workbench,
    tour: bool,
    compare: Option<ComparisonSides>,
) -> std::io::Result<Exit> {
    let current = host::current_directory()?;
    match super::recording::open_for_workbench(arguments, &current) {
        Ok(Some((recording, arguments))) => {
            return open_target(&arguments, (tour, compare), recording.tree(), Some(recording));
        }
        Ok(None) => {}
        Err(error) => return refuse(Exit::FAILED, error),
    }
    match with_object_argument(arguments, &current) {
        Ok(arguments) => open_target(&arguments, (tour, compare), current, None),
        Err(error) => refuse(Exit::USAGE, error),
    }
}

pub(crate) fn open_comparison(diff: &cli::Diff) -> std::io::Result<Exit> {
    let sides = ComparisonSides::Words {
        before: diff.before.clone().unwrap_or_default(),
        after: diff.after.clone(),
        like: [diff.like_a.clone(), diff.like_b.clone()],
        draft: None,
    };
    let (dir, build, show_secrets) = (".".to_owned(), diff.build.clone(), diff.show_secrets);
    let arguments = cli::Workbench { dir, build, show_secrets, ..cli::Workbench::default() };
    open(&arguments, false, Some(sides))
}

fn access(is_recording: bool, is_read_only: bool) -> Access {
    match (is_recording, is_read_only) {
        (true, _) => Access::Recording,
        (false, true) => Access::ReadOnly,
        (false, false) => Access::Full,
    }
}

fn open_target(
    arguments: &cli::Workbench,
    (tour, compare): (bool, Option<ComparisonSides>),
    current: PathBuf,
    recording: Option<OpenedRecording>,
) -> std::io::Result<Exit> {
    let mut err = super::standard_error();
    let deployed = deployed_directory(&arguments.dir, &current, &super::repository::build_ports());
    // Flux builds a folder without a kustomization file too.
    let is_deployed = deployed.is_some();
    let target_dir = deployed.unwrap_or_else(|| current.join(&arguments.dir));
    if !target_dir.is_dir() {
        return no_directory(&arguments.dir, &target_dir);
    }
    let is_terminal = super::is_terminal();
    let linear = arguments.linear || super::settings::requests_line_mode(is_terminal);
    // The line-by-line workbench needs no terminal.
    if !linear && !is_terminal {
        err.text(NEEDS_A_TERMINAL)?;
        return Ok(Exit::USAGE);
    }
    let settings = build_settings(&arguments.build, &current, &target_dir);
    let (profile, options, trust_notes) = match settings {
        Ok(settings) => settings,
        Err(error) => return refuse(Exit::USAGE, error),
    };
    let (config, notes) = super::settings::settings(arguments.theme.as_deref());
    let (target_dir, here) = (host::resolved(&target_dir)?, host::resolved(&current)?);
    let drafts = DraftFiles::of_user(&target_dir);
    let notes = all_notes(notes, trust_notes, &drafts, linear);
    let has_target = is_deployed || target_file_names().any(|name| target_dir.join(name).is_file());
    let board = super::board::BoardFolders::around(&target_dir, has_target);
    let opened = WorkbenchOptions {
        target: arguments.dir.clone(),
        has_target,
        board: board.scope.clone(),
        scope: scope(&target_dir, &here),
        current: here,
        target_dir,
        config,
        profile,
        catalogs: arguments.show_catalog.clone(),
        may_run: arguments.run_on_open,
        tour,
        salt: *super::repository::SALT,
        show_secrets: arguments.show_secrets,
        compare,
        pane_shares: kept_pane_shares(),
        access: access(recording.is_some(), arguments.read_only),
        notes,
    };
    let outside = HostPorts {
        scope: opened.scope.clone(),
        board: board.root,
        current,
        options,
        operations: OperationLog::of_user(&root_of(&opened.target_dir)),
        drafts: drafts.clone(),
        watch: Mutex::default(),
        fetched: Arc::default(),
        answers: Arc::default(),
        running: RunProgress::default(),
        is_offline: arguments.build.offline,
        recording,
    };
    let ended =
        if linear { run_line_mode(opened, &outside)? } else { tui::run(opened, Box::new(outside)) };
    report_remaining_draft(ended, &arguments.dir, &drafts)
}

/// The arguments with `FILE#NAME` in place of the name of a deployment object.
///
/// # Errors
/// Several objects have the name.
fn with_object_argument(
    arguments: &cli::Workbench,
    current: &Path,
) -> Result<cli::Workbench, String> {
    let top = || Some(root_of(current));
    let files: Arc<dyn Files> = Arc::new(DiskFiles);
    let object = cli::object_argument(&arguments.dir, (current, &top), &DiskListing, &files)?;
    let dir = object.unwrap_or_else(|| arguments.dir.clone());
    Ok(cli::Workbench { dir, ..arguments.clone() })
}

/// The sizes of panes from an earlier session; none if the file is from a kzui with other panes.
fn kept_pane_shares() -> Vec<PaneShare> {
    let text = host::read_pane_sizes().unwrap_or_default();
    serde_yaml::from_str(&text).unwrap_or_default()
}

/// Runs the workbench line by line; a signal ends it.
fn run_line_mode(
    opened: WorkbenchOptions,
    outside: &HostPorts,
) -> std::io::Result<Result<usize, tui::RunError>> {
    #[cfg(unix)]
    host::end_on_signals(Arc::default())?;
    Ok(tui::run_linear(opened, outside, std::io::stdin(), std::io::stdout().lock()))
}

fn report_remaining_draft(
    ended: Result<usize, tui::RunError>,
    dir: &str,
    drafts: &DraftFiles,
) -> std::io::Result<Exit> {
    let mut err = super::standard_error();
    match ended {
        Ok(0) => Ok(Exit::OK),
        // Another process may have cleared the folder of drafts: check that the draft is really
        // kept.
        Ok(kept) if drafts.last().map_or(0, |draft| draft.files.len()) != kept => {
            writeln!(err, "kzui: the draft is not written, and it could not be saved")?;
            Ok(Exit::FAILED)
        }
        Ok(kept) => {
            let dir = if dir == "." { "this directory" } else { dir };
            let files = if kept == 1 { "1 file".to_owned() } else { format!("{kept} files") };
            writeln!(
                err,
                "kzui: the draft of {files} is not written; it is kept, and offered when {dir} is opened again"
            )?;
            Ok(Exit::OK)
        }
        // If the reader has closed the pipe, as in `kzui --linear | head`, that is not a failure.
        Err(tui::RunError::Terminal(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            Ok(Exit::OK)
        }
        Err(error) => refuse(Exit::FAILED, error),
    }
}

/// The ports of the workbench. Unless the user requests more, they only read: no program is run,
/// and no remote is fetched.
struct HostPorts {
    scope: WriteScope,
    board: PathBuf,
    current: PathBuf,
    options: BuildOptions,
    drafts: DraftFiles,
    operations: OperationLog,
    watch: Mutex<Option<Watch>>,
    /// Set after a fetch, cleared by the next build.
    fetched: Arc<AtomicBool>,
    answers: Arc<Mutex<FunctionAnswers>>,
    running: RunProgress,
    is_offline: bool,
    /// The recording that is shown in place of files, downloads and programs of this machine.
    recording: Option<OpenedRecording>,
}

impl HostPorts {
    /// The ports of builds beside that of the target.
    fn build_ports(&self) -> Ports {
        let ports = super::repository::build_ports();
        match &self.recording {
            Some(recording) => recording.ports(ports),
            None => ports,
        }
    }

    /// Writes files, and logs the write. The last answer stays on the screen: it has the cause of a
    /// failure.
    fn write(&self, changes: &[FileChange], words: &[String]) -> Vec<StoreAnswer> {
        // The last check before a write: a draft may be from an earlier start, a link may be new.
        let refused = changes.iter().enumerate().find_map(|(at, change)| {
            let reason = self.scope.check(&change.path, &DiskFiles).err()?;
            Some((at, host::FileWriteError::Refused(reason)))
        });
        let written = refused.map_or_else(|| host::write_files(changes), Err);
        let answer = |change: &FileChange, done| StoreAnswer::Written(change.path.clone(), done);
        let Err((failed, error)) = written else {
            let mut answers: Vec<_> = changes.iter().map(|it| answer(it, Ok(()))).collect();
            if let Err(error) = self.operations.append(words, changes) {
                answers.push(StoreAnswer::WriteNotLogged(error.to_string()));
            }
            return answers;
        };
        let cause = changes.get(failed).map(|change| change.path.display().to_string());
        let not_alone = WriteError::NotAlone(cause.unwrap_or_default());
        let error = match error {
            host::FileWriteError::Changed { path } => {
                WriteError::Conflict(host::DiskFiles.read(path.as_ref()).ok())
            }
            other => WriteError::Io(other.to_string()),
        };
        let others = changes.iter().enumerate().filter(|(at, _)| *at != failed);
        let others = others.map(|(_, change)| answer(change, Err(not_alone.clone())));
        others.chain(changes.get(failed).map(|it| answer(it, Err(error)))).collect()
    }

    fn compare(
        &self,
        what: &Comparison,
        cancel: Arc<dyn Cancel>,
        progress: Option<BuildProgress>,
    ) -> Result<CompareReport, String> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // A decision may have been stored since the start.
        let mut options = self.options.clone();
        options.trust.records = TrustFile::of_user().records().unwrap_or_default();
        if let Some(like) = what.like {
            options = options.like(like);
        }
        let opened = self.drafts.root();
        let ports = Ports { cancel, ..self.build_ports() };
        let builds = (&options, answers, progress);
        super::board::compare(&self.board, &self.current, opened, builds, what, &ports)
    }

    fn find_edits(
        &self,
        what: &EditRequest,
        cancel: &Arc<dyn Cancel>,
    ) -> Result<Vec<VerifiedProposal>, String> {
        let ports = Ports { cancel: cancel.clone(), ..super::repository::build_ports() };
        let compare = |sides, bases| {
            let sides = ComparisonSides::Edit(sides);
            let like = Some(what.like);
            let what = Comparison { sides, most: 0, show_secrets: false, like, bases };
            self.compare(&what, cancel.clone(), None)
        };
        tui::find_edits(what, &self.board, &ports, &self.options, &compare)
    }

    fn fetch(
        &self,
        things: Vec<Fetch>,
        cancel: &Arc<dyn Cancel>,
        reports: &WorkReports,
    ) -> Vec<(Fetch, String)> {
        let (mut failed, all) = (Vec::new(), things.len());
        for (number, thing) in things.into_iter().enumerate().take_while(|_| !cancel.is_cancelled())
        {
            reports.send(WorkNews::Progress(number, all));
            let result = if self.is_offline {
                Err("not allowed with --offline".to_owned())
            } else {
                host::fetch(&thing, cancel.clone())
            };
            match result {
                Ok(()) => self.fetched.store(true, Ordering::Relaxed),
                Err(reason) => failed.push((thing, reason)),
            }
        }
        failed
    }

    fn named_sides(&self) -> Vec<NamedSide> {
        let drafts = self.drafts.all().into_iter().filter_map(|kept| kept.draft.name);
        let drafts = drafts
            .map(|name| NamedSide { name: format!("draft:{name}"), kind: NamedSideKind::Draft });
        // Outside of a repository there are none.
        let git = GitObjects::around(&self.board).and_then(|git| git.references());
        let references = git.unwrap_or_default().into_iter();
        let references = references.map(|name| NamedSide { name, kind: NamedSideKind::Reference });
        drafts.chain(references).collect()
    }
}

impl tui::WorkbenchPorts for HostPorts {
    fn files(&self) -> Arc<dyn Files> {
        match &self.recording {
            Some(recording) => recording.files(),
            None => Arc::new(DiskFiles),
        }
    }

    fn end_programs(&self) {
        host::end_programs();
    }

    fn running_function(&self) -> Option<RunningFunction> {
        self.running.function()
    }

    fn rest(&self) {
        host::give_memory_back();
    }

    fn evaluator(&self) -> Evaluator {
        let (current, mut options) = (self.current.clone(), self.options.clone());
        let mut last = String::new();
        let clock = Arc::new(SystemClock::default());
        let mut memory = BuildCache::default();
        let mut knows_sandbox = false;
        let (fetched, answers) = (self.fetched.clone(), self.answers.clone());
        let (recording, running) = (self.recording.clone(), self.running.clone());
        let mut at_hand = Arc::new(Fetcher::for_workbench());
        Box::new(move |order| {
            let BuildRequest { target, files, cancel, again, catalogs, runs, like, trial } = order;
            let target = target.name;
            if last != target {
                // The cache of one target is useless for another.
                (memory, last) = (BuildCache::default(), target.clone());
            }
            for run in &again {
                memory.drop_run(run);
            }
            if fetched.swap(false, Ordering::Relaxed) {
                // A fetch may have replaced cached content.
                at_hand = Arc::new(Fetcher::for_workbench());
                memory.drop_bases();
            }
            // The results of a trial must not displace the cache of the next build.
            let mut scratch = trial.map(|asked| match asked {
                AskedFor::Steps => memory.read_only(),
                AskedFor::Output => memory.read_only().without_changes(),
            });
            let memory = scratch.as_mut().unwrap_or(&mut memory);
            // A decision may have been stored since the last build.
            options.trust.records = TrustFile::of_user().records().unwrap_or_default();
            // The version profile applies only to this request; the next one sets its own.
            let order_options = like.map_or_else(|| options.clone(), |like| options.like(like));
            // Functions, even trusted ones, run only if the user requests it.
            let programs = recording.as_ref().map(OpenedRecording::programs);
            let programs = programs.unwrap_or_else(|| running.programs(runs));
            let remote = recording.as_ref().map(OpenedRecording::remote);
            let remote = remote.unwrap_or_else(|| at_hand.clone());
            let deployments = DeploymentCache::default();
            let clock = clock.clone();
            let ports = Ports { files, remote, programs, clock, cancel, deployments };
            let evaluation = evaluate(&target, &current, &order_options, &ports, memory);
            if evaluation.trace.steps.iter().any(|step| step.run.is_some()) {
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers.extend(memory.answers());
            }
            let files = tui::composition_files(&evaluation.trace).into_iter();
            let compositions = files.map(|file| {
                let result = consolidate(&file, &current, &order_options, &ports, memory);
                CompositionResult { file, result }
            });
            let compositions: Vec<CompositionResult> = compositions.collect();
            let given = UserCatalogs { references: &catalogs, directory: &current };
            let catalog_ports =
                CatalogPorts { files: &*ports.files, artifacts: at_hand.artifacts() };
            let look = |trust: &Trust| {
                tui::catalogs_of(&evaluation.trace, &compositions, given, catalog_ports, trust)
            };
            let mut catalogs = look(&options.trust);
            if !catalogs.is_empty() && !knows_sandbox {
                // Detecting the sandbox is slow, and not needed for targets without catalogs.
                (options.trust.sandbox, knows_sandbox) = (host::sandbox(), true);
                catalogs = look(&options.trust);
            }
            WorkbenchBuild { evaluation, compositions, catalogs, missed: at_hand.take_missed() }
        })
    }

    fn store(&self, order: StoreOrder) -> Vec<StoreAnswer> {
        let failed = |result: std::io::Result<()>| result.map_err(|error| error.to_string());
        let drafts = &self.drafts;
        vec![match order {
            StoreOrder::Write(changes, words) => return self.write(&changes, &words),
            StoreOrder::ReadWriteLog => StoreAnswer::WriteLogRead(self.operations.read()),
            StoreOrder::KeepDraft(draft) => match drafts.keep(&draft) {
                Ok(()) => return Vec::new(),
                Err(error) => StoreAnswer::DraftNotKept(error.to_string()),
            },
            StoreOrder::ListDrafts => StoreAnswer::Drafts(Ok(DraftNews::Listed(drafts.all()))),
            StoreOrder::LeaveDraft => {
                drafts.leave();
                return Vec::new();
            }
            StoreOrder::SwitchDraft(name) => {
                let taken = drafts.take(name.as_deref()).map_err(|error| error.to_string());
                StoreAnswer::Drafts(taken.map(|kept| DraftNews::Taken(name, kept.map(Box::new))))
            }
            StoreOrder::NameDraft(draft, naming) => {
                let kept = match naming {
                    NameUse::Rename => drafts.keep(&draft),
                    NameUse::Copy => drafts.keep_copy(&draft),
                };
                StoreAnswer::Drafts(failed(kept).map(|()| DraftNews::Named(draft)))
            }
            StoreOrder::DeleteDraft(name) => {
                let removed = failed(drafts.remove(&name));
                StoreAnswer::Drafts(removed.map(|()| DraftNews::Deleted(name)))
            }
            StoreOrder::Decide(record) => StoreAnswer::Decided(record.scope, decide(*record)),
            StoreOrder::KeepPaneShares(shares) => {
                // The sizes are a convenience: without a home folder, they last for this session.
                let text = serde_yaml::to_string(&shares).map_err(std::io::Error::other);
                if let Err(error) = text.and_then(|text| host::keep_pane_sizes(&text)) {
                    tracing::debug!(%error, "the sizes of panes are not kept");
                }
                return Vec::new();
            }
        }]
    }

    fn kept_draft(&self) -> Option<StoredDraft> {
        self.drafts.last_unwritten()
    }

    fn board(&self) -> RepositoryBuilds {
        super::board::builds_with_ports(&self.board, self.options.clone(), self.build_ports())
    }

    fn work(
        &self,
        work: Work,
        cancel: Arc<dyn Cancel>,
        reports: &WorkReports,
    ) -> Result<WorkAnswer, String> {
        Ok(match work {
            Work::Compare(what) => {
                let report = self.compare(&what, cancel, Some(reports.progress()))?;
                WorkAnswer::Compared(Arc::new(report))
            }
            Work::WhatIf(mut what) => {
                (what.progress, what.so_far) = (Some(reports.progress()), Some(reports.tables()));
                let ports = Ports { cancel, ..self.build_ports() };
                WorkAnswer::WhatIf(tui::vary(&what, &ports, &self.options)?)
            }
            Work::FindEdits(what) => WorkAnswer::EditsFound(self.find_edits(&what, &cancel)?),
            Work::Fetch(things) => WorkAnswer::Fetched(self.fetch(things, &cancel, reports)),
            Work::RunCommand(run) => {
                let (status, output) = shell_command(&run).run(&|| cancel.is_cancelled())?;
                WorkAnswer::CommandEnded(UserCommandResult { output, status })
            }
            Work::ListSides => WorkAnswer::SidesListed(self.named_sides()),
            Work::Discover(target) => {
                let root = super::board::BoardFolders::around(&target, true).root;
                let found = Repository::find_unread(&root, &DiskListing);
                let mut read = found.map_err(|error| error.to_string())?;
                read.read_targets(&DiskFiles);
                let components = read.targets().filter(|it| it.kind == TargetKind::Component);
                WorkAnswer::Discovered(components.map(|found| found.folder.clone()).collect())
            }
        })
    }

    fn watch(&self) -> Option<Receiver<Vec<PathBuf>>> {
        let (watch, changed) = Watch::start(QUIET_DURATION).ok()?;
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch);
        Some(changed)
    }

    fn set_watched(&self, paths: &[PathBuf]) {
        let mut watching = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(watch) = watching.as_mut() {
            // Trust decisions made by another process are watched too.
            let mut paths = paths.to_vec();
            paths.extend(TrustFile::of_user().watched());
            // Changes of a path that cannot be watched are not reported; the workbench has
            // `:reload`.
            if matches!(watch.set(&paths), Err(host::WatchError::Ended)) {
                *watching = None;
            }
        }
    }

    fn edit(&self, path: &Path, line: u32) -> Result<(), String> {
        if !std::io::stdin().is_terminal() {
            return Err(
                "an editor needs a terminal, and standard input is not a terminal".to_owned()
            );
        }
        let editor = host::editor_from_environment();
        let ended = host::run_editor(&editor, path, line);
        let ended = ended.map_err(|error| format!("cannot start `{editor}`: {error}"))?;
        if ended.success() { Ok(()) } else { Err(format!("`{editor}` ended with {ended}")) }
    }

    fn run_command_on_terminal(&self, run: &UserCommandRun) -> Result<(), String> {
        if !std::io::stdin().is_terminal() {
            return Err("standard input is not a terminal".to_owned());
        }
        shell_command(run).run_on_terminal()
    }
}

/// Stores a trust decision with the time; returns the message to show.
fn decide(record: TrustRecord) -> Result<String, String> {
    if option_env!("KZUI_ONLY_OFFICIAL_CATALOG").is_some() {
        return Err("this kzui does not allow additional trusted catalogs".to_owned());
    }
    let trusted = record.scope != TrustScope::Revoked;
    let record = TrustRecord { decided_at: host::now(), ..record };
    TrustFile::of_user().append(&record)?;
    if trusted {
        return Ok(format!("trusted: {} ({})", record.reference, record.scope.word()));
    }
    Ok(format!("no longer trusted: {}", record.reference))
}

fn shell_command(run: &UserCommandRun) -> host::ShellCommand<'_> {
    host::ShellCommand { line: &run.line, directory: &run.directory, files: &run.files }
}
