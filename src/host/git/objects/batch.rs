//! One running `git cat-file --batch`, which reads all blobs.

use std::io::{self, BufReader, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout, Command};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::GitError;
use super::time_limits::RunningGit;
use crate::host::bounds::MAX_FILE_BYTES;
use crate::host::fs::read::read_line;
use crate::host::process::{Signal, attach_pipes, signal_group};

/// The size limit in bytes of the line before a blob: an id, a type and a size.
const MAX_HEADER_BYTES: u64 = 1 << 10;

/// The running git, with the thread that started it: git ends with that thread.
pub(super) struct Batch {
    group: u32,
    ids: Option<Sender<String>>,
    answers: Receiver<io::Result<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Batch {
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        let (started, is_started) = bounded(1);
        let (ids, asked) = bounded::<String>(1);
        let (answer, answers) = bounded(1);
        let work = move || {
            attach_pipes(&mut command);
            let mut child = match command.spawn() {
                Ok(child) => child,
                Err(error) => return drop(started.send(Err(error))),
            };
            // Git's messages are not read: its answers on standard output contain the errors of
            // single objects too.
            drop(child.stderr.take());
            let _ = started.send(Ok(child.id()));
            if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
                let mut pipes = Pipes { asks: stdin, answers: BufReader::new(stdout) };
                for id in asked {
                    if answer.send(pipes.read(&id)).is_err() {
                        break;
                    }
                }
            }
            let _ = child.wait();
        };
        let thread = std::thread::Builder::new().name("git".to_owned()).spawn(work)?;
        let group = is_started.recv().map_err(io::Error::other)??;
        Ok(Self { group, ids: Some(ids), answers, thread: Some(thread) })
    }

    pub(super) fn read(&self, id: &str, waiting: &RunningGit<'_>) -> Result<Vec<u8>, GitError> {
        let ended = || GitError::Other("git ended".to_owned());
        let asked = self.ids.as_ref().is_some_and(|ids| ids.send(id.to_owned()).is_ok());
        if !asked {
            return Err(ended());
        }
        loop {
            match self.answers.recv_timeout(RunningGit::TICK) {
                Ok(bytes) => {
                    return bytes.map_err(|error| match error.kind() {
                        io::ErrorKind::NotFound => GitError::NoObject(error.to_string()),
                        _ => GitError::Other(error.to_string()),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(error) = waiting.fault() {
                        return Err(error);
                    }
                }
            }
        }
    }
}

/// The streams to and from a running `git cat-file --batch`.
struct Pipes {
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Pipes {
    fn read(&mut self, id: &str) -> io::Result<Vec<u8>> {
        self.asks.write_all(format!("{id}\n").as_bytes())?;
        self.asks.flush()?;
        let line = read_line(&mut self.answers, MAX_HEADER_BYTES)?;
        let line = String::from_utf8_lossy(&line);
        // `ID TYPE SIZE`, or `ID missing`.
        let mut words = line.split_whitespace().skip(1);
        let size = match (words.next(), words.next().map(str::parse::<u64>)) {
            (Some("blob"), Some(Ok(size))) if size <= MAX_FILE_BYTES => size,
            (Some("missing"), _) => {
                let why = format!("the object {id} is not in the object store, and is not fetched");
                return Err(io::Error::new(io::ErrorKind::NotFound, why));
            }
            _ => return Err(io::Error::other(format!("git reports about the blob {id}: {line}"))),
        };
        let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
        self.answers.read_exact(&mut bytes)?;
        self.answers.read_exact(&mut [0])?;
        Ok(bytes)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.ids = None;
        // Git is killed at once: it has no work to finish, and may be blocked on a file.
        signal_group(self.group, Signal::Kill);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
