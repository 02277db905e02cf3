//! Evaluates a script, with a budget of steps, memory, calls and printed bytes.

use std::cell::RefCell;

use starlark::environment::{FrozenModule, Globals, LibraryExtension, Module};
use starlark::eval::{Evaluator, FileLoader};
use starlark::syntax::{AstModule, Dialect};
use starlark::values::structs::AllocStruct;
use starlark::{ErrorKind, PrintHandler};

/// The maximum number of function calls and loop iterations: some seconds of work.
const MAX_STEPS: u64 = 50_000_000;
/// The size limit in bytes of all values.
const MEMORY: usize = 512 << 20;
const MAX_PRINTED_BYTES: usize = 1 << 20;
const MAX_CALL_DEPTH: usize = 200;
/// The only library of kpt's that `load` accepts; its name is also defined without `load`.
const JSON_LIBRARY: &str = "encoding/json.star";

#[derive(Debug)]
pub(crate) struct EvaluatedScript {
    /// The `ResourceList` as JSON.
    pub(crate) json: String,
    pub(crate) printed: String,
}

#[derive(Debug)]
pub(crate) struct ScriptFailure(pub(crate) String);

impl ScriptFailure {
    pub(crate) fn exceeded(limit: &str, text: impl std::fmt::Display) -> Self {
        Self(format!("{limit} limit exceeded: {text}"))
    }
}

impl From<starlark::Error> for ScriptFailure {
    fn from(error: starlark::Error) -> Self {
        match error.kind() {
            ErrorKind::StackOverflow(_) => {
                let text = format!("calls nested more than {MAX_CALL_DEPTH} deep");
                Self::exceeded("call depth", text)
            }
            ErrorKind::Other(source) if source.is::<TooMuchPrinted>() => {
                Self::exceeded("print", TooMuchPrinted)
            }
            _ => Self(error.to_string()),
        }
    }
}

/// Evaluates a script.
///
/// As in kpt, the result is the list that the script was given, with all changes that the script
/// made to it. The script accesses the list as `ctx.resource_list`; assigning another value to
/// `ctx` does not affect the result.
pub(crate) fn evaluate(
    name: &str,
    script: String,
    list: &serde_json::Value,
) -> Result<EvaluatedScript, ScriptFailure> {
    let dialect = Dialect {
        enable_load: true,
        enable_top_level_stmt: true,
        enable_f_strings: true,
        enable_keyword_only_arguments: true,
        ..Dialect::Standard
    };
    let ast = AstModule::parse(name, script, &dialect)?;
    let globals = Globals::extended_by(&[
        LibraryExtension::Json,
        LibraryExtension::Map,
        LibraryExtension::Filter,
        LibraryExtension::Print,
        LibraryExtension::SetType,
        LibraryExtension::StructType,
    ]);
    let printed = PrintCapture::default();
    let json = Module::with_temp_heap(|module| {
        give_input(&module, list);
        let mut evaluator = Evaluator::new(&module);
        evaluator.set_print_handler(&printed);
        evaluator.set_loader(&Libraries);
        evaluator.set_max_tick_count(MAX_STEPS).map_err(starlark::Error::from)?;
        evaluator.set_max_heap_size(MEMORY).map_err(starlark::Error::from)?;
        evaluator.set_max_callstack_size(MAX_CALL_DEPTH).map_err(starlark::Error::from)?;
        let ended = evaluator.eval_module(ast, &globals).map(drop);
        let ticks = evaluator.get_total_tick_count();
        ended.map_err(|error| {
            limit_failure(&module, ticks, &error).unwrap_or_else(|| error.into())
        })?;
        // The garbage collector moves values between statements and only updates references that
        // the module holds: a reference from before the evaluation must not be used here.
        let lost = || ScriptFailure("the interpreter lost the resource list".to_owned());
        let list = module.extra_value().ok_or_else(lost)?;
        Ok::<_, ScriptFailure>(list.to_json().map_err(starlark::Error::from)?)
    })?;
    Ok(EvaluatedScript { json, printed: printed.0.into_inner() })
}

/// Stores the list in the module, where the script cannot replace it, and makes it accessible as a
/// field of `ctx`.
///
/// The environment is empty, so that a script has the same result everywhere (D-B16).
fn give_input(module: &Module<'_>, list: &serde_json::Value) {
    let heap = module.heap();
    let list = heap.alloc(list);
    module.set_extra_value(list);
    let context = AllocStruct([
        ("resource_list", list),
        ("open_api", heap.alloc(AllocStruct::EMPTY)),
        ("environment", heap.alloc(serde_json::Map::new())),
    ]);
    module.set("ctx", heap.alloc(context));
}

/// The failure, if the limit of steps or of memory ended the evaluation.
fn limit_failure(
    module: &Module<'_>,
    steps: u64,
    error: &starlark::Error,
) -> Option<ScriptFailure> {
    // Errors of the script itself have another kind, even if it used up most of a limit.
    if !matches!(error.kind(), ErrorKind::Other(_)) {
        return None;
    }
    if steps > MAX_STEPS {
        let text = format!("more than {MAX_STEPS} calls and loop iterations");
        return Some(ScriptFailure::exceeded("step", text));
    }
    let text = format!("more than {} MiB of values", MEMORY >> 20);
    (module.heap().peak_allocated_bytes() > MEMORY).then(|| ScriptFailure::exceeded("memory", text))
}

#[derive(Debug)]
struct TooMuchPrinted;

impl std::fmt::Display for TooMuchPrinted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "more than {} MiB", MAX_PRINTED_BYTES >> 20)
    }
}

impl std::error::Error for TooMuchPrinted {}

#[derive(Default)]
struct PrintCapture(RefCell<String>);

impl PrintHandler for PrintCapture {
    fn println(&self, text: &str) -> starlark::Result<()> {
        let mut printed = self.0.borrow_mut();
        if printed.len() + text.len() > MAX_PRINTED_BYTES {
            return Err(starlark::Error::new_other(TooMuchPrinted));
        }
        printed.push_str(text);
        printed.push('\n');
        Ok(())
    }
}

/// `load` reads no files (D-B16): it returns built-in values, for scripts written for kpt.
struct Libraries;

impl FileLoader for Libraries {
    fn load(&self, path: &str) -> starlark::Result<FrozenModule> {
        if path != JSON_LIBRARY {
            let text = format!("no library '{path}': '{JSON_LIBRARY}' is the only one here");
            return Err(starlark::Error::new_other(std::io::Error::other(text)));
        }
        let globals = Globals::extended_by(&[LibraryExtension::Json]);
        Ok(FrozenModule::from_globals(&globals)?)
    }
}

#[cfg(test)]
mod tests;
