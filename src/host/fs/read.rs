//! The only module that reads bytes from outside: files, standard input, answers of servers, output
//! of programs.
//!
//! A file is opened without blocking and checked through its handle, so that no other file can
//! replace it in between. The bytes that arrive are counted, whatever the announced size: a file
//! can grow, and kernel files have no size.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use crate::host::bounds::MAX_FILE_BYTES;

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A pipe, a device or a socket: a read may block forever, or never reach an end.
    #[error("not a regular file")]
    NotRegular,
    /// A file that appears to be regular, but whose read blocks, such as a kernel log.
    #[error("a read would block")]
    WouldWait,
    /// More bytes than the limit, in MiB.
    #[error("larger than {} MiB", .0 >> 20)]
    TooLarge(u64),
    #[error("{0}")]
    System(#[from] io::Error),
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::System(error) => error,
            other => Self::other(other),
        }
    }
}

pub fn read_standard_input() -> io::Result<Vec<u8>> {
    read_stream(io::stdin().lock(), MAX_FILE_BYTES)
        .map_err(|error| io::Error::other(format!("standard input: {error}")))
}

/// Opens a regular file. Links are followed.
pub(in crate::host) fn open_regular(path: &Path) -> Result<File, ReadError> {
    // Opening a device can already affect it, so that the type is checked by name first. The check
    // through the handle decides.
    require_regular(&std::fs::metadata(path)?)?;
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nonblocking_flags());
    let file = options.open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

fn require_regular(found: &std::fs::Metadata) -> Result<(), ReadError> {
    match found {
        found if found.is_file() => Ok(()),
        found if found.is_dir() => Err(ReadError::System(io::ErrorKind::IsADirectory.into())),
        _ => Err(ReadError::NotRegular),
    }
}

/// Open flags that neither block nor acquire a terminal.
#[cfg(unix)]
pub(in crate::host) fn nonblocking_flags() -> i32 {
    use rustix::fs::OFlags;
    (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed()
}

/// All bytes of a regular file that has no more than `limit`.
pub(in crate::host) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_opened(&mut open_regular(path)?, limit)
}

/// The text of a regular file; a byte that is not UTF-8 becomes U+FFFD.
pub(in crate::host) fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    let bytes = read_file(path, limit)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// As [`read_file`], with an error message that contains the path.
pub(in crate::host) fn read_named(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    read_file(path, limit).map_err(|error| format!("{}: {error}", path.display()))
}

/// All bytes from the start of an opened file. A regular file with exactly as many bytes as its
/// size is at its end and is not read again.
pub(in crate::host) fn read_opened(file: &mut File, limit: u64) -> Result<Vec<u8>, ReadError> {
    let size = file.metadata()?.len();
    if size > limit {
        return Err(ReadError::TooLarge(limit));
    }
    let size = usize::try_from(size).unwrap_or(0);
    let mut bytes = vec![0; size + 1];
    let read = loop {
        match file.read(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read.map_err(read_error)?,
        }
    };
    bytes.truncate(read);
    if read != size {
        read_rest(file, &mut bytes, limit)?;
    }
    Ok(bytes)
}

/// All bytes of a stream that ends within `limit`.
pub(in crate::host) fn read_stream(from: impl Read, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    read_rest(from, &mut bytes, limit)?;
    Ok(bytes)
}

pub(in crate::host) fn read_answer(from: impl Read, limit: u64) -> Result<Vec<u8>, String> {
    read_stream(from, limit).map_err(|error| match error {
        ReadError::TooLarge(limit) => format!("the response is larger than {} MiB", limit >> 20),
        other => other.to_string(),
    })
}

/// Appends the remaining bytes of a stream; returns an error if `bytes` would then hold more than
/// `limit`.
fn read_rest(from: impl Read, bytes: &mut Vec<u8>, limit: u64) -> Result<(), ReadError> {
    let rest = (limit + 1).saturating_sub(bytes.len() as u64);
    from.take(rest).read_to_end(bytes).map_err(read_error)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge(limit)) } else { Ok(()) }
}

/// One line of a stream with its end; empty at the end of the stream.
///
/// # Errors
/// The line is longer than the limit, or the system refuses.
pub fn read_line(from: &mut impl BufRead, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut line = Vec::new();
    from.take(limit + 1).read_until(b'\n', &mut line).map_err(read_error)?;
    if line.len() as u64 > limit { Err(ReadError::TooLarge(limit)) } else { Ok(line) }
}

fn read_error(error: io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::WouldBlock => ReadError::WouldWait,
        _ => ReadError::System(error),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use crate::host::fs::read::*;

    fn refusal(path: &Path, limit: u64) -> String {
        read_file(path, limit).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn only_regular_files_are_opened() {
        let scratch = tempfile::tempdir().unwrap();
        let pipe = scratch.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let socket = scratch.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let link = |name: &str, to: &Path| {
            let path = scratch.path().join(name);
            std::os::unix::fs::symlink(to, &path).unwrap();
            path
        };
        let zeros = link("zeros", Path::new("/dev/zero"));
        let linked_pipe = link("linked-pipe", &pipe);
        for path in [&pipe, &socket, &zeros, &linked_pipe] {
            assert_eq!(refusal(path, 100), "not a regular file", "{}", path.display());
        }
        assert_eq!(refusal(scratch.path(), 100), "is a directory");
        let missing = read_file(&scratch.path().join("none"), 100).unwrap_err();
        let kind = |error: ReadError| io::Error::from(error).kind();
        assert_eq!(kind(missing), io::ErrorKind::NotFound);
    }

    #[test]
    fn limit_counts_the_bytes_that_arrive() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("file");
        for text in ["", "a", "some words"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(read_file(&path, 10).unwrap(), text.as_bytes());
        }
        assert_eq!(refusal(&path, 9), "larger than 0 MiB");
        assert_eq!(read_stream(&b"some words"[..], 10).unwrap(), b"some words");
        assert!(matches!(read_stream(io::repeat(0), 1 << 20), Err(ReadError::TooLarge(_))));
        let mut lines = &b"one\ntwo"[..];
        assert_eq!(read_line(&mut lines, 4).unwrap(), b"one\n");
        assert_eq!(read_line(&mut lines, 4).unwrap(), b"two");
        assert_eq!(read_line(&mut lines, 4).unwrap(), b"");
        assert!(read_line(&mut &b"12345\n"[..], 4).is_err());
    }

    /// Kernel files report a size of zero, or a wrong one.
    #[cfg(target_os = "linux")]
    #[test]
    fn reported_file_size_is_ignored() {
        let status = read_text(Path::new("/proc/self/status"), 1 << 20).unwrap();
        assert!(status.starts_with("Name:"), "{status}");
        assert_eq!(refusal(Path::new("/proc/self/status"), 9), "larger than 0 MiB");
        // A read of this file blocks until the kernel logs a message; only root may open the file.
        let log = Path::new("/proc/kmsg");
        let words = ["a read would block", "permitted", "permission", "no such"];
        if let Err(error) = read_file(log, 1) {
            let error = error.to_string().to_lowercase();
            let is_known = words.iter().any(|words| error.contains(words));
            assert!(is_known || error.contains("larger than"), "{error}");
        }
    }
}
