//! Functions in Starlark: `kzui-starlark` evaluates them, a separate program that is confined like
//! a catalog program (ruling 27). The other side of this format is `src/starlark/answer.rs`.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Confinement, FunctionOptions, Program, ProgramResult};
use crate::diagnostic::{ScriptFault, ScriptLimit};
use crate::yaml::{Limits, SourceId, from_json, parse_documents, print_preserving_style, to_json};

/// The program that evaluates scripts.
pub const STARLARK_PROGRAM: &str = "kzui-starlark";
/// Bytes of address space that it may use.
const SCRIPT_MEMORY: u64 = 1536 << 20;
/// Bytes that it may answer.
const ANSWER_LIMIT: usize = 256 << 20;
/// The time limit if the flags set none: no useful script takes longer.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(600);
/// Prefixes of the messages that a Rust program writes to standard error before it aborts for lack
/// of memory or stack.
const NO_MEMORY: &str = "memory allocation of ";
const NO_STACK: &str = " has overflowed its stack";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ScriptRequest<'a> {
    name: &'a str,
    script: &'a str,
    resource_list: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScriptReply<'a> {
    #[serde(borrow)]
    resource_list: Option<&'a RawValue>,
    printed: String,
    error: Option<String>,
    limit: Option<ScriptLimit>,
}

/// The outcome of a script.
#[derive(Debug)]
pub(super) struct ScriptOutput {
    /// The `ResourceList`.
    pub(super) output: Vec<u8>,
    pub(super) printed: String,
}

/// The program for a script and its input, a `ResourceList`.
///
/// # Errors
/// The input cannot be written as JSON.
pub(super) fn program(
    name: &str,
    script: &str,
    input: &[u8],
    options: &FunctionOptions,
) -> Result<Program, ScriptFault> {
    let list =
        parse_documents(input, SourceId::NONE, Limits::default()).map_err(ScriptFault::Input)?;
    let list = list.documents.first().ok_or(ScriptFault::NoInput)?;
    let list = to_json(&list.node).map_err(ScriptFault::Input)?;
    let json = |error: serde_json::Error| ScriptFault::InputJson(error.to_string());
    let resource_list = RawValue::from_string(list).map_err(json)?;
    let question = ScriptRequest { name, script, resource_list: &resource_list };
    Ok(Program {
        command: STARLARK_PROGRAM.to_owned(),
        input: Arc::from(serde_json::to_vec(&question).map_err(json)?),
        timeout: options.timeout.or(Some(DEFAULT_TIME_LIMIT)),
        output_limit: Some(ANSWER_LIMIT),
        confinement: Some(Confinement {
            memory_bytes: Some(SCRIPT_MEMORY),
            required: options.require_confinement,
            // It starts no process, so that process limits are enough.
            limits_required: false,
            ..Confinement::default()
        }),
        ..Program::default()
    })
}

/// The outcome of a script, from how its program ended.
///
/// # Errors
/// The script failed or exceeded a limit, or the program crashed.
pub(super) fn read_answer(ended: &ProgramResult) -> Result<ScriptOutput, ScriptFault> {
    if ended.status != Some(0) {
        return Err(crash(ended));
    }
    let answer: ScriptReply = serde_json::from_slice(&ended.output)
        .map_err(|error| ScriptFault::Answer(error.to_string()))?;
    match (answer.resource_list, answer.error, answer.limit) {
        (_, Some(error), Some(limit)) => Err(ScriptFault::Limit(limit, error)),
        (_, Some(error), None) => Err(ScriptFault::Interpreter(error)),
        (None, None, _) => Err(ScriptFault::Answer("no resource list".to_owned())),
        (Some(list), None, _) => {
            let node = from_json(list.get()).map_err(ScriptFault::Output)?;
            Ok(ScriptOutput {
                output: print_preserving_style(&node).into_bytes(),
                printed: answer.printed,
            })
        }
    }
}

/// Two limits end the program by a signal; its last words name them.
fn crash(ended: &ProgramResult) -> ScriptFault {
    let messages = String::from_utf8_lossy(&ended.messages);
    if messages.contains(NO_MEMORY) {
        let bound = format!("more than {} MiB in all", SCRIPT_MEMORY >> 20);
        return ScriptFault::Limit(ScriptLimit::Memory, bound);
    }
    if messages.contains(NO_STACK) {
        let what = "the script, or a value in its output, is nested too deeply".to_owned();
        return ScriptFault::Limit(ScriptLimit::Stack, what);
    }
    // In a PID namespace, the first process passes a signal on as a status, as shells do.
    let passed_on = ended.status.and_then(|status| status.checked_sub(128)).filter(|it| *it > 0);
    match (ended.signal.or(passed_on), ended.status) {
        (None, Some(status)) => {
            let message = messages.lines().last().unwrap_or_default().to_owned();
            ScriptFault::Ended { status, message }
        }
        (signal, _) => ScriptFault::Crashed(signal),
    }
}
