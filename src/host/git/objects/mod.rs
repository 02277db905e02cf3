//! Commits of a repository, read from its object store without a checkout.
//!
//! The configuration of the repository is not trusted: git runs in a separate folder that borrows
//! the objects and has a copy of the references. Hooks, fsmonitor, filters, attribute drivers,
//! includes and promisor remotes are set in a configuration that git does not read here, and git
//! writes only to that folder.

mod batch;
mod blobs;
mod borrowed;
mod port;
mod time_limits;
mod tree;

pub use port::GitCommits;
pub use tree::GitTree;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use crate::engine::plugin::{Program, ProgramError, ProgramResult};
use crate::host::process::ending::wait_if_killed;
use crate::host::process::path_variable::find_in_path;
use crate::host::process::run_command;
use batch::Batch;
use blobs::BlobCache;
use time_limits::RunningGit;

/// The limit on listed branches and tags.
const MAX_REFERENCES: &str = "--count=300";

/// The size limit in bytes of one list that git prints: the files of a commit, the commits of a
/// branch.
const MAX_LIST_BYTES: usize = 256 << 20;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    #[error("{} is not in a git repository", .0.display())]
    NoRepository(PathBuf),
    #[error("no 'git' program on the path: it is needed to read commits")]
    NoGit,
    #[error("no commit '{0}' in this repository")]
    NoCommit(String),
    #[error("this shallow clone has no commit '{0}': `git fetch --unshallow` gets the history")]
    Shallow(String),
    #[error(
        "this shallow clone has no merge base of '{0}' and '{1}': `git fetch --unshallow` gets the history"
    )]
    ShallowMergeBase(String, String),
    /// Git reads a file whose read may block forever, or never reach an end.
    #[error("git reads {}, which is not a regular file: remove it", .0.display())]
    Special(PathBuf),
    #[error("git took longer than {0} s")]
    Overdue(u64),
    /// A list is too long: the limit in bytes.
    #[error("the output of git is larger than {} MiB", .0 >> 20)]
    TooLong(usize),
    /// An object is not in the object store, as in a partial clone.
    #[error("{0}")]
    NoObject(String),
    #[error("{0}")]
    Other(String),
}

pub struct GitObjects {
    program: PathBuf,
    top: PathBuf,
    index: PathBuf,
    own: TempDir,
    /// Folders in which git reads all files.
    folders: Vec<PathBuf>,
    // Threads that build in parallel share this port; the order of reads does not affect the
    // results.
    batch: Mutex<Option<Batch>>,
    blobs: Mutex<BlobCache>,
}

impl GitObjects {
    pub fn around(folder: &Path) -> Result<Self, GitError> {
        let program = find_in_path("git").ok_or(GitError::NoGit)?;
        let found =
            borrowed::find(folder).ok_or_else(|| GitError::NoRepository(folder.to_owned()))?;
        let mut folders = borrowed::object_stores(&found.shared.join("objects"))?;
        let own = borrowed::create_borrowing_folder(&found)
            .map_err(|error| GitError::Other(error.to_string()))?;
        let (batch, blobs) = (Mutex::default(), Mutex::default());
        let (top, index) = (found.top, found.own.join("index"));
        folders.push(found.own);
        Ok(Self { program, top, index, own, folders, batch, blobs })
    }

    pub fn work_tree(&self) -> &Path {
        &self.top
    }

    pub fn commit(&self, name: &str) -> Result<String, GitError> {
        let unknown = || {
            if self.is_shallow() {
                GitError::Shallow(name.to_owned())
            } else {
                GitError::NoCommit(name.to_owned())
            }
        };
        if name.is_empty() || name.starts_with('-') || name.contains(':') {
            return Err(unknown());
        }
        let wanted = format!("{name}^{{commit}}");
        let id = self.run_text(&["rev-parse", "--verify", "--quiet", &wanted]);
        id.map(|id| id.trim().to_owned()).map_err(|_| unknown())
    }

    fn is_shallow(&self) -> bool {
        std::fs::metadata(self.own.path().join("shallow")).is_ok_and(|file| file.len() > 0)
    }

    /// The short names of branches and tags, the newest first.
    pub fn references(&self) -> Result<Vec<String>, GitError> {
        let listed = self.run_text(&[
            "for-each-ref",
            "--sort=-creatordate",
            MAX_REFERENCES,
            "--format=%(refname)",
            "refs/heads",
            "refs/remotes",
            "refs/tags",
        ])?;
        // `refs/remotes/origin/HEAD` is another name of a branch.
        let names = listed.lines().filter(|name| !name.ends_with("/HEAD"));
        let short = names.filter_map(|name| name.splitn(3, '/').nth(2));
        Ok(short.map(str::to_owned).collect())
    }

