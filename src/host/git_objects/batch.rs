//! One `git cat-file --batch` for all blobs.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Bytes of one blob, as of a file of the disk.
const LARGEST: u64 = 256 << 20;

/// The running program. It ends when its input does.
pub(super) struct Batch {
    child: Child,
    asks: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Batch {
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let asks = child.stdin.take();
        let answers = child.stdout.take().ok_or_else(|| io::Error::other("git has no output"))?;
        Ok(Self { child, asks, answers: BufReader::new(answers) })
    }

    /// The bytes of a blob.
    pub(super) fn read(&mut self, id: &str) -> io::Result<Vec<u8>> {
        let asks = self.asks.as_mut().ok_or_else(|| io::Error::other("git has no input"))?;
        asks.write_all(format!("{id}\n").as_bytes())?;
        asks.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        // `ID TYPE SIZE`, or `ID missing`.
        let mut words = line.split_whitespace().skip(1);
        let size = match (words.next(), words.next().map(str::parse::<u64>)) {
            (Some("blob"), Some(Ok(size))) if size <= LARGEST => size,
            (Some("missing"), _) => {
                let why = format!("the object {id} is not in the object store, and is not fetched");
                return Err(io::Error::other(why));
            }
            _ => return Err(io::Error::other(format!("git says of the blob {id}: {line}"))),
        };
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        self.answers.by_ref().take(size).read_to_end(&mut bytes)?;
        let mut end = [0];
        self.answers.read_exact(&mut end)?;
        if bytes.len() as u64 != size {
            return Err(io::Error::other(format!("the blob {id} is cut short")));
        }
        Ok(bytes)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.asks = None;
        // It has ended, or does so now.
        let _ = self.child.wait();
    }
}
