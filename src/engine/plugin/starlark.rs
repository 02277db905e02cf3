//! Functions in Starlark: evaluated here, with no files, no network, no `load()`, a budget of steps, memory and time
//! (ruling 12, B.8).

use std::time::Duration;

use crate::diagnostic::ScriptFault;

/// What a script may use up.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(feature = "starlark"),
    expect(dead_code, reason = "who runs no script asks for no budget")
)]
pub(super) struct Budget<'a> {
    /// Time; nothing for no limit.
    pub(super) timeout: Option<Duration>,
    /// The time.
    pub(super) now: &'a dyn Fn() -> Duration,
    /// Whether anybody still wants the result.
    pub(super) is_cancelled: &'a dyn Fn() -> bool,
}

/// What a script left.
#[derive(Debug)]
pub(super) struct Ran {
    /// The `ResourceList`.
    pub(super) output: Vec<u8>,
    /// What it printed.
    pub(super) messages: String,
}

#[cfg(not(feature = "starlark"))]
pub(super) fn run(_: &str, _: &str, _: &[u8], _: Budget<'_>) -> Result<Ran, ScriptFault> {
    Err(ScriptFault::NoInterpreter)
}

#[cfg(feature = "starlark")]
pub(super) use with_crate::run;

#[cfg(feature = "starlark")]
mod with_crate {
    #[expect(
        clippy::disallowed_types,
        reason = "the crate hands out what is printed behind `&self`"
    )]
    use std::cell::RefCell;

    use starlark::PrintHandler;
    use starlark::environment::{Globals, LibraryExtension, Module};
    use starlark::eval::Evaluator;
    use starlark::syntax::{AstModule, Dialect};
    use starlark::values::structs::AllocStruct;

    use super::{Budget, Ran, ScriptFault};
    use crate::yaml::{Limits, SourceId, from_json, parse_documents, print_v3, to_json};

    /// Steps of the interpreter: some seconds of work.
    const STEPS: u64 = 50_000_000;
    /// Bytes of values.
    const MEMORY: usize = 512 << 20;
    /// Bytes that it may print.
    const PRINTED: usize = 1 << 20;
    /// Calls inside calls.
    const DEPTH: usize = 200;

    /// Evaluates a script; its output is `ctx.resource_list` as it left it.
    pub(in super::super) fn run(
        name: &str,
        script: &str,
        input: &[u8],
        budget: Budget<'_>,
    ) -> Result<Ran, ScriptFault> {
        let list = parse_documents(input, SourceId::NONE, Limits::default())
            .map_err(ScriptFault::Input)?;
        let list = list.documents.first().ok_or(ScriptFault::NoInput)?;
        let list = to_json(&list.node).map_err(ScriptFault::Input)?;
        let list: serde_json::Value = serde_json::from_str(&list)
            .map_err(|error| ScriptFault::InputJson(error.to_string()))?;
        let dialect = Dialect {
            // D-B16: a script has nothing but its input.
            enable_load: false,
            enable_top_level_stmt: true,
            enable_f_strings: true,
            enable_keyword_only_arguments: true,
            ..Dialect::Standard
        };
        let failed = |error: starlark::Error| ScriptFault::Interpreter(error.to_string());
        let ast = AstModule::parse(name, script.to_owned(), &dialect).map_err(failed)?;
        let printed = Printed::default();
        let json = evaluate(ast, &list, budget, &printed).map_err(failed)?;
        let node = from_json(&json).map_err(ScriptFault::Output)?;
        Ok(Ran { output: print_v3(&node).into_bytes(), messages: printed.0.into_inner() })
    }

    fn evaluate(
        ast: AstModule,
        list: &serde_json::Value,
        budget: Budget<'_>,
        printed: &Printed,
    ) -> starlark::Result<String> {
        let globals = Globals::extended_by(&[
            LibraryExtension::Json,
            LibraryExtension::Map,
            LibraryExtension::Filter,
            LibraryExtension::Print,
            LibraryExtension::StructType,
        ]);
        let end = budget.timeout.map(|timeout| (budget.now)() + timeout);
        Module::with_temp_heap(|module| {
            let heap = module.heap();
            let list = heap.alloc(list);
            let empty = heap.alloc(AllocStruct::EMPTY);
            // D-B16: the environment is empty, so that a script gives the same everywhere.
            let context = AllocStruct([
                ("resource_list", list),
                ("open_api", empty),
                ("environment", heap.alloc(serde_json::Map::new())),
            ]);
            module.set("ctx", heap.alloc(context));
            let mut evaluator = Evaluator::new(&module);
            evaluator.set_print_handler(printed);
            evaluator.set_max_tick_count(STEPS)?;
            evaluator.set_max_heap_size(MEMORY)?;
            evaluator.set_max_callstack_size(DEPTH)?;
            evaluator.set_check_cancelled(Box::new(move || {
                (budget.is_cancelled)() || end.is_some_and(|end| (budget.now)() > end)
            }));
            evaluator.eval_module(ast, &globals)?;
            Ok(list.to_json()?)
        })
    }

    #[derive(Debug, thiserror::Error)]
    #[error("it prints more than {} MiB", PRINTED >> 20)]
    struct TooMuch;

    #[derive(Default)]
    #[expect(
        clippy::disallowed_types,
        reason = "the crate hands out what is printed behind `&self`"
    )]
    struct Printed(RefCell<String>);

    impl PrintHandler for Printed {
        fn println(&self, text: &str) -> starlark::Result<()> {
            let mut printed = self.0.borrow_mut();
            if printed.len() + text.len() > PRINTED {
                return Err(starlark::Error::new_other(TooMuch));
            }
            printed.push_str(text);
            printed.push('\n');
            Ok(())
        }
    }

    #[cfg(test)]
    mod tests {
        use std::time::Duration;

        use super::*;

        const INPUT: &str = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n\
                             items:\n- {kind: A, metadata: {name: a}, n: 1}\nfunctionConfig: {value: x}\n";

        fn run_script(script: &str) -> Result<Ran, ScriptFault> {
            let budget = Budget { timeout: None, now: &|| Duration::ZERO, is_cancelled: &|| false };
            run("f.star", script, INPUT.as_bytes(), budget)
        }

        #[test]
        fn the_output_is_the_list_as_the_script_left_it() {
            let ran = run_script(
                "def f(list):\n  for item in list[\"items\"]:\n    \
                 item[\"spec\"] = list[\"functionConfig\"][\"value\"]\n  print(\"did it\")\n\
                 f(ctx.resource_list)\nctx.resource_list[\"items\"].append({\"kind\": \"B\"})\n",
            )
            .unwrap();
            let text = String::from_utf8(ran.output).unwrap();
            assert!(text.contains("\"spec\": \"x\"") && text.contains("\"kind\": \"B\""), "{text}");
            assert!(text.contains("\"n\": 1\n"), "{text}");
            assert_eq!(ran.messages, "did it\n");
        }

        #[test]
        fn nothing_is_loaded_and_nothing_runs_for_ever() {
            assert!(run_script("load(\"x.star\", \"x\")").is_err());
            assert!(
                run_script("def f():\n  for i in range(1000000000):\n    x = i\nf()\n").is_err()
            );
            assert!(run_script("def f():\n  f()\nf()\n").is_err());
            let failed = run_script("fail(\"no\")").unwrap_err();
            assert!(matches!(failed, ScriptFault::Interpreter(said) if said.contains("no")));
        }
    }
}