    /// The files of a commit, at the paths of the work tree.
    ///
    /// # Errors
    /// Objects are missing, as in a partial clone: nothing is fetched.
    pub fn tree(self: &Arc<Self>, commit: &str) -> Result<GitTree, GitError> {
        let listed = self.run(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        Ok(GitTree::parse(self.clone(), &listed))
    }

    /// The files below a folder of the work tree that git does not ignore; `None` if git cannot
    /// list them.
    ///
    /// # Errors
    /// Git is blocked on a file, takes too long, or lists too much.
    pub fn not_ignored(&self, folder: &Path) -> Result<Option<Vec<PathBuf>>, GitError> {
        // The borrowed folder has no index, so that git lists every file as untracked.
        self.listed(folder, self.command(&["ls-files", "--others", "--exclude-standard", "-z"]))
    }

    /// The files below a folder that the index contains, even if they do not exist; `None` if git
    /// cannot list them. The index is read in place, without the configuration of the repository,
    /// and is not refreshed.
    pub fn tracked(&self, folder: &Path) -> Option<Vec<PathBuf>> {
        let is_plain = std::fs::symlink_metadata(&self.index).is_ok_and(|it| it.is_file());
        let mut command = self.command(&["ls-files", "--cached", "-z"]);
        command.env("GIT_INDEX_FILE", &self.index);
        if is_plain { self.listed(folder, command).ok().flatten() } else { None }
    }

    fn listed(
        &self,
        folder: &Path,
        mut command: Command,
    ) -> Result<Option<Vec<PathBuf>>, GitError> {
        let top = &self.top;
        let Ok(resolved) = folder.canonicalize() else { return Ok(None) };
        let Ok(below) = resolved.strip_prefix(top) else { return Ok(None) };
        command.env("GIT_WORK_TREE", top).current_dir(top).arg("--");
        command.arg(if below.as_os_str().is_empty() { Path::new(".") } else { below });
        let below = below.to_string_lossy().into_owned();
        let ended = match self.run_git(command) {
            Err(GitError::Other(_)) => return Ok(None),
            ended => ended?,
        };
        if ended.status != Some(0) {
            return Ok(None);
        }
        let names = ended.output.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        // A name with a slash at its end is a nested repository.
        let names = names.filter(|name| !name.ends_with(b"/"));
        let path = |name: &[u8]| {
            let name = String::from_utf8_lossy(name);
            folder.join(name.strip_prefix(&below).map_or(&*name, |it| it.trim_start_matches('/')))
        };
        Ok(Some(names.map(path).collect()))
    }

    fn blob(&self, id: &str) -> Result<Arc<[u8]>, GitError> {
        if let Some(bytes) = self.kept().get(id) {
            return Ok(bytes);
        }
        let bytes: Arc<[u8]> = self.read_uncached_blob(id)?.into();
        self.kept().keep(id, &bytes);
        Ok(bytes)
    }

    fn kept(&self) -> MutexGuard<'_, BlobCache> {
        self.blobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_uncached_blob(&self, id: &str) -> Result<Vec<u8>, GitError> {
        let mut batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        let running = match batch.take() {
            Some(running) => running,
            None => Batch::start(self.command(&["cat-file", "--batch"]))
                .map_err(|error| GitError::Other(error.to_string()))?,
        };
        let bytes = running.read(id, &self.start_time_limit())?;
        *batch = Some(running);
        Ok(bytes)
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let ended = self.run_git(self.command(arguments))?;
        if ended.status == Some(0) {
            return Ok(ended.output);
        }
        Err(GitError::Other(String::from_utf8_lossy(&ended.messages).trim().to_owned()))
    }

    fn run_text(&self, arguments: &[&str]) -> Result<String, GitError> {
        Ok(String::from_utf8_lossy(&self.run(arguments)?).into_owned())
    }

    fn start_time_limit(&self) -> RunningGit<'_> {
        RunningGit::begin(&self.folders, &self.top)
    }

    fn run_git(&self, mut command: Command) -> Result<ProgramResult, GitError> {
        let program = Program {
            command: "git".to_owned(),
            output_limit: Some(MAX_LIST_BYTES),
            ..Program::default()
        };
        let waiting = self.start_time_limit();
        let ended = run_command(&mut command, &program, &|| waiting.fault().is_some());
        let ended = ended.map_err(|error| {
            match error {
                ProgramError::Cancelled { .. } => waiting.fault(),
                ProgramError::TooMuchOutput { limit, .. } => Some(GitError::TooLong(limit)),
                _ => None,
            }
            .unwrap_or_else(|| GitError::Other(error.to_string()))
        })?;
        wait_if_killed(ended.signal);
        Ok(ended)
    }

    /// Git in the borrowed folder, with an environment that names no other repository.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().current_dir(self.own.path()).args(["--no-pager"]).args(arguments);
        let nowhere = if cfg!(windows) { "NUL" } else { "/dev/null" };
        command.env("GIT_DIR", self.own.path());
        for (name, text) in [
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", nowhere),
            ("GIT_ATTR_NOSYSTEM", "1"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("LC_ALL", "C"),
        ] {
            command.env(name, text);
        }
        // Git finds its helper programs through these variables, and on Windows its libraries.
        for name in ["PATH", "SYSTEMROOT"] {
            if let Some(text) = std::env::var_os(name) {
                command.env(name, text);
            }
        }
        command
    }
}

#[cfg(test)]
mod tests;
