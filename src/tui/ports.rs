//! The ports of the workbench, provided by the composition root.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use crate::answers::compare::{CompareReport, OpenDraft};
use crate::answers::reverse::VerifiedProposal;
use crate::answers::{AskedFor, CatalogReview, ComponentMatrix, RepositoryBuilds, SharedFinding};
use crate::draft::{FileChange, ListedDraft, PastWrite, StoredDraft, WriteScope};
use crate::engine::evaluate::{Cancel, ConsolidatedComposition, Evaluation, StepError, Trace};
use crate::engine::load::{Fetch, Files};
use crate::engine::manifest::COMPOSITION_FILE_NAMES;
use crate::engine::plugin::{FunctionRun, TrustRecord, TrustScope};
use crate::engine::profile::Profile;
use crate::repository::BuildProgress;

use super::experiment::{TableSoFar, WhatIf, WhatIfAnswer};
use super::glyphs::Icons;
use super::screen::PaneShare;
use super::theme::ColorDepth;
use super::user_commands::{UserCommand, UserCommandResult, UserCommandRun};
use crate::experiment::EditRequest;

/// Builds a target, and keeps the cache for the next build. It is used on the worker thread only.
pub type Evaluator = Box<dyn FnMut(BuildRequest) -> WorkbenchBuild + Send>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedTarget {
    /// The name of the target as on a command line.
    pub name: String,
    pub directory: PathBuf,
}

/// An order to the thread that builds all targets.
#[derive(Clone, Debug, PartialEq)]
pub enum BoardOrder {
    Read,
    /// Build again the targets that these files affect.
    Changed(Vec<PathBuf>),
    /// Try the fix of a problem, within the files that may be edited.
    Fix(Box<SharedFinding>, WriteScope),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub sides: ComparisonSides,
    /// Limit of builds for each target to verify the cause of a difference.
    pub most: usize,
    pub show_secrets: bool,
    pub like: Option<Profile>,
    pub bases: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSide {
    /// As written in a comparison: `main`, `v1.2`, `draft:next`.
    pub name: String,
    pub kind: NamedSideKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedSideKind {
    Reference,
    Draft,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparisonSides {
    /// Two sides, named as in `kzui diff`.
    Words {
        before: String,
        /// The second side; the work tree if it is not set.
        after: Option<String>,
        /// The version profile of each side, if it is set.
        like: [Option<String>; 2],
        /// The open draft, if the words were typed in the workbench.
        draft: Option<OpenDraft>,
    },
    /// All targets of the repository: the files on disk, and the files with a draft over them.
    Draft(Vec<FileChange>),
    /// All targets of the repository: a draft without one of its edits, and with it.
    Edit([Vec<FileChange>; 2]),
    /// The commit at which the branch left the default branch, and the files.
    Branch,
}

impl ComparisonSides {
    /// Reads `A [B] [--like-a VERSION] [--like-b VERSION]`.
    ///
    /// # Errors
    /// A word is missing or invalid.
    pub fn parse(words: &str) -> Result<Self, String> {
        let mut places: Vec<String> = Vec::new();
        let mut like = [None, None];
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            let at = match word {
                "--like-a" => 0,
                "--like-b" => 1,
                word if word.starts_with("--") => {
                    return Err(format!("unknown option `{word}`; use --like-a or --like-b"));
                }
                word => {
                    places.push(word.to_owned());
                    continue;
                }
            };
            let value = words.next().ok_or_else(|| format!("{word} needs a version"))?;
            like[at] = Some(value.to_owned());
        }
        let mut places = places.into_iter();
        let before = places.next().ok_or("name a folder or a git reference to compare")?;
        let after = places.next();
        match places.next() {
            Some(more) => Err(format!("only two sides can be compared; `{more}` is a third")),
            None => Ok(Self::Words { before, after, like, draft: None }),
        }
    }

    /// The sides, with the draft that the word `draft` means.
    #[must_use]
    pub(crate) fn with_open_draft(mut self, open: OpenDraft) -> Self {
        if let Self::Words { draft, .. } = &mut self {
            *draft = Some(open);
        }
        self
    }

    /// The draft that the word `draft` means; without one, a stored draft.
    pub fn open_draft(&self) -> Option<&OpenDraft> {
        match self {
            Self::Words { draft, .. } => draft.as_ref(),
            Self::Draft(_) | Self::Edit(_) | Self::Branch => None,
        }
    }

    pub fn words(&self) -> String {
        match self {
            Self::Draft(_) => "the files → the draft".to_owned(),
            Self::Edit(_) => "without the edit → with it".to_owned(),
            Self::Branch => "changes of the branch".to_owned(),
            Self::Words { before, after, .. } => match after {
                Some(after) => format!("{before} → {after}"),
                None => before.clone(),
            },
        }
    }
}

/// The functions that the user has asked to run in this session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RequestedRuns {
    #[default]
    None,
    /// Those with these names, as [`Wait::unrequested`](crate::engine::evaluate::Wait::unrequested)
    /// has them.
    Functions(BTreeSet<String>),
    All,
}

impl RequestedRuns {
    pub fn includes(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::Functions(names) => names.contains(name),
            Self::All => true,
        }
    }

