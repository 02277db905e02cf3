//! One call of a function, from the request to its result (C.2, C.5).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::diagnostic::{Hint, RefusalCause, byte_size, go_duration, printable};
use crate::load::Digest;
use crate::yaml::Mark;

use super::command::{program, select_engine};
use super::options::FunctionOptions;
use super::reply::{FunctionReply, read_reply};
use super::resolve::{FlagMounts, FunctionRef, Implementation, RequiredAction, RunRefusal};
use super::results::FunctionResult;
use super::script;
use super::{Program, ProgramError, Programs};

const MAX_ERROR_STDERR_LINES: usize = 10;

const INSTALL_HINT: &str = "install it with `cargo install --path src/starlark` in kzui's source folder, or put the \
                       kzui-starlark of the same release archive beside kzui or on PATH";

/// A scalar of the configuration of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationScalar {
    /// The key of the scalar, or of the list that contains it.
    pub key: String,
    pub text: String,
    /// The location of the scalar: with an override, in the file of the override.
    pub mark: Mark,
}

/// The record of one call of a function: command, output and results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionRun {
    /// The configuring object: `Kind/name (apiVersion)`.
    pub function: String,
    /// The command with its arguments; for a Starlark function its name.
    pub command: Vec<String>,
    pub environment: Vec<(String, String)>,
    pub directory: PathBuf,
    pub input: Arc<[u8]>,
    pub output: Arc<[u8]>,
    /// Standard error, without the engine's messages about pulling an image.
    pub messages: String,
    pub told: bool,
    pub results: Vec<FunctionResult>,
    /// The exit status; `None` if a signal ended it or it did not run to its end.
    pub status: Option<i32>,
    pub signal: Option<i32>,
    /// The scalars of its configuration with a location in a file.
    pub configuration: Arc<[ConfigurationScalar]>,
    pub items_in: usize,
    pub items_out: usize,
    /// True if processes that the function started were still running at its end, and were stopped.
    pub left_processes: bool,
    pub time: Duration,
    /// True if the function did not run: the result is that of an earlier run on the same input.
    pub cached: bool,
}

/// The reason why a function has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionFailure {
    Refused(RunRefusal),
    Cancelled,
    Failed { text: String, hint: Option<Box<Hint>> },
}

/// The options, programs and clock with which functions are run.
#[derive(Clone, Copy)]
pub struct CallContext<'a> {
    pub options: &'a FunctionOptions,
    pub programs: &'a dyn Programs,
    pub now: &'a dyn Fn() -> Duration,
    pub is_cancelled: &'a dyn Fn() -> bool,
    /// Returns an earlier call with the same key, whose result is used instead of a run.
    pub recall: &'a dyn Fn(&str) -> Option<Arc<FunctionRun>>,
}

/// Runs a function on an input, or takes the result of an earlier equal call. Returns the record of
/// the call, the key under which the result can be cached (if it can), and the failure.
pub fn call(
    function: &FunctionRef,
    input: Arc<[u8]>,
    caller: CallContext<'_>,
) -> (FunctionRun, Option<String>, Result<(), FunctionFailure>) {
    let mut run = FunctionRun {
        function: function.shown.clone(),
        directory: function.directory.clone(),
        input: input.clone(),
        ..FunctionRun::default()
    };
    let start = (caller.now)();
    let program = match program(function, caller.options, caller.programs, input, start.as_nanos())
    {
        Ok(program) => program,
        Err(refusal) => return (run, None, Err(FunctionFailure::Refused(refusal))),
    };
    let key = key(function, caller.options, &run.input);
    if let Some(earlier) = key.as_deref().and_then(caller.recall) {
        let run = FunctionRun { cached: true, told: false, ..FunctionRun::clone(&earlier) };
        return (run, key, Ok(()));
    }
    let result = match &function.implementation {
        Implementation::Starlark { name, script } => {
            run_script(function, (name, script), caller, &mut run)
        }
        _ => program.map_or(Ok(()), |program| run_program(function, program, caller, &mut run)),
    };
    run.time = (caller.now)().saturating_sub(start);
    (run, key, result)
}

