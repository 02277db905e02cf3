//! The composition root: picks the adapters and hands them to `cli` or `tui`.

mod start;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use kzui::cli::{Arguments, Exit};

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == host::CONFINE_WORD) {
        let (code, reason) = host::confine_and_exec(&words.collect::<Vec<_>>());
        let _ = writeln!(std::io::stderr(), "{reason}");
        return ExitCode::from(code);
    }
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
<<<<<<< HEAD

/// A build that nobody can cancel but by ending the process.
struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }
}

fn headless(command: &cli::Command) -> std::io::Result<Exit> {
    let flags = match command {
        cli::Command::Build(build) => build.build.clone(),
        cli::Command::Trace(trace) => trace.build.clone(),
        cli::Command::Completions { .. } => BuildFlags::default(),
    };
    let network = if flags.offline { host::Network::Offline } else { host::Network::Online };
    let ports = Ports {
        files: Arc::new(host::DiskFiles),
        remote: Arc::new(host::GitHttp::new(network, Arc::new(host::NoObserver))),
        programs: Arc::new(host::Processes::default()),
        clock: Arc::new(host::SystemClock::default()),
        cancel: Arc::new(Never),
    };
    let coloured = std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut err = std::io::stderr();
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
            palette: if coloured { Palette::Coloured } else { Palette::Plain },
        },
    )?;
    out.flush()?;
    Ok(exit)
}

fn workbench(_arguments: &cli::Workbench) -> std::io::Result<Exit> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        writeln!(
            std::io::stderr(),
            "kzui opens a workbench, which needs a terminal; standard output or input is none.\n\
             To build without one: kzui build DIR. To print the recording: kzui trace DIR [--json]."
        )?;
        return Ok(Exit::USAGE);
    }
    Ok(Exit::OK)
}
=======
>>>>>>> main
