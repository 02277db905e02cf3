//! Functions in Starlark: the input of the interpreter, and the handling of its result.

use super::*;
use crate::plugin::RequiredAction;

const STARLARK: [(&str, &str); 2] = [
    (
        "fn.yaml",
        "apiVersion: x/v1\nkind: Fn\nmetadata: {name: f}\nruntime: {starlark: {path: f.star}}\nvalue: x\n",
    ),
    ("f.star", "x = 1\n"),
];

#[test]
fn starlark_runs_in_a_separate_confined_program() {
    let mut scene = Scene::new(
        &STARLARK,
        fake_starlark(|list| {
            let value = list["functionConfig"]["value"].clone();
            list["items"][0]["data"]["a"] = value;
        }),
    );
    assert_eq!(scene.build().unwrap_err(), "starlark function 'Fn/f (x/v1)' needs --enable-star");
    scene.options.functions.enable_star = true;
    scene.options.functions.require_confinement = true;
    assert!(scene.build().unwrap().contains("  a: x\n"));
    let seen = scene.programs_run();
    let [program] = &*seen else { panic!("{seen:?}") };
    let confinement = program.confinement.as_ref().unwrap();
    assert!(confinement.required, "{confinement:?}");
    assert!(confinement.read.is_empty() && confinement.write.is_empty(), "{confinement:?}");
    assert!(confinement.memory_bytes.is_some() && program.timeout.is_some());
    assert!(!program.inherits_environment && program.environment.is_empty());
    let run = scene.evaluate().trace.steps.iter().find_map(|step| step.run.clone()).unwrap();
    assert_eq!(run.command, ["f.star"]);
}

#[test]
fn starlark_is_pending_without_its_interpreter() {
    let none = |program: &Program| Err(ProgramError::NotFound { command: program.command.clone() });
    let mut scene = Scene::new(&STARLARK, none).with_pending_functions();
    scene.options.functions.enable_star = true;
    let evaluation = scene.evaluate();
    assert!(evaluation.outcome.is_ok(), "{:?}", evaluation.outcome);
    let wait = evaluation.trace.first_wait().unwrap();
    assert_eq!(wait.awaited, RequiredAction::Install);
    assert!(wait.why.to_string().starts_with("function Fn/f (x/v1) needs kzui-starlark"));
    assert!(wait.way.as_ref().unwrap().to_string().contains("cargo install --path src/starlark"));
}

type InterpreterResult = fn(&Program) -> Result<ProgramResult, ProgramError>;

#[test]
fn error_of_a_failed_script_names_its_cause() {
    let fault = |answer: InterpreterResult| {
        let mut scene = Scene::new(&STARLARK, answer);
        scene.options.functions.enable_star = true;
        scene.build().unwrap_err()
    };
    let cases: [(InterpreterResult, &str); 7] = [
        (|_| output(r#"{"printed": "", "error": "never"}"#), "failed: never"),
        (
            |_| output(r#"{"printed": "", "error": "more than 3", "limit": "steps"}"#),
            "step limit exceeded: more than 3",
        ),
        (
            |_| Ok(ProgramResult { signal: Some(11), ..ProgramResult::default() }),
            "crashed (SIGSEGV)",
        ),
        (
            |_| Ok(ProgramResult { status: Some(139), ..ProgramResult::default() }),
            "crashed (SIGSEGV)",
        ),
        (
            |_| {
                let messages = b"memory allocation of 16 bytes failed\n".to_vec();
                Ok(ProgramResult { signal: Some(6), messages, ..ProgramResult::default() })
            },
            "memory limit exceeded",
        ),
        (
            |_| {
                let messages = b"\nthread 'script' has overflowed its stack\n".to_vec();
                Ok(ProgramResult { status: Some(134), messages, ..ProgramResult::default() })
            },
            "stack limit exceeded",
        ),
        (
            |program| {
                let command = program.command.clone();
                Err(ProgramError::TimedOut { command, seconds: 6 })
            },
            "timed out after 6s",
        ),
    ];
    for (answer, expected) in cases {
        let found = fault(answer);
        assert!(found.contains(expected), "{found}");
    }
}
