//! Runs a headless command with the adapters of this machine.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kzui::cli::{self, CliPorts, Exit, TrustPorts};
use kzui::display::sanitize;
use kzui::draft::FileChange;
use kzui::engine::evaluate::{Cancel, DeploymentCache, Ports};
use kzui::engine::plugin::Programs;
use kzui::host::{self, Network};

use super::printers::{palette, standard_error, standard_output, warn};
use super::recording::OpenedRecording;
use super::requested_programs::ReportedPrograms;

pub(crate) fn run_headless(
    command: &cli::CliCommand,
    network: Network,
    recording: Option<&OpenedRecording>,
) -> std::io::Result<Exit> {
    // Set by the first termination signal, which also ends this process, with the programs and
    // containers that it started; running work checks the flag.
    let interrupted = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    host::end_on_signals(interrupted.clone())?;
    let ended = run(command, network, interrupted.clone(), recording);
    #[cfg(unix)]
    if interrupted.is_cancelled() {
        host::wait_for_the_end();
    }
    ended
}

pub(super) fn run(
    command: &cli::CliCommand,
    network: Network,
    cancel: Arc<dyn Cancel>,
    recording: Option<&OpenedRecording>,
) -> std::io::Result<Exit> {
    // Kustomize prints messages of functions as they come. Other commands mask values of Secrets,
    // which are known only after the build.
    let prints_messages = matches!(command, cli::CliCommand::Build(_));
    let ports = Ports {
        files: Arc::new(host::NotingFiles::new(warn)),
        remote: host::remote(network, warn),
        programs: if prints_messages { programs_with_messages() } else { host::programs(|_| {}) },
        clock: Arc::new(host::SystemClock::default()),
        cancel,
        deployments: DeploymentCache::default(),
    };
    let ports = match recording {
        Some(recording) => recording.ports(ports),
        None => ports,
    };
    let mut err = standard_error();
    let store = host::TrustFile::of_user();
    let (preferences, notes) = host::trusted_by_preference();
    let (like, note) = super::settings::like();
    for note in notes.into_iter().chain(note) {
        writeln!(err, "Warning: {note}")?;
    }
    let mut outside = CliPorts {
        ports,
        network,
        current: host::current_directory()?,
        out: standard_output(),
        err,
        write: &write_with_kustomize_errors,
        replace: &replace,
        write_together: &write_together,
        changed_since: &host::changed_since,
        is_directory: &Path::is_dir,
        create_directory: &|path| std::fs::create_dir_all(path),
        like,
        managed_by_label: std::env::var("KUSTOMIZE_ENABLE_MANAGEDBY_LABEL")
            .is_ok_and(|value| value == "on"),
        trust: TrustPorts {
            store: &store,
            preferences,
            now: &host::now,
            sandbox: &host::sandbox,
            allows_additions: option_env!("KZUI_ONLY_OFFICIAL_CATALOG").is_none(),
            user: user_name(),
            ask: &super::printers::ask,
        },
        publisher: &host::ArtifactPublisher::default(),
        palette: palette(&std::io::stderr()),
        repository: super::repository::ports(),
    };
    let exit = cli::run(command, &mut outside)?;
    outside.out.flush()?;
    Ok(exit)
}

/// The program port of a command that prints the standard error of functions. On a terminal, it also
/// prints which function runs, and the time of each.
fn programs_with_messages() -> Arc<dyn Programs> {
    let tell = |line: &str| {
        // A closed standard error is no reason to stop.
        let _ = writeln!(standard_error(), "{}", sanitize(line));
    };
    let programs = host::programs(tell);
    if !std::io::stderr().is_terminal() {
        return programs;
    }
    Arc::new(ReportedPrograms::new(programs, tell))
}

/// Writes files together, and keeps the write in the log of the repository.
fn write_together(
    root: &Path,
    words: &[String],
    changes: &[FileChange],
) -> std::io::Result<Option<String>> {
    host::write_files(changes).map_err(|(_, error)| std::io::Error::other(error))?;
    let kept = host::OperationLog::of_user(root).append(words, changes);
    Ok(kept.err().map(|error| format!("this write cannot be reverted later: {error}")))
}

/// The name of the user, from the first of these environment variables that is set.
fn user_name() -> String {
    let name = |variable| std::env::var(variable).ok().filter(|name| !name.is_empty());
    ["GIT_AUTHOR_NAME", "USER", "LOGNAME", "USERNAME"]
        .into_iter()
        .find_map(name)
        .unwrap_or_default()
}

/// Replaces or deletes a file atomically. Other kinds of files, such as pipes, are written in
/// place.
fn replace(path: &Path, bytes: Option<&[u8]>) -> std::io::Result<()> {
    let Some(bytes) = bytes else { return std::fs::remove_file(path) };
    let is_plain = host::is_plain_file_or_none(path);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let (true, Some(name)) = (is_plain, name) else {
        return write_with_kustomize_errors(path, bytes);
    };
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written =
        write_with_kustomize_errors(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // Do not leave an incomplete file.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Writes a file of `-o`; errors are worded as in Kustomize.
fn write_with_kustomize_errors(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::write(path, bytes).map_err(|error| {
        let text = error.to_string();
        // Go's message has no error number, and begins with a small letter.
        let reason = text.split(" (os error").next().unwrap_or_default().to_lowercase();
        std::io::Error::new(error.kind(), format!("open {}: {reason}", path.display()))
    })
}
