//! Clones through the `git` program, as Kustomize does (section 1.9).

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::engine::load::{GitTarget, RemoteError};
use crate::engine::plugin::{Program, ProgramError, ProgramResult, Programs, go_duration};

use crate::host::process::Processes;
use crate::host::process::path_variable::find_in_path;
use crate::host::store::cache::Cache;

/// The size limit in bytes of the output of one command: an id, or a few lines.
const MAX_OUTPUT_BYTES: usize = 16 << 20;

/// Makes a shallow clone in the cache and returns the path of its work tree.
pub(in crate::host) fn clone(
    target: &GitTarget,
    cache: &Cache,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<PathBuf, RemoteError> {
    // Kustomize passes such a ref to git, which reads it as an option.
    if target.reference.starts_with('-') {
        let reason = format!("'{}' is not a git ref: it begins with a dash", target.reference);
        return Err(RemoteError::Git(reason));
    }
    let git = find_in_path("git").ok_or_else(|| {
        let reason = "no 'git' program on path: exec: \"git\": executable file not found in $PATH";
        RemoteError::Git(reason.to_owned())
    })?;
    let failed = |error: std::io::Error| RemoteError::Git(error.to_string());
    let folder = cache.new_clone(target).map_err(failed)?;
    let git = Git { path: git, directory: folder.path(), target, is_cancelled };
    git.run(&["init"])?;
    git.run(&["remote", "add", "origin", &target.repo])?;
    let reference = if target.reference.is_empty() { "HEAD" } else { &target.reference };
    git.run(&["fetch", "--depth=1", &target.repo, reference])?;
    git.run(&["checkout", "FETCH_HEAD"])?;
    if target.submodules {
        git.run(&["submodule", "update", "--init", "--recursive"])?;
    }
    let commit = git.run(&["rev-parse", "HEAD"])?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    cache.keep_clone(target, folder, &commit).map_err(failed)
}

struct Git<'a> {
    path: PathBuf,
    directory: &'a Path,
    target: &'a GitTarget,
    is_cancelled: &'a dyn Fn() -> bool,
}

impl Git<'_> {
    /// The environment of git. A fetch over HTTPS may not be redirected to plain HTTP, which anyone
    /// on the network can fake: plain HTTP only for URLs that the user wrote, or `.gitmodules` for
    /// submodules.
    fn environment(&self, arguments: &[&str]) -> Vec<(String, String)> {
        const COUNT_VARIABLE: &str = "GIT_CONFIG_COUNT";
        let mut environment = environment();
        let is_tls = self.target.repo.to_ascii_lowercase().starts_with("https://");
        if is_tls && arguments.first() == Some(&"fetch") {
            let count = environment.iter().find(|(name, _)| name == COUNT_VARIABLE);
            let count: usize = count.and_then(|(_, text)| text.parse().ok()).unwrap_or(0);
            environment.retain(|(name, _)| name != COUNT_VARIABLE);
            environment.extend([
                (COUNT_VARIABLE.to_owned(), (count + 1).to_string()),
                (format!("GIT_CONFIG_KEY_{count}"), "protocol.http.allow".to_owned()),
                (format!("GIT_CONFIG_VALUE_{count}"), "user".to_owned()),
            ]);
        }
        environment
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, RemoteError> {
        let program = Program {
            command: self.path.to_string_lossy().into_owned(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            environment: self.environment(arguments),
            inherits_environment: false,
            directory: self.directory.to_owned(),
            timeout: Some(Duration::from_secs(self.target.timeout_seconds)),
            output_limit: Some(MAX_OUTPUT_BYTES),
            ..Program::default()
        };
        let line = format!("{} {}", self.path.display(), arguments.join(" "));
        match Processes::default().run(&program, self.is_cancelled) {
            Ok(ended) if ended.status == Some(0) => Ok(ended.output),
            Ok(ended) => Err(RemoteError::Git(failure(&line, &ended))),
            Err(ProgramError::TimedOut { seconds, .. }) => {
                let reason = format!("hit {} timeout running '{line}'", go_duration(seconds));
                Err(RemoteError::Git(reason))
            }
            Err(ProgramError::Cancelled { .. }) => {
                Err(RemoteError::Git(format!("'{line}' was cancelled")))
            }
            Err(error) => Err(RemoteError::Git(error.to_string())),
        }
    }
}

fn failure(line: &str, ended: &ProgramResult) -> String {
    let streams = [&ended.output, &ended.messages].map(|bytes| String::from_utf8_lossy(bytes));
    let status = ended
        .status
        .map_or_else(|| "signal: killed".to_owned(), |status| format!("exit status {status}"));
    let output = streams.concat();
    let output = output.trim().lines().collect::<Vec<_>>().join("; ");
    format!("failed to run '{line}': {output}: {status}")
}

/// Variables that point git to another repository, as in a hook; never set for a clone.
const REPOSITORY_VARIABLES: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
];

/// The environment of this process, without variables that name another repository. Git and ssh
/// fail instead of prompting, because no user can answer during a build.
fn environment() -> Vec<(String, String)> {
    let variables = std::env::vars_os()
        .filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)));
    let mut environment: Vec<(String, String)> =
        variables.filter(|(name, _)| !REPOSITORY_VARIABLES.contains(&&**name)).collect();
    let unset = |name: &str| std::env::var_os(name).is_none();
    let mut set = |name: &str, text: &str| environment.push((name.to_owned(), text.to_owned()));
    if unset("GIT_TERMINAL_PROMPT") {
        set("GIT_TERMINAL_PROMPT", "0");
    }
    if unset("SSH_ASKPASS") {
        set("SSH_ASKPASS", "false");
        set("SSH_ASKPASS_REQUIRE", "force");
    }
    environment
}
