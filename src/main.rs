//! The composition root: picks the adapters and hands them to `cli` or `tui`.

#[cfg(test)]
#[path = "../tests/document_schema.rs"]
mod document_schema;
mod start;

use std::process::ExitCode;

use kzui::cli::{self, Arguments, CliCommand, Exit};
use kzui::display::sanitize_lines;
use kzui::engine::evaluate::STACK;
use kzui::host;

/// With the allocator of musl, a build takes about half as long again.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == host::CONFINE_WORD) {
        let (code, reason) = host::confine_and_exec(&words.collect::<Vec<_>>());
        if !reason.is_empty() {
            let _ = writeln!(start::standard_error(), "{reason}");
        }
        return ExitCode::from(code);
    }
    explain_panics();
    if let Err(reason) = start::start_log() {
        let _ = writeln!(start::standard_error(), "error: {reason}");
        return ExitCode::from(2);
    }
    match start::complete() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return failed(&error),
    }
    let (words, recording) = match start::open_for_command(std::env::args_os().collect()) {
        Ok(opened) => opened,
        Err(reason) => {
            let _ = writeln!(start::standard_error(), "error: {}", sanitize_lines(&reason));
            return ExitCode::FAILURE;
        }
    };
    let code = match cli::parse_arguments(words) {
        Err(unparsed) if unparsed.is_error() => {
            unparsed.print(&mut start::standard_error(), start::palette(&std::io::stderr()))
        }
        Err(help) => help.print(&mut start::standard_output(), start::palette(&std::io::stdout())),
        Ok(Arguments { command: Some(CliCommand::Diff(diff)), .. }) if diff.screen => {
            start::open_comparison(&diff)
        }
        Ok(Arguments { command: Some(CliCommand::Demo(demo)), .. }) => start::demo(&demo),
        Ok(Arguments { command: Some(CliCommand::Lsp(lsp)), .. }) => start::lsp(&lsp),
        Ok(Arguments { command: Some(CliCommand::Mcp(mcp)), .. }) => start::mcp(&mcp),
        Ok(Arguments { command: Some(command), network, .. }) => {
            run_with_large_stack(|| start::run_headless(&command, network, recording.as_ref()))
        }
        Ok(Arguments { workbench, .. }) => start::open(&workbench, false, None),
    };
    match code {
        Ok(Exit(code)) => ExitCode::from(code),
        // If the reader has closed the pipe, as in `kzui build | head`, that is not a failure.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Prints an error of the operating system.
fn failed(error: &std::io::Error) -> ExitCode {
    // Standard error may be closed as well; the exit status reports the failure.
    let _ = writeln!(start::standard_error(), "error: {error}");
    ExitCode::FAILURE
}

/// Runs a headless command on a stack that is large enough for the deepest tree.
fn run_with_large_stack(
    run: impl FnOnce() -> std::io::Result<Exit> + Send,
) -> std::io::Result<Exit> {
    if host::grow_stack(STACK as u64) {
        return run();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("build".to_owned()).stack_size(STACK);
        let running = thread.spawn_scoped(scope, run)?;
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A panic is a defect of kzui, with exit status 101: the report explains how to send it. It is also written to a file if
/// the user has a home, because a terminal does not keep it.
fn explain_panics() {
    let (hook, _) = color_eyre::config::HookBuilder::default()
        .display_env_section(false)
        .theme(color_eyre::config::Theme::new())
        .panic_section(
            "This is a fault in kzui. It changed only files whose diff you agreed to write; a draft that \
             was not written is offered when its tree is opened again. Please report this with the lines above.",
        )
        .into_hooks();
    std::panic::set_hook(Box::new(move |panic| {
        let report = hook.panic_report(panic).to_string();
        // The report may contain input of the program, and so escape sequences.
        let report = sanitize_lines(&report);
        let mut err = start::standard_error();
        // If standard error is closed, the file contains the report.
        let _ = err.text(&format!("{report}\n"));
        if let Ok(path) = host::keep_report(&report) {
            let _ = writeln!(err, "These lines are kept in {}", path.display());
        }
        // Without unwinding the program would end with a signal, and a file of its memory.
        #[cfg(all(unix, panic = "abort"))]
        signal_hook::low_level::exit(101);
    }));
}
