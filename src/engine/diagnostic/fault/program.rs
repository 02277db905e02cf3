//! Errors of programs; programs, downloads and sources that a pending step needs.

use std::path::PathBuf;

/// The error of a program that did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    #[error("{command} is not run: kzui runs programs only on request")]
    NotAsked { command: String },
    #[error("{command} is not run: {why}")]
    NotAllowed { command: String, why: String },
    #[error("{command}: not found")]
    NotFound { command: String },
    #[error("{command}: {reason}")]
    NotExecutable { command: String, reason: String },
    #[error("{command}: {reason}")]
    NotStarted { command: String, reason: String },
    #[error("{command} timed out after {seconds} s")]
    TimedOut { command: String, seconds: u64 },
    #[error("{command} wrote more than {limit} bytes")]
    TooMuchOutput { command: String, limit: usize },
    #[error("{command} was cancelled")]
    Cancelled { command: String },
}

/// A program that is not run, or a chart or source that is not fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WithheldStep {
    #[error(transparent)]
    Program(ProgramError),
    #[error(
        "the chart {name} of {repo} is not in {}: kzui fetches only on request: use `kzui build` or --fetch",
        directory.display()
    )]
    Chart { name: String, repo: String, directory: PathBuf },
    /// A deployment object of another source, with the name of the source.
    #[error("{0}")]
    Source(String),
    /// A deployment object whose source another tool builds.
    #[error("{0}")]
    OtherTool(String),
    /// A deployment object with parameters that are known only in the cluster.
    #[error("{0}")]
    InCluster(String),
    /// An element for a cluster that is assumed to exist; its directory is not in the repository.
    #[error("{0}")]
    NoDirectory(String),
    #[error("{0} is Jsonnet, which kzui does not evaluate")]
    Jsonnet(String),
}

impl WithheldStep {
    /// True if the user requested the step, but it is not allowed.
    pub fn is_asked(&self) -> bool {
        !matches!(self, Self::Program(ProgramError::NotAsked { .. }))
    }
}

/// Seconds as Go prints a duration: `27s`, `5m0s`, `1h0m0s`.
pub fn go_duration(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, _) => format!("{minutes}m{rest}s"),
        _ => format!("{hours}h{minutes}m{rest}s"),
    }
}

/// Bytes in words: `256 MiB`.
pub fn byte_size(bytes: usize) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

/// The name of a signal that has the same number on every system, else its number: `SIGSEGV`,
/// `signal 40`.
pub fn signal_name(number: i32) -> String {
    let name = match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        _ => return format!("signal {number}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_equal_upstream_text() {
        assert_eq!(go_duration(300), "5m0s");
        assert_eq!(go_duration(3661), "1h1m1s");
        assert_eq!(go_duration(7), "7s");
        assert_eq!(go_duration(3661), "1h1m1s");
        assert_eq!(byte_size(256 << 20), "256 MiB");
    }
}