fn run_program(
    function: &FunctionRef,
    mut program: Program,
    caller: CallContext<'_>,
    run: &mut FunctionRun,
) -> Result<(), FunctionFailure> {
    let is_container = program.container.is_some();
    if is_container {
        program.command = select_engine(caller.programs, caller.is_cancelled)
            .map_err(FunctionFailure::Refused)?;
    }
    run.command = [program.command.clone()].into_iter().chain(program.arguments.clone()).collect();
    // Leave out the container's name, which is unique to this call, so that the user can run the
    // command again.
    if let Some(place) =
        run.command.iter().position(|word| program.container.as_ref() == Some(word))
    {
        run.command.drain(place.saturating_sub(1)..=place);
    }
    run.environment.clone_from(&program.environment);
    let ended = caller.programs.run(&program, caller.is_cancelled);
    let ended = ended.map_err(|error| failure(&error, function, is_container))?;
    (run.status, run.signal) = (ended.status, ended.signal);
    (run.told, run.left_processes) = (ended.stderr_was_forwarded, ended.left_processes);
    run.output = ended.output.into();
    let messages = String::from_utf8_lossy(&ended.messages);
    run.messages = if is_container { without_progress(&messages) } else { messages.into_owned() };
    Ok(())
}

fn run_script(
    function: &FunctionRef,
    (name, source): (&str, &str),
    caller: CallContext<'_>,
    run: &mut FunctionRun,
) -> Result<(), FunctionFailure> {
    run.command = vec![name.to_owned()];
    let failed = |why: String| FunctionFailure::Failed {
        text: format!("starlark function {} failed: {why}", function.shown),
        hint: None,
    };
    let program = script::program(name, source, &run.input, caller.options).map_err(failed)?;
    let program = Program { function: Some(function.shown.clone()), ..program };
    let ended =
        caller.programs.run(&program, caller.is_cancelled).map_err(|error| match error {
            ProgramError::NotFound { .. } => FunctionFailure::Refused(RunRefusal::not_allowed(
                format!("function {} needs kzui-starlark, which is not installed", function.shown),
                INSTALL_HINT,
                RequiredAction::Install,
            )),
            error => failure(&error, function, false),
        })?;
    let (output, printed) = script::read_answer(&ended).map_err(failed)?;
    (run.output, run.messages, run.status) = (output.into(), printed, ended.status);
    Ok(())
}

/// Reads the output of a function and judges its exit status.
///
/// # Errors
/// A status other than zero, with the results and the end of standard error; invalid output.
pub fn read_run_reply(run: &mut FunctionRun) -> Result<FunctionReply, FunctionFailure> {
    let (mut reply, read) = read_reply(&run.output, &run.function);
    if run.left_processes {
        reply
            .warnings
            .push(format!("function {} left processes running; they were stopped", run.function));
    }
    run.results.clone_from(&reply.results);
    run.items_out = reply.items.as_ref().map_or(0, Vec::len);
    if run.status != Some(0) {
        let readable = read.is_ok() || run.output.is_empty();
        return Err(FunctionFailure::Failed { text: status_text(run, readable), hint: hint(run) });
    }
    read.map_err(|text| FunctionFailure::Failed {
        text,
        hint: Some("write only a ResourceList to standard output".into()),
    })?;
    Ok(reply)
}

fn status_text(run: &FunctionRun, readable: bool) -> String {
    let end = match (run.status, run.signal) {
        (Some(status), _) => format!("exit status {status}"),
        (None, Some(signal)) => format!("ended by signal {signal}"),
        (None, None) => "ended by a signal".to_owned(),
    };
    let mut lines = vec![format!("function {} failed ({end})", run.function)];
    lines.extend(run.results.iter().map(|result| format!("  {result}")));
    if !readable {
        lines.push("  its standard output cannot be read as a ResourceList".to_owned());
    }
    let messages: Vec<&str> = run.messages.lines().collect();
    let skipped = messages.len().saturating_sub(MAX_ERROR_STDERR_LINES);
    let messages = messages.into_iter().skip(skipped);
    lines.extend(messages.map(|line| format!("  | {}", printable(line))));
    lines.join("\n")
}

/// A hint for two known causes: the engine's daemon does not run, or (D-C4) the image lacks the
/// user that functions run as.
fn hint(run: &FunctionRun) -> Option<Box<Hint>> {
    let messages = &run.messages;
    if messages.contains("Cannot connect to the Docker daemon")
        || messages.contains("failed to connect to the docker API")
        || messages.contains("cannot access containerd socket")
    {
        return Some(
            "start it, or name another engine in KRM_FN_RUNTIME: docker, podman, nerdctl".into(),
        );
    }
    let no_user = messages.contains("unable to find user nobody")
        || messages.contains("no matching entries in passwd");
    no_user.then(|| "the image has no user `nobody`; use --as-current-user".into())
}

