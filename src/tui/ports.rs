//! The ports of the workbench, provided by the composition root.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;

use crate::answers::compare::{CompareReport, OpenDraft};
use crate::answers::reverse::VerifiedProposal;
use crate::answers::{AskedFor, CatalogReview, RepositoryBuilds, SharedFinding};
use crate::draft::{FileChange, ListedDraft, PastWrite, StoredDraft, WriteScope};
use crate::engine::evaluate::{Cancel, ConsolidatedComposition, Evaluation, StepError, Trace};
use crate::engine::load::{Fetch, Files};
use crate::engine::manifest::COMPOSITION_FILE_NAMES;
use crate::engine::plugin::{FunctionRun, TrustRecord};
use crate::engine::profile::Profile;
use crate::repository::BuildProgress;

use super::experiment::{WhatIf, WhatIfAnswer};
use super::field_edits::EditRequest;
use super::glyphs::Icons;
use super::screen::PaneShare;
use super::theme::ColorDepth;
use super::user_commands::{UserCommand, UserCommandResult, UserCommandRun};

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
    /// The version profile that the user chose in this session.
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
    /// The remotes of the build that are not fetched.
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
    /// The reason of the system.
    Io(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse {
    Rename,
    /// A copy of the draft gets the name; the draft itself is kept unchanged.
    Copy,
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
    /// Writes these files, all or none, if each still has the bytes of its base. Returns one result
    /// for each: [`WriteError::Conflict`] for a file with other bytes, [`WriteError::NotAlone`] for
    /// the other files of the same write.
    fn write(&self, changes: &[FileChange]) -> Vec<Result<(), WriteError>>;
    /// Logs a write, with the words of its edits.
    fn keep_operation(&self, words: &[String], changes: &[FileChange]) -> Result<(), String>;
    /// The logged writes, newest first.
    fn operations(&self) -> Vec<PastWrite>;
    /// The draft of this repository that was kept last; from now on no other process can open it.
    fn kept_draft(&self) -> Option<StoredDraft>;
    /// Keeps the current draft for the next session; an empty draft is removed.
    fn keep_draft(&self, draft: &StoredDraft) -> Result<(), String>;
    /// Keeps the sizes of panes for the next session; a failure is only logged.
    fn keep_pane_shares(&self, shares: &[PaneShare]);
    /// Leaves the current draft; it stays kept.
    fn leave_draft(&self);
    /// The kept drafts, those with names first.
    fn drafts(&self) -> Vec<ListedDraft>;
    /// Releases the current draft and opens the one with this name; `None` if it does not exist
    /// yet.
    /// After an error, the current draft stays the current one.
    fn take_draft(&self, name: Option<&str>) -> Result<Option<StoredDraft>, String>;
    /// Keeps the current draft under a new name.
    fn name_draft(&self, draft: &StoredDraft, naming: NameUse) -> Result<(), String>;
    /// Deletes a draft that no process has open.
    fn delete_draft(&self, name: &str) -> Result<(), String>;
    /// The folders of the components in the repository of the target. Slow: runs in parallel to the
    /// first build.
    fn discover(&self, target: &Path) -> Vec<PathBuf>;
    /// The sides of a comparison that have a name, besides targets: branches, tags and kept drafts.
    /// Slow: runs a program.
    fn named_sides(&self) -> Vec<NamedSide>;
    /// All targets of the repository. Called once, on the thread that builds them.
    fn board(&self) -> RepositoryBuilds;
    /// Builds two sides and compares them. Slow; the result is meaningless if it was cancelled.
    /// `progress` receives the number of compared targets.
    fn compare(
        &self,
        what: &Comparison,
        cancel: Arc<dyn Cancel>,
        progress: Option<BuildProgress>,
    ) -> Result<CompareReport, String>;
    /// Builds a target with other texts and compares the results. Slow.
    fn what_if(&self, what: &WhatIf, cancel: Arc<dyn Cancel>) -> Result<WhatIfAnswer, String>;
    /// Finds the edits that give a field a value, each verified by building. Slow.
    fn find_edits(
        &self,
        what: &EditRequest,
        cancel: Arc<dyn Cancel>,
    ) -> Result<Vec<VerifiedProposal>, String>;
    /// Starts watching; the receiver gets the paths that changed. `None` if watching is not
    /// possible.
    fn watch(&self) -> Option<Receiver<Vec<PathBuf>>>;
    /// Replaces the watched files and directories by these.
    fn set_watched(&self, paths: &[PathBuf]);
    /// Stores a trust decision about a catalog and sets the time of the record. Returns the message
    /// to show.
    fn decide(&self, record: TrustRecord) -> Result<String, String>;
    /// Fetches and caches one remote that the user confirmed, without running any program in it.
    fn fetch(&self, what: &Fetch, cancel: Arc<dyn Cancel>) -> Result<(), String>;
    /// Opens the user's editor at a line (1-based) and waits for it. The caller must have released
    /// the terminal.
    fn edit(&self, path: &Path, line: u32) -> Result<(), String>;
    /// Runs a command of the user's config file, without a terminal. Slow.
    fn run_command(
        &self,
        run: &UserCommandRun,
        cancel: Arc<dyn Cancel>,
    ) -> Result<UserCommandResult, String>;
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
    /// Notes about the settings for the user; the first is shown.
    pub notes: Vec<String>,
}
