//! The composition root: picks the adapters and hands them to `cli` or `tui`.

mod start;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use kzui::cli::{Arguments, Exit};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let code = match &arguments.command {
        Some(command) => start::headless(command),
        None => start::workbench(&arguments.workbench),
    };
    match code {
        Ok(Exit(code)) => ExitCode::from(code),
        // A reader that went away, as in `kzui build | head`, is no failure of ours.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be gone as well; the exit code says it all the same.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