    pub fn add(&mut self, name: &str) {
        match self {
            Self::None => *self = Self::Functions(BTreeSet::from([name.to_owned()])),
            Self::Functions(names) => _ = names.insert(name.to_owned()),
            Self::All => {}
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningFunction {
    pub name: String,
    /// The number of functions that the build has started, with this one.
    pub number: usize,
    pub elapsed: Duration,
}

#[derive(Clone)]
pub struct BuildRequest {
    pub target: OpenedTarget,
    /// The files on disk with the draft over them, at the time of the request; only those on disk
    /// for the build with which the draft is compared.
    pub files: Arc<dyn Files>,
    pub cancel: Arc<dyn Cancel>,
    /// Function calls to run again, instead of using their recorded results.
    pub again: Vec<Arc<FunctionRun>>,
    /// Catalogs to review besides those of the build, as typed.
    pub catalogs: Vec<String>,
    pub runs: RequestedRuns,
    /// The version profile of the build, if the user has set one in this session.
    pub like: Option<Profile>,
    /// For a trial, the part of the result that it needs; `None` for a build that is shown. A trial
    /// must not change the cache of the shown builds.
    pub trial: Option<AskedFor>,
}

impl std::fmt::Debug for BuildRequest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("BuildRequest").finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub struct WorkbenchBuild {
    pub evaluation: Evaluation,
    pub compositions: Vec<CompositionResult>,
    pub catalogs: Vec<ReviewedCatalog>,
    pub missed: Vec<Fetch>,
}

/// A catalog that the files of the build or the user name. It is reviewed, but not trusted, fetched
/// or run.
#[derive(Clone, Debug)]
pub struct ReviewedCatalog {
    pub reference: String,
    /// The absolute files that list the catalog, each with the line.
    pub listed_at: Vec<(String, u32)>,
    /// All spellings in which the user named the catalog.
    pub given_as: Vec<String>,
    /// The platform for the programs of the catalog, in the form of catalogs (`linux/amd64`).
    pub platform: String,
    /// The download of the catalog; `None` for a local one.
    pub fetch: Option<Fetch>,
    /// The functions of the catalog and the open trust decision, or the reason why it cannot be
    /// read.
    pub result: Result<Box<CatalogReview>, String>,
}

/// A consolidated Composition of a build: with its imports, overrides and orders applied.
#[derive(Clone, Debug)]
pub struct CompositionResult {
    pub file: String,
    pub result: Result<ConsolidatedComposition, Arc<StepError>>,
}

/// The files of the Compositions of a recording, each once.
pub fn composition_files(trace: &Trace) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for layer in &trace.layers {
        let name = Path::new(&*layer.file).file_name().and_then(|name| name.to_str());
        let is_one = name.is_some_and(|name| COMPOSITION_FILE_NAMES.contains(&name));
        if is_one && files.iter().all(|file| **file != *layer.file) {
            files.push(layer.file.to_string());
        }
    }
    files
}

/// The reason why a file was not written; the file is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// The file has other bytes than the base of the draft: the bytes on disk, `None` if the file is
    /// deleted.
    Conflict(Option<Arc<[u8]>>),
    /// This other file of the same write could not be written.
    NotAlone(String),
    Io(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse {
    Rename,
    /// A copy of the draft gets the name; the draft itself is kept unchanged.
    Copy,
}

/// An order about the files, or about the data that is kept for the user.
#[derive(Debug)]
pub enum StoreOrder {
    /// Write these files, all or none, if each still has the bytes that its change is based on. The
    /// write is logged with these words, so that it can be reverted later.
    Write(Vec<FileChange>, Vec<String>),
    ReadWriteLog,
    /// Keep the current draft for the next session; an empty draft is removed.
    KeepDraft(StoredDraft),
    ListDrafts,
    LeaveDraft,
    /// Release the current draft, and open the draft with this name; `None` opens an unnamed draft.
    /// After an error, the current draft stays the current one.
    SwitchDraft(Option<String>),
    NameDraft(Box<StoredDraft>, NameUse),
    DeleteDraft(String),
    /// Store a trust decision about a catalog, with the time.
    Decide(Box<TrustRecord>),
    /// Keep the sizes of panes for the next session; a failure is only logged.
    KeepPaneShares(Vec<PaneShare>),
}

#[derive(Debug)]
pub enum StoreAnswer {
    Written(PathBuf, Result<(), WriteError>),
    /// A write succeeded and could not be logged, with the reason.
    WriteNotLogged(String),
    /// The earlier writes, newest first.
    WriteLogRead(Vec<PastWrite>),
    /// The draft cannot be kept for the next time, with the reason.
    DraftNotKept(String),
    Drafts(Result<DraftNews, String>),
    /// The result of storing a trust decision of this scope: the message to show.
    Decided(TrustScope, Result<String, String>),
}

#[derive(Debug)]
pub enum DraftNews {
    /// The kept drafts, those with names first.
    Listed(Vec<ListedDraft>),
    /// The draft with this name, `None` if it does not exist yet.
    Taken(Option<String>, Option<Box<StoredDraft>>),
    Named(Box<StoredDraft>),
    Deleted(String),
}

/// Work that takes long: a thread does it, and reports its news.
#[derive(Debug)]
pub enum Work {
    Compare(Comparison),
    WhatIf(Box<WhatIf>),
    /// Find the edits that give a field a value, each verified by building.
    FindEdits(Box<EditRequest>),
    /// Fetch and cache these remotes, one after the other, without running any program in them;
    /// the user has confirmed them.
    Fetch(Vec<Fetch>),
    /// Run a command of the user's config file, without a terminal.
    RunCommand(UserCommandRun),
    /// List the sides of a comparison that have a name, besides targets: branches, tags and kept
    /// drafts.
    ListSides,
    Discover(PathBuf),
}

#[derive(Debug)]
pub enum WorkAnswer {
    Compared(Arc<CompareReport>),
    WhatIf(WhatIfAnswer),
    EditsFound(Vec<VerifiedProposal>),
    /// The failed downloads with reasons.
    Fetched(Vec<(Fetch, String)>),
    CommandEnded(UserCommandResult),
    SidesListed(Vec<NamedSide>),
    /// The folders of the components that were found in the repository.
    Discovered(Vec<PathBuf>),
}

#[derive(Debug)]
pub enum WorkNews {
    /// The number of finished builds, targets or downloads, and the number of all of them.
    Progress(usize, usize),
    /// The table of components while components that are off are tried.
    TableSoFar(Arc<ComponentMatrix>),
    Ended(Result<WorkAnswer, String>),
}

const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
const TABLE_INTERVAL: Duration = Duration::from_millis(300);

#[derive(Clone)]
pub struct WorkReports(Arc<dyn Fn(WorkNews) + Send + Sync>);

impl WorkReports {
    pub fn new(send: impl Fn(WorkNews) + Send + Sync + 'static) -> Self {
        Self(Arc::new(send))
    }

    pub fn send(&self, news: WorkNews) {
        (self.0)(news);
    }

    /// Sends the progress of builds, not more often than it can be read.
    pub fn progress(&self) -> BuildProgress {
        let (reports, last) = (self.clone(), Mutex::new(Instant::now()));
        Arc::new(move |done, all| {
            if is_due(&last, PROGRESS_INTERVAL) {
                reports.send(WorkNews::Progress(done, all));
            }
        })
    }

    /// Sends tables of components, not more often than they can be read.
    pub fn tables(&self) -> TableSoFar {
        let (reports, last) = (self.clone(), Mutex::new(Instant::now()));
        Arc::new(move |table| {
            if is_due(&last, TABLE_INTERVAL) {
                reports.send(WorkNews::TableSoFar(Arc::new(table.clone())));
            }
        })
    }
}

/// True if this time has passed since the last report; the next interval then begins.
fn is_due(last: &Mutex<Instant>, interval: Duration) -> bool {
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    let is_due = last.elapsed() >= interval;
    if is_due {
        *last = Instant::now();
    }
    is_due
}

/// The ports of the workbench: files, editor, watching. Unless the user requests more, they are
/// only used to read. An error is the message to show.
pub trait WorkbenchPorts: Send + Sync {
    fn files(&self) -> Arc<dyn Files>;
    /// The function that builds targets. Called once.
    fn evaluator(&self) -> Evaluator;
    fn running_function(&self) -> Option<RunningFunction> {
        None
    }
    /// Ends the programs that this process started, and removes their temporary files. Called when
    /// the process ends.
    fn end_programs(&self);
    /// Gives free memory back to the system. Called when no build is requested for a while.
    fn rest(&self);
    fn store(&self, order: StoreOrder) -> Vec<StoreAnswer>;
    /// The draft of this repository that was kept last; from now on no other process can open it.
    fn kept_draft(&self) -> Option<StoredDraft>;
    /// All targets of the repository. Called once, on the thread that builds them.
    fn board(&self) -> RepositoryBuilds;
    /// Does slow work. The result is meaningless if it was cancelled.
    fn work(
        &self,
        work: Work,
        cancel: Arc<dyn Cancel>,
        reports: &WorkReports,
    ) -> Result<WorkAnswer, String>;
    /// Starts watching; the receiver gets the paths that changed. `None` if watching is not
    /// possible.
    fn watch(&self) -> Option<Receiver<Vec<PathBuf>>>;
    /// Replaces the watched files and directories by these.
    fn set_watched(&self, paths: &[PathBuf]);
    /// Opens the user's editor at a line (1-based) and waits for it. The caller must have released
    /// the terminal.
    fn edit(&self, path: &Path, line: u32) -> Result<(), String>;
    /// Runs a command of the user's config file on the terminal, and waits for it. The caller must
    /// have released the terminal.
    fn run_command_on_terminal(&self, run: &UserCommandRun) -> Result<(), String>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkbenchConfig {
    pub theme: String,
    /// True if the theme depends on the background of the terminal, because the user set no theme.
    pub ask_background: bool,
    pub mouse: bool,
    pub icons: Icons,
    pub colors: ColorDepth,
    /// Keys by the name of a command, in place of the defaults (`toggle = ["space", "t"]`).
    pub keys: BTreeMap<String, Vec<String>>,
    pub commands: Vec<UserCommand>,
}

impl Default for WorkbenchConfig {
    fn default() -> Self {
        Self {
            theme: "dark".to_owned(),
            ask_background: false,
            mouse: true,
            icons: Icons::default(),
            colors: ColorDepth::default(),
            keys: BTreeMap::new(),
            commands: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    #[default]
    Full,
    /// Writing, keeping drafts, trust decisions and downloads are disabled (`--read-only`).
    ReadOnly,
    /// As `ReadOnly`, and functions have only their recorded results.
    Recording,
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate flag")]
pub struct WorkbenchOptions {
    /// The target as it was typed: `overlays/dev`.
    pub target: String,
    pub target_dir: PathBuf,
    pub config: WorkbenchConfig,
    pub profile: Profile,
    /// False for a folder without a kustomization: the Board of the targets below it is shown.
    pub has_target: bool,
    pub board: PathBuf,
    /// The working directory; target names are relative to it.
    pub current: PathBuf,
    /// A random number with which values of Secrets are masked.
    pub salt: [u8; 16],
    pub show_secrets: bool,
    pub compare: Option<ComparisonSides>,
    /// Catalogs to review besides those of the build.
    pub catalogs: Vec<String>,
    /// Permitted functions run without a request for each run (`--run-on-open`).
    pub may_run: bool,
    pub tour: bool,
    pub access: Access,
    pub scope: crate::draft::WriteScope,
    pub pane_shares: Vec<PaneShare>,
    pub notes: Vec<String>,
}
