//! A script in a process of its own: what it uses up, or breaks, is not this process's.
//!
//! The limits of the interpreter are looked at between its steps: one step can take all memory, or all time, and deep nesting
//! ends it. So the program starts itself with a hidden word, and that process evaluates one script and ends.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Program;
use super::starlark::{self, Budget};
use crate::diagnostic::ScriptFault;

/// The first argument with which this program evaluates one script: [`evaluate_script`].
pub const SCRIPT_WORD: &str = "__script";
/// A [`Program`]'s command that stands for this very program.
pub const THIS_PROGRAM: &str = "{kzui}";
/// Bytes of address space that the process of a script may use.
pub const SCRIPT_MEMORY: u64 = 1536 << 20;
/// Bytes that it may answer.
const ANSWER_LIMIT: usize = 256 << 20;
/// Time, where the flags give none: no script that is of use takes longer.
const LONGEST: Duration = Duration::from_secs(600);

#[derive(Serialize, Deserialize)]
struct Question {
    name: String,
    script: String,
    input: String,
}

#[derive(Default, Serialize, Deserialize)]
struct Answer {
    output: String,
    messages: String,
    error: Option<String>,
}

/// What is run for a script.
pub(super) fn program_of(
    name: &str,
    script: &str,
    input: &[u8],
    timeout: Option<Duration>,
) -> Program {
    let question = Question {
        name: name.to_owned(),
        script: script.to_owned(),
        input: String::from_utf8_lossy(input).into_owned(),
    };
    Program {
        command: THIS_PROGRAM.to_owned(),
        arguments: vec![SCRIPT_WORD.to_owned()],
        // Texts and nothing else: to write them cannot fail.
        input: Arc::from(serde_json::to_vec(&question).unwrap_or_default()),
        timeout: timeout.or(Some(LONGEST)),
        output_limit: Some(ANSWER_LIMIT),
        ..Program::default()
    }
}

/// What became of a script, from how its process ended.
pub(super) fn ran(ended: &super::Ended) -> Result<starlark::Ran, ScriptFault> {
    if ended.status != Some(0) {
        return Err(ScriptFault::Stopped(usize::try_from(SCRIPT_MEMORY).unwrap_or(usize::MAX)));
    }
    let answer: Answer = serde_json::from_slice(&ended.output)
        .map_err(|error| ScriptFault::Answer(error.to_string()))?;
    match answer.error {
        Some(error) => Err(ScriptFault::Interpreter(error)),
        None => Ok(starlark::Ran { output: answer.output.into_bytes(), messages: answer.messages }),
    }
}

/// Evaluates the script of a question, in a process that was started for it: what to write to standard output.
///
/// # Errors
/// The question is none.
pub fn evaluate_script(question: &[u8]) -> Result<Vec<u8>, String> {
    let question: Question = serde_json::from_slice(question).map_err(|error| error.to_string())?;
    // Who asked looks at the time.
    let budget = Budget { timeout: None, now: &|| Duration::ZERO, is_cancelled: &|| false };
    let ran = starlark::run(&question.name, &question.script, question.input.as_bytes(), budget);
    let answer = match ran {
        Ok(ran) => Answer {
            output: String::from_utf8_lossy(&ran.output).into_owned(),
            messages: ran.messages,
            error: None,
        },
        Err(error) => Answer { error: Some(error.to_string()), ..Answer::default() },
    };
    serde_json::to_vec(&answer).map_err(|error| error.to_string())
}
