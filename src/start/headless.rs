//! A headless command with the real outside.

use std::io::{IsTerminal, Write};
use std::sync::Arc;

use kzui::cli::{self, Exit, Outside, Palette, TrustPorts};
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
    let ports = Ports {
        files: Arc::new(host::DiskFiles),
        remote: host::remote(command.is_offline()),
        programs: host::programs(),
        clock: Arc::new(host::SystemClock::default()),
        cancel: Arc::new(Never),
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut err = std::io::stderr();
    let is_coloured = err.is_terminal() && !super::settings::is_set("NO_COLOR");
    let store = host::TrustFile::of_user();
    let (preferences, notes) = host::trusted_by_preference();
    for note in notes {
        writeln!(err, "Warning: {note}")?;
    }
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
            trust: TrustPorts {
                store: &store,
                preferences,
                now: &host::now,
                allows_additions: option_env!("KZUI_ONLY_OFFICIAL_CATALOG").is_none(),
            },
            palette: if is_coloured { Palette::Coloured } else { Palette::Plain },
        },
    )?;
    out.flush()?;
    Ok(exit)
}
