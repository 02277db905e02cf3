//! The process of one script: this program, started with a hidden word.

use std::io::{self, Read, Write};

use crate::engine::plugin::{SCRIPT_MEMORY, evaluate_script};

/// Room for deep nesting; what needs more ends this process, and nothing else.
const STACK: usize = 256 << 20;

/// Reads a question, answers it, and takes no more of the machine than a script may have.
///
/// # Errors
/// The question is none, or a limit cannot be set.
pub fn answer_script(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    #[cfg(unix)]
    limit()?;
    let mut question = Vec::new();
    input.read_to_end(&mut question)?;
    let thread = std::thread::Builder::new().stack_size(STACK);
    let running = thread.spawn(move || evaluate_script(&question))?;
    let answer = running.join().map_err(|_| io::Error::other("the script broke its evaluator"))?;
    output.write_all(&answer.map_err(io::Error::other)?)?;
    output.flush()
}

/// It needs no file, no process and no core.
#[cfg(unix)]
fn limit() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limits = [(Resource::As, SCRIPT_MEMORY), (Resource::Core, 0), (Resource::Fsize, 0)];
    for (resource, limit) in limits {
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}
