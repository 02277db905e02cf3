//! Errors of programs.

use std::fmt;

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

/// The end of a program without a usable result, in Go's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramEnd {
    /// None if a signal ended the program.
    #[error("{}", .0.map_or_else(|| "signal: killed".to_owned(), |status| format!("exit status {status}")))]
    Status(Option<i32>),
    #[error("exec: {0:?}: executable file not found in $PATH")]
    NotFound(String),
    #[error("{0}")]
    NotRun(ProgramError),
}

/// A call of helm that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelmFault {
    pub stderr: String,
    /// The output, if a stack trace was requested.
    pub printed: Option<String>,
    pub command: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    pub end: ProgramEnd,
}

impl fmt::Display for HelmFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stderr: said, printed, command, arguments, environment, end } = self;
        match printed {
            Some(printed) => {
                write!(f, " Helm stack trace:\n{said}\nHelm template:\n{printed}\n: ")?;
            }
            None if said.is_empty() => {}
            None => write!(f, "{said}: ")?,
        }
        let environment: Vec<String> =
            environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (arguments, environment) = (arguments.join(" "), environment.join(" "));
        write!(f, "unable to run: '{command} {arguments}' with env=[{environment}]")?;
        write!(f, " (is '{command}' installed?): {end}")
    }
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

    #[test]
    fn helm_error_shows_output_and_command() {
        let fault = |said: &str, printed: Option<&str>| HelmFault {
            stderr: said.to_owned(),
            printed: printed.map(str::to_owned),
            command: "helm".to_owned(),
            arguments: vec!["pull".to_owned(), "x".to_owned()],
            environment: vec![("A".to_owned(), "b".to_owned())],
            end: ProgramEnd::Status(Some(1)),
        };
        let call =
            "unable to run: 'helm pull x' with env=[A=b] (is 'helm' installed?): exit status 1";
        assert_eq!(fault("", None).to_string(), call);
        assert_eq!(fault("no", None).to_string(), format!("no: {call}"));
        let traced = format!(" Helm stack trace:\nno\nHelm template:\nout\n: {call}");
        assert_eq!(fault("no", Some("out")).to_string(), traced);
    }
}
