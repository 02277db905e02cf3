//! Programs of the machine: helm, plugins, functions, container engines, git.

pub(super) mod confine;
pub(super) mod confinement_gaps;
pub(super) mod editor;
pub(super) mod ending;
pub(super) mod group;
mod line_forwarder;
pub(super) mod path_variable;
#[cfg(target_os = "linux")]
pub(super) mod private_root;
pub(super) mod raw_calls;
pub(super) mod shell;
mod start;
mod streams;
pub(super) mod unpacked;

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use self::group::{CgroupParent, ProcessGroup};
use self::path_variable::find_in_path;
use crate::engine::plugin::{
    Confinement, NoPrograms, Program, ProgramError, ProgramResult, Programs, STARLARK_PROGRAM,
};
use line_forwarder::{LineForwarder, Listener};
pub(super) use start::attach_pipes;
use streams::Stream;

const TICK: Duration = Duration::from_millis(20);
/// Time for a program to end after the first signal.
const TERMINATION_GRACE_PERIOD: Duration = Duration::from_secs(3);
/// Limit for the messages of a program; the rest is read and dropped.
const MAX_MESSAGES_BYTES: usize = 16 << 20;
/// Timeout for the streams of an ended program, which a child of it may hold open.
const STREAM_CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs programs on this machine, each in its own process group.
#[derive(Clone, Default)]
pub struct Processes {
    confiner: Option<PathBuf>,
    listener: Option<Listener>,
    /// Set once the temporary folders of killed kzui processes are removed.
    cleared: OnceLock<()>,
    /// The result of the search for `unshare`, which removes network access.
    unshare: OnceLock<Option<confine::Unshare>>,
    /// The result of the search for a parent of control groups, which limit all processes of a
    /// program together.
    groups: OnceLock<Option<CgroupParent>>,
}

enum ProcessEvent {
    Ended(io::Result<ExitStatus>),
    /// Bytes of a stream, sent when they are read; none at its end.
    Read(Stream, Vec<u8>),
}

impl Processes {
    /// Sets the program that confines other programs by calling
    /// [`confine_and_exec`](super::confine_and_exec); the default is the current program.
    #[must_use]
    pub fn with_confiner(confiner: impl Into<PathBuf>) -> Self {
        Self { confiner: Some(confiner.into()), ..Self::default() }
    }

    fn unshare(&self) -> Option<&confine::Unshare> {
        self.unshare.get_or_init(|| confine::find_unshare(self.confiner.as_deref())).as_ref()
    }

    fn group(&self, confinement: &Confinement) -> Option<ProcessGroup> {
        let find = || confine::find_cgroup_parent(self.unshare(), self.confiner.as_deref());
        let groups = self.groups.get_or_init(find).as_ref()?;
        groups.make(confinement.memory_bytes).ok()
    }

    /// Passes each line that a program writes to standard error to `listener`, if the program has a
    /// display name.
    #[must_use]
    pub fn with_listener(listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Arc::new(listener)), ..Self::default() }
    }
}

impl Programs for Processes {
    fn run(
        &self,
        program: &Program,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        let command = program.command.clone();
        if is_cancelled() {
            return Err(ProgramError::Cancelled { command });
        }
        let folder = start::temporary_folder(program, self)
            .map_err(|error| not_started_error(program, &format!("temporary files: {error}")))?;
        let folder = folder.as_ref().map_or(Path::new(""), |folder| folder.path());
        let path = start::find(program, folder, self)?;
        if program.confinement.as_ref().is_some_and(|confinement| confinement.required)
            && let Some(gaps) = confine::missing_confinement(self.unshare())
        {
            let why = format!("not allowed with --require-confinement: {gaps}");
            return Err(ProgramError::NotAllowed { command, why });
        }
        let group = program.confinement.as_ref().and_then(|confinement| self.group(confinement));
        if group.is_none() && program.confinement.as_ref().is_some_and(|it| it.limits_required) {
            let why = "--require-limits forbids it: the total memory and processes of the program and its children cannot be \
                       limited on this system"
                .to_owned();
            return Err(ProgramError::NotAllowed { command, why });
        }
        let joined = group.as_ref().map(ProcessGroup::folder);
        let mut prepared = start::command(program, &path, folder, joined, self)
            .map_err(|error| not_started_error(program, &error.to_string()))?;
        let teller = LineForwarder::new(self.listener.as_ref(), program);
        let mut ended = run_with_events(&mut prepared, program, teller, is_cancelled)?;
        folder.clone_into(&mut ended.temporary);
        Ok(ended)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn locate(&self, name: &str) -> Option<PathBuf> {
        find_in_path(name)
    }

    #[cfg(target_os = "linux")]
    fn user(&self) -> Option<(u32, u32)> {
        Some((rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw()))
    }
}

/// Finds programs without running them: the port that the workbench uses unless the user requests a
/// run.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgramLookup;

impl Programs for ProgramLookup {
    fn run(
        &self,
        program: &Program,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        if program.command == STARLARK_PROGRAM && start::find_starlark(None).is_none() {
            return Err(ProgramError::NotFound { command: program.command.clone() });
        }
        NoPrograms.run(program, is_cancelled)
    }

