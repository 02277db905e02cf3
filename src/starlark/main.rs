//! The Starlark interpreter of kzui, a separate program: it reads one question on standard input,
//! evaluates the script, writes one answer to standard output, and ends.
//!
//! It opens no file and no connection and starts no process. kzui confines it like a catalog
//! program; the limits below hold without kzui, too.

mod answer;
mod evaluate;

use std::any::Any;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use answer::{ScriptInput, ScriptOutcome};
use evaluate::{Limit, ScriptFailure};

/// Bytes of address space.
#[cfg(unix)]
const ADDRESS_SPACE: u64 = 1536 << 20;
/// Bytes of stack for the parser, the interpreter and the conversion to JSON, which all recurse.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    match answer(&mut io::stdin(), &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where standard error is closed, the exit status is left.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answer(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    #[cfg(unix)]
    limit(&[(Resource::As, ADDRESS_SPACE), (Resource::Core, 0), (Resource::Fsize, 0)])?;
    let mut question = Vec::new();
    input.read_to_end(&mut question)?;
    let thread = std::thread::Builder::new().name("script".to_owned()).stack_size(STACK);
    let running = thread.spawn(move || {
        // The one thread that it needs is there.
        #[cfg(unix)]
        limit(&[(Resource::Nproc, 0)])?;
        let ScriptInput { name, script, resource_list } = ScriptInput::parse(&question)?;
        ScriptOutcome::from(evaluate::evaluate(&name, script, &resource_list)).to_json()
    })?;
    let answer = running.join().unwrap_or_else(|panic| after_panic(panic.as_ref()));
    output.write_all(&answer?)?;
    output.flush()
}

/// The interpreter panics where its memory is at an end; any other panic is a fault.
fn after_panic(panic: &(dyn Any + Send)) -> io::Result<Vec<u8>> {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    match text.unwrap_or("no message") {
        message @ ("out of memory" | "capacity overflow") => {
            let message = message.to_owned();
            ScriptOutcome::from(Err(ScriptFailure { limit: Some(Limit::Memory), message }))
                .to_json()
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
        // kzui may have set a lower one.
        let limit = getrlimit(*resource).maximum.map_or(*limit, |set| set.min(*limit));
        setrlimit(*resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}
