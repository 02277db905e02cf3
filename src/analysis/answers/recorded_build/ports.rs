//! The ports of builds that are recorded, and of builds that are repeated from a recording.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::format::{CLONES, RecordedBuild, RecordedClone, RecordedContent, RecordedProgram};
use crate::answers::secrets::Secrets;
use crate::engine::load::{Artifacts, GitTarget, Http, NotFetchedCause, Remote, RemoteError};
use crate::engine::plugin::{Program, ProgramError, ProgramResult, Programs};

/// The word in place of the folder of the user's files.
const ROOT_WORD: &str = "{root}";

/// The answers that a build got from the network and from programs.
#[derive(Clone, Default)]
pub(super) struct NotedAnswers {
    pub(super) downloads: Vec<(String, Http)>,
    pub(super) clones: Vec<(RecordedClone, PathBuf)>,
    pub(super) ended: Vec<Result<ProgramResult, ProgramError>>,
    /// The programs in `PATH`: files of this machine, which are in no recording.
    pub(super) located: BTreeSet<PathBuf>,
}

/// Notes the answers of a build.
pub(super) struct NotedPorts {
    pub(super) remote: Arc<dyn Remote>,
    pub(super) programs: Arc<dyn Programs>,
    pub(super) noted: Mutex<NotedAnswers>,
}

impl NotedPorts {
    pub(super) fn noted(&self) -> MutexGuard<'_, NotedAnswers> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_clone(&self, target: &GitTarget, folder: &Path) {
        let (clones, clone) = (&mut self.noted().clones, recorded_clone(target));
        if !clones.iter().any(|(known, _)| *known == clone) {
            clones.push((clone, folder.to_owned()));
        }
    }
}

impl Remote for NotedPorts {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        let answer = self.remote.get(url)?;
        let downloads = &mut self.noted().downloads;
        if !downloads.iter().any(|(known, _)| known == url) {
            downloads.push((url.to_owned(), answer.clone()));
        }
        Ok(answer)
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let folder = self.remote.fetch_git(target)?;
        self.note_clone(target, &folder);
        Ok(folder)
    }

    fn kept_git(&self, target: &GitTarget) -> Option<PathBuf> {
        let folder = self.remote.kept_git(target)?;
        self.note_clone(target, &folder);
        Some(folder)
    }

    fn artifacts(&self) -> &dyn Artifacts {
        self.remote.artifacts()
    }
}

impl Programs for NotedPorts {
    fn run(
        &self,
        program: &Program,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        let ended = self.programs.run(program, is_cancelled);
        self.noted().ended.push(ended.clone());
        ended
    }

    fn locate(&self, name: &str) -> Option<PathBuf> {
        let path = self.programs.locate(name)?;
        self.noted().located.insert(path.clone());
        Some(path)
    }

    fn inner(&self) -> Option<&dyn Programs> {
        Some(&*self.programs)
    }
}

/// The clone of a target; its path in the clone and its time limit do not matter.
fn recorded_clone(target: &GitTarget) -> RecordedClone {
    RecordedClone {
        repository: target.repo.clone(),
        reference: target.reference.clone(),
        submodules: target.submodules,
    }
}

/// Gives the results of an earlier build in their order, with masked outputs, and notes the inputs.
pub(super) struct RepeatedPrograms {
    pub(super) inner: Arc<dyn Programs>,
    pub(super) ended: Vec<Result<ProgramResult, ProgramError>>,
    pub(super) secrets: Secrets,
    pub(super) root: PathBuf,
    pub(super) recorded: Mutex<Vec<RecordedProgram>>,
}

impl Programs for RepeatedPrograms {
    fn run(
        &self,
        program: &Program,
        _is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        let not_asked = || ProgramError::NotAsked { command: program.command.clone() };
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = self.ended.get(recorded.len()).ok_or_else(not_asked)?.clone()?;
        let masked = |bytes: &[u8]| match std::str::from_utf8(bytes) {
            Ok(text) => RecordedContent::from_bytes(self.secrets.mask_yaml(text).as_bytes()),
            Err(_) => RecordedContent::from_bytes(bytes),
        };
        let (command, arguments) = words(program, &self.root);
        let run = RecordedProgram {
            command,
            arguments: arguments.iter().map(|word| self.secrets.text(word)).collect(),
            input_digest: digest(&program.input),
            status: ended.status,
            output: masked(&ended.output),
            messages: masked(&ended.messages),
        };
        let result = run.result();
        recorded.push(run);
        Ok(result)
    }

    /// As in a recording, which has no file of this machine.
    fn locate(&self, _name: &str) -> Option<PathBuf> {
        None
    }

    fn inner(&self) -> Option<&dyn Programs> {
        Some(&*self.inner)
    }
}

/// The command and the arguments of a program, independent of the folder of the files.
fn words(program: &Program, root: &Path) -> (String, Vec<String>) {
    let root = root.to_string_lossy();
    let plain = |word: &String| word.replace(&*root, ROOT_WORD);
    (plain(&program.command), program.arguments.iter().map(plain).collect())
}

fn digest(bytes: &[u8]) -> String {
    STANDARD.encode(Sha256::digest(bytes))
}

impl RecordedProgram {
    fn result(&self) -> ProgramResult {
        ProgramResult {
            status: self.status,
            output: self.output.bytes().to_vec(),
            messages: self.messages.bytes().to_vec(),
            ..ProgramResult::default()
        }
    }
}

/// The downloads of a recording; `folder` has its unpacked files. All other fetches are refused.
pub struct RecordedRemote {
    pub build: Arc<RecordedBuild>,
    pub folder: PathBuf,
}

impl RecordedRemote {
    fn clone_folder(&self, target: &GitTarget) -> Option<PathBuf> {
        let wanted = recorded_clone(target);
        let number = self.build.clones.iter().position(|clone| *clone == wanted)?;
        Some(self.folder.join(CLONES).join(number.to_string()))
    }
}

fn not_recorded(subject: &str) -> RemoteError {
    RemoteError::NotAllowed { subject: subject.to_owned(), why: NotFetchedCause::NotAsked }
}

impl Remote for RecordedRemote {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        let found = self.build.downloads.iter().find(|download| download.url == url);
        let found = found.ok_or_else(|| not_recorded(url))?;
        Ok(Http { status: found.status, reason: found.reason.clone(), body: found.content.bytes() })
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        self.clone_folder(target).ok_or_else(|| not_recorded(&target.repo))
    }

    fn kept_git(&self, target: &GitTarget) -> Option<PathBuf> {
        self.clone_folder(target)
    }
}

/// The programs of a recording: their outputs are repeated, and no program runs.
pub struct RecordedPrograms {
    pub build: Arc<RecordedBuild>,
    /// The folder of the unpacked files of the user.
    pub root: PathBuf,
}

impl Programs for RecordedPrograms {
    fn run(
        &self,
        program: &Program,
        _is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        let (command, arguments) = words(program, &self.root);
        let input = digest(&program.input);
        let is_run = |run: &&RecordedProgram| {
            run.command == command && run.arguments == arguments && run.input_digest == input
        };
        let found = self.build.programs.iter().find(is_run);
        found.map(RecordedProgram::result).ok_or_else(|| ProgramError::NotAllowed {
            command: program.command.clone(),
            why: "the recording has no output of it for this input".to_owned(),
        })
    }
}