fn failure(error: &ProgramError, function: &FunctionRef, is_container: bool) -> FunctionFailure {
    let function = &function.shown;
    let (text, hint) = match error {
        ProgramError::Cancelled { .. } => return FunctionFailure::Cancelled,
        ProgramError::NotAsked { .. } => {
            return FunctionFailure::Refused(RunRefusal::not_allowed(
                RefusalCause::NotAsked(function.clone()),
                "run it to see its output",
                RequiredAction::Asked,
            ));
        }
        ProgramError::NotAllowed { why, .. } => {
            return FunctionFailure::Refused(RunRefusal::needs_flag(
                format!("function {function} is not run: {why}"),
                "leave the flag out, or build where the system has these limits",
            ));
        }
        ProgramError::NotFound { command } if is_container => (
            format!("function {function} needs a container runtime: '{command}' not found in PATH"),
            Some("install it, or name another one in KRM_FN_RUNTIME: docker, podman, nerdctl"),
        ),
        ProgramError::NotFound { command } => {
            (format!("exec function {function}: '{command}' not found"), None)
        }
        ProgramError::NotExecutable { command, .. } => (
            format!("exec function {function}: '{command}' is not executable"),
            Some("chmod +x lets it run"),
        ),
        ProgramError::NotStarted { command, reason } => (
            format!("exec function {function}: '{command}' cannot be started ({reason})"),
            Some("check the #! line: it must be the first line"),
        ),
        ProgramError::TimedOut { seconds, .. } => (
            format!("function {function} timed out after {}", go_duration(*seconds)),
            Some("--function-timeout allows more time"),
        ),
        ProgramError::TooMuchOutput { limit, .. } => {
            (format!("function {function} wrote more than {}", byte_size(*limit)), None)
        }
    };
    FunctionFailure::Failed { text, hint: hint.map(Into::into) }
}

fn without_progress(messages: &str) -> String {
    messages.split_inclusive('\n').filter(|line| !is_pull_progress(line)).collect()
}

/// True for a line in which a container engine reports the progress of pulling an image.
pub fn is_pull_progress(line: &str) -> bool {
    const PROGRESS_BEGINNINGS: [&str; 11] = [
        "Unable to find image ",
        "Digest: sha256:",
        "Status: Downloaded newer image",
        "Status: Image is up to date",
        "Trying to pull ",
        "Getting image source signatures",
        "Copying blob ",
        "Copying config ",
        "Writing manifest to image destination",
        "Storing signatures",
        "Resolved ",
    ];
    const PROGRESS_ENDINGS: [&str; 6] = [
        ": Pulling fs layer",
        ": Waiting",
        ": Verifying Checksum",
        ": Download complete",
        ": Pull complete",
        ": Already exists",
    ];
    let line = line.trim_end();
    PROGRESS_BEGINNINGS.iter().any(|text| line.starts_with(text))
        || PROGRESS_ENDINGS.iter().any(|text| line.ends_with(text))
        || line.contains(": Pulling from ")
        || line.len() == 64 && line.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A key that is equal for equal calls (program, options and input). `None` for a function that can
/// read more than its input.
fn key(function: &FunctionRef, options: &FunctionOptions, input: &[u8]) -> Option<String> {
    let sees_more = match &function.implementation {
        Implementation::Container { network, mounts, flag_mounts, .. } => {
            let is_given = *flag_mounts != FlagMounts::Refused && !options.mounts.is_empty();
            *network || !mounts.is_empty() || is_given
        }
        Implementation::Exec { .. } | Implementation::Starlark { .. } => false,
    };
    let how = (&function.implementation, &function.directory, &options.env);
    let text = format!("{how:?} {}", Digest::compute(input).hex());
    (!sees_more).then(|| Digest::compute(text.as_bytes()).hex())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_of_pulling_is_dropped() {
        let text = "Unable to find image 'f:v1' locally\nv1: Pulling from f\n0a1b: Pull complete\n\
                    Digest: sha256:aa\nreal message\nTrying to pull f...\n";
        assert_eq!(without_progress(text), "real message\n");
    }
}
