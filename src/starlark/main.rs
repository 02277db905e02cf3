//! The Starlark interpreter of kzui, a separate program: it reads one input from standard input,
//! evaluates the script, writes one result to standard output, and ends.
//!
//! It opens no file and no connection and starts no process. kzui confines it like a catalog
//! program; the limits below apply without kzui too.

mod answer;
mod evaluate;

use std::any::Any;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use answer::{ScriptInput, ScriptOutcome};
use evaluate::ScriptFailure;

#[cfg(unix)]
const MAX_ADDRESS_SPACE_BYTES: u64 = 1536 << 20;
/// The stack size in bytes for the parser, the interpreter and the conversion to JSON, which all
/// recurse.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    match answer(&mut io::stdin(), &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed, the exit status still reports the failure.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answer(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    #[cfg(unix)]
    limit(&[(Resource::As, MAX_ADDRESS_SPACE_BYTES), (Resource::Core, 0), (Resource::Fsize, 0)])?;
    let mut question = Vec::new();
    input.read_to_end(&mut question)?;
    let thread = std::thread::Builder::new().name("script".to_owned()).stack_size(STACK);
    let running = thread.spawn(move || {
        // From now on no thread can be started; the only one that is needed is this one.
        #[cfg(unix)]
        limit(&[(Resource::Nproc, 0)])?;
        let ScriptInput { name, script, resource_list } = ScriptInput::parse(&question)?;
        ScriptOutcome::from(evaluate::evaluate(&name, script, &resource_list)).to_json()
    })?;
    let answer = running.join().unwrap_or_else(|panic| result_from_panic(panic.as_ref()));
    output.write_all(&answer?)?;
    output.flush()
}

/// Converts a panic to a result: the interpreter panics when it is out of memory; any other panic
/// is a defect.
fn result_from_panic(panic: &(dyn Any + Send)) -> io::Result<Vec<u8>> {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    match text.unwrap_or("no message") {
        message @ ("out of memory" | "capacity overflow") => {
            ScriptOutcome::from(Err(ScriptFailure::exceeded("memory", message))).to_json()
        }
        message => Err(io::Error::other(format!("the interpreter panicked: {message}"))),
    }
}

#[cfg(unix)]
use rustix::process::Resource;

#[cfg(unix)]
fn limit(limits: &[(Resource, u64)]) -> io::Result<()> {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    for (resource, limit) in limits {
        // kzui may have set a lower limit.
        let limit = getrlimit(*resource).maximum.map_or(*limit, |set| set.min(*limit));
        setrlimit(*resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}
