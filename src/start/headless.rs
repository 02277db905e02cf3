//! A headless command with the real outside.

use std::io::{IsTerminal, Write};
use std::sync::Arc;

use kzui::cli::{self, BuildFlags, Exit, Outside, Palette};
use kzui::engine::evaluate::{Cancel, Ports};
use kzui::host;

/// A build that nobody can cancel but by ending the process.
struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Runs a headless command.
pub(crate) fn headless(command: &cli::Command) -> std::io::Result<Exit> {
    let flags = match command {
        cli::Command::Build(build) => build.build.clone(),
        cli::Command::Trace(trace) => trace.build.clone(),
        cli::Command::Consolidate(consolidate) => consolidate.build.clone(),
        cli::Command::Completions { .. } => BuildFlags::default(),
    };
    let ports = Ports {
        files: Arc::new(host::DiskFiles),
        remote: host::remote(flags.offline),
        programs: host::programs(),
        clock: Arc::new(host::SystemClock::default()),
        cancel: Arc::new(Never),
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut err = std::io::stderr();
    let is_coloured = err.is_terminal() && !super::settings::is_set("NO_COLOR");
    let exit = cli::run(
        command,
        &mut Outside {
            ports,
            current: std::env::current_dir()?,
            out: &mut out,
            err: &mut err,
            write: &|path, bytes| std::fs::write(path, bytes),
            is_directory: &|path| path.is_dir(),
            managed_by_label: std::env::var("KUSTOMIZE_ENABLE_MANAGEDBY_LABEL")
                .is_ok_and(|value| value == "on"),
            palette: if is_coloured { Palette::Coloured } else { Palette::Plain },
        },
    )?;
    out.flush()?;
    Ok(exit)
}