    fn locate(&self, name: &str) -> Option<PathBuf> {
        find_in_path(name)
    }
}

fn not_started_error(program: &Program, reason: &str) -> ProgramError {
    ProgramError::NotStarted { command: program.command.clone(), reason: reason.to_owned() }
}

/// Runs a command within the time and the output limit of `program`, and waits for its end.
pub(super) fn run_command(
    command: &mut Command,
    program: &Program,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<ProgramResult, ProgramError> {
    run_with_events(command, program, None, is_cancelled)
}

/// Runs a command with threads for its streams, and waits for its end.
fn run_with_events(
    command: &mut Command,
    program: &Program,
    teller: Option<LineForwarder>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<ProgramResult, ProgramError> {
    start::attach_pipes(command);
    let child = spawn(command).map_err(|error| match error.kind() {
        // The file exists: the interpreter in its first line is missing.
        io::ErrorKind::NotFound => {
            not_started_error(program, "the interpreter of the program is not found")
        }
        io::ErrorKind::PermissionDenied => ProgramError::NotExecutable {
            command: program.command.clone(),
            reason: error.to_string(),
        },
        _ => not_started_error(program, &error.to_string()),
    })?;
    RunningProgram::new(child, program, teller).wait(is_cancelled)
}

/// Starts a program, with retries: a script that was just written may still be open in a process
/// that another thread is starting.
fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..50 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            done => return done,
        }
    }
    command.spawn()
}

struct RunningProgram<'p> {
    program: &'p Program,
    group: u32,
    news: Receiver<ProcessEvent>,
    status: Option<ExitStatus>,
    /// The number of streams that are not at their end.
    open: usize,
    output: Vec<u8>,
    messages: Vec<u8>,
    teller: Option<LineForwarder>,
    stopped: bool,
}

impl<'p> RunningProgram<'p> {
    fn new(mut child: Child, program: &'p Program, teller: Option<LineForwarder>) -> Self {
        // A program that writes faster than its output is counted waits.
        let (sender, news) = bounded(16);
        let group = child.id();
        if let Some(stdin) = child.stdin.take() {
            streams::write_input(stdin, Arc::clone(&program.input));
        }
        if let Some(stdout) = child.stdout.take() {
            streams::drain(stdout, Stream::Output, sender.clone());
        }
        if let Some(stderr) = child.stderr.take() {
            streams::drain(stderr, Stream::Messages, sender.clone());
        }
        std::thread::spawn(move || {
            let _ = sender.send(ProcessEvent::Ended(child.wait()));
        });
        let (output, messages) = (Vec::new(), Vec::new());
        let (status, open, stopped) = (None, 2, false);
        Self { program, group, news, status, open, output, messages, teller, stopped }
    }

