//! Functions in Starlark. The separate program `kzui-starlark` evaluates them; it is confined like
//! a catalog program (ruling 27). `src/starlark/answer.rs` contains the other side of this exchange
//! format.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Confinement, FunctionOptions, Program, ProgramResult};
use crate::diagnostic::signal_name;
use crate::yaml::{from_json, parse_nodes, print_preserving_style, to_json};

pub const STARLARK_PROGRAM: &str = "kzui-starlark";
/// The limit of the program's address space in bytes.
const SCRIPT_MEMORY: u64 = 1536 << 20;
/// The limit of the program's output in bytes.
const ANSWER_LIMIT: usize = 256 << 20;
/// The time limit if the flags set none: no useful script takes longer.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(600);
/// Parts of the messages that a Rust program writes to standard error before it aborts for lack of
/// memory or stack.
const OUT_OF_MEMORY_MESSAGE: &str = "memory allocation of ";
const STACK_OVERFLOW_MESSAGE: &str = " has overflowed its stack";

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
}

pub(super) fn program(
    name: &str,
    script: &str,
    input: &[u8],
    options: &FunctionOptions,
) -> Result<Program, String> {
    let nodes = parse_nodes(input).map_err(|error| error.to_string())?;
    let list = nodes.first().ok_or_else(|| "the input is missing".to_owned())?;
    let list = to_json(list).map_err(|error| error.to_string())?;
    let json = |error: serde_json::Error| error.to_string();
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
            // The interpreter starts no other process, so that limits for the single process are
            // enough.
            limits_required: false,
            ..Confinement::default()
        }),
        ..Program::default()
    })
}

/// The `ResourceList` that a script returned, as text, and the text that it printed.
pub(super) fn read_answer(ended: &ProgramResult) -> Result<(Vec<u8>, String), String> {
    if ended.status != Some(0) {
        return Err(crash_fault(ended));
    }
    let unreadable = |reason: &str| format!("the answer of kzui-starlark cannot be read: {reason}");
    let answer: ScriptReply =
        serde_json::from_slice(&ended.output).map_err(|error| unreadable(&error.to_string()))?;
    match (answer.resource_list, answer.error) {
        (_, Some(error)) => Err(error),
        (None, None) => Err(unreadable("no resource list")),
        (Some(list), None) => {
            let node = from_json(list.get()).map_err(|error| error.to_string())?;
            Ok((print_preserving_style(&node).into_bytes(), answer.printed))
        }
    }
}

/// The reason for a crash. If the limit of memory or stack was the reason, the messages show it.
fn crash_fault(ended: &ProgramResult) -> String {
    let messages = String::from_utf8_lossy(&ended.messages);
    if messages.contains(OUT_OF_MEMORY_MESSAGE) {
        let bound = SCRIPT_MEMORY >> 20;
        return format!("memory limit exceeded: more than {bound} MiB in all");
    }
    if messages.contains(STACK_OVERFLOW_MESSAGE) {
        return "stack limit exceeded: the script, or a value in its output, is nested too deeply"
            .to_owned();
    }
    // The first process of a PID namespace reports a signal as status 128 + signal, as shells do.
    let passed_on = ended.status.and_then(|status| status.checked_sub(128)).filter(|it| *it > 0);
    match (ended.signal.or(passed_on), ended.status) {
        (None, Some(status)) => {
            let message = messages.lines().last().unwrap_or_default();
            format!("kzui-starlark ended with exit status {status}: {message}")
        }
        (signal, _) => {
            let signal = signal.map_or_else(|| "unknown signal".to_owned(), signal_name);
            format!("kzui-starlark crashed ({signal}): report the script and its input")
        }
    }
}
