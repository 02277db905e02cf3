//! Functions in Starlark: the input of the interpreter, and the handling of its result.

use super::*;

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