    /// Waits until the program has ended and closed its streams, or has to be stopped.
    fn wait(mut self, is_cancelled: &dyn Fn() -> bool) -> Result<ProgramResult, ProgramError> {
        let begun = Instant::now();
        let mut ended_at = None;
        while self.status.is_none() || self.open > 0 {
            let news = self.news.recv_timeout(TICK);
            let mut failure = None;
            match news {
                Ok(ProcessEvent::Ended(Err(error))) => {
                    failure = Some(not_started_error(self.program, &error.to_string()));
                }
                Ok(ProcessEvent::Ended(Ok(status))) => {
                    ended_at = Some(Instant::now());
                    self.status = Some(status);
                }
                Ok(ProcessEvent::Read(_, bytes)) if bytes.is_empty() => self.open -= 1,
                Ok(ProcessEvent::Read(Stream::Output, bytes)) => {
                    self.output.extend_from_slice(&bytes);
                    let limit = self.program.output_limit.filter(|it| self.output.len() > *it);
                    let command = self.program.command.clone();
                    failure = limit.map(|limit| ProgramError::TooMuchOutput { command, limit });
                }
                Ok(ProcessEvent::Read(Stream::Messages, bytes)) => {
                    if self.messages.len() + bytes.len() <= MAX_MESSAGES_BYTES {
                        self.teller.iter_mut().for_each(|teller| teller.push(&bytes));
                        self.messages.extend_from_slice(&bytes);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let failure = failure.or_else(|| self.timeout_or_cancellation(begun, is_cancelled));
            if let Some(failure) = failure {
                self.stop();
                return Err(failure);
            }
            if ended_at.is_some_and(|at| at.elapsed() > STREAM_CLOSE_TIMEOUT) {
                signal_group(self.group, Signal::Kill);
                ended_at = None;
            }
        }
        self.stopped = true;
        Ok(ProgramResult {
            // The output is complete, so processes of the program that are still running are not
            // needed.
            left_processes: self.kill_remaining_processes(),
            status: self.status.and_then(|status| status.code()),
            signal: self.status.and_then(signal_of),
            output: std::mem::take(&mut self.output),
            messages: std::mem::take(&mut self.messages),
            stderr_was_forwarded: self.teller.is_some(),
            temporary: PathBuf::new(),
        })
    }

    #[cfg(unix)]
    fn kill_remaining_processes(&self) -> bool {
        let group = i32::try_from(self.group).ok().and_then(rustix::process::Pid::from_raw);
        let is_there =
            group.is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok());
        if is_there {
            signal_group(self.group, Signal::Kill);
        }
        is_there
    }

    #[cfg(not(unix))]
    fn kill_remaining_processes(&self) -> bool {
        false
    }

    /// The error for a program that was cancelled or exceeded its time limit; `None` if neither is
    /// the case.
    fn timeout_or_cancellation(
        &self,
        begun: Instant,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<ProgramError> {
        let command = self.program.command.clone();
        if is_cancelled() {
            return Some(ProgramError::Cancelled { command });
        }
        let limit = self.program.timeout?;
        let seconds = limit.as_secs().max(1);
        (begun.elapsed() > limit).then_some(ProgramError::TimedOut { command, seconds })
    }

    /// Sends a termination signal to all processes of the group, then kills them.
    fn stop(&mut self) {
        self.stopped = true;
        let container = self.program.container.as_deref();
        let removed = container.map(|name| remove_container(&self.program.command, name));
        signal_group(self.group, Signal::Term);
        let begun = Instant::now();
        while self.status.is_none() && begun.elapsed() < TERMINATION_GRACE_PERIOD {
            match self.news.recv_timeout(TICK) {
                Ok(ProcessEvent::Ended(Ok(status))) => self.status = Some(status),
                Ok(ProcessEvent::Ended(Err(_))) | Err(RecvTimeoutError::Disconnected) => break,
                _ => {}
            }
        }
        signal_group(self.group, Signal::Kill);
        if let Some(removed) = removed {
            let _ = removed.recv_timeout(TERMINATION_GRACE_PERIOD);
        }
    }
}

impl Drop for RunningProgram<'_> {
    fn drop(&mut self) {
        if !self.stopped {
            signal_group(self.group, Signal::Kill);
        }
    }
}

/// The signal that ended a process; `None` if the process exited normally.
fn signal_of(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = {
        let _ = status;
        None
    };
    signal
}

#[derive(Clone, Copy)]
pub(super) enum Signal {
    Term,
    Kill,
}

#[cfg(unix)]
pub(super) fn signal_group(group: u32, signal: Signal) {
    let signal = match signal {
        Signal::Term => rustix::process::Signal::TERM,
        Signal::Kill => rustix::process::Signal::KILL,
    };
    let group = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // The group may have ended already.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
pub(super) fn signal_group(group: u32, signal: Signal) {
    if matches!(signal, Signal::Kill) {
        let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &group.to_string()]).output();
    }
}

/// Removes a container by name, since containers are not child processes of their engine's client.
/// The container is killed first, because podman's `rm` gives it ten seconds to end. The receiver
/// gets a message after the removal.
fn remove_container(engine: &str, name: &str) -> Receiver<()> {
    let (sender, removed) = bounded(1);
    let (engine, name) = (engine.to_owned(), name.to_owned());
    std::thread::spawn(move || {
        for arguments in [["kill", &*name].as_slice(), &["rm", "--force", &name]] {
            let nothing = std::process::Stdio::null;
            let _ = Command::new(&engine)
                .args(arguments)
                .stdin(nothing())
                .stdout(nothing())
                .stderr(nothing())
                .status();
        }
        let _ = sender.send(());
    });
    removed
}

#[cfg(test)]
mod tests;
