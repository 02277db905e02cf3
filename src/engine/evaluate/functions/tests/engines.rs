//! The program that runs a function.

use crate::diagnostic::Diagnostic;

use super::gates::container;
use super::*;

/// A container client whose daemon does not run does not hide another engine that works.
#[test]
fn first_working_container_engine_is_used() {
    let tree = [("fn.yaml", &*container(""))];
    let engine = |dead: &'static [&'static str]| {
        let mut scene = Scene::new(&tree, move |program| {
            let is_dead = dead.contains(&&*program.command);
            Ok(ProgramResult {
                status: Some(i32::from(is_dead)),
                output: if is_dead { Vec::new() } else { program.input.to_vec() },
                messages: b"Cannot connect to the Docker daemon at unix:///x".to_vec(),
                ..ProgramResult::default()
            })
        });
        Arc::get_mut(&mut scene.fake).unwrap().in_path = vec!["docker", "podman"];
        let result = scene.evaluate().outcome;
        let asked: Vec<Program> = scene.programs_run();
        assert_eq!(asked[0].arguments, ["version"]);
        (asked.last().unwrap().command.clone(), result.err().and_then(|error| error.hint.clone()))
    };
    assert_eq!(engine(&[]), ("docker".to_owned(), None));
    assert_eq!(engine(&["docker"]), ("podman".to_owned(), None));
    let (last, hint) = engine(&["docker", "podman"]);
    assert_eq!(last, "docker");
    assert!(hint.unwrap().to_string().contains("KRM_FN_RUNTIME"));
}

/// Ruling 19: an inline program is found as in Kustomize, and its location is reported.
#[test]
fn an_inline_program_may_be_in_path_or_above_the_layer() {
    for (path, command, code) in [
        ("tool", "/bin/tool", Some(crate::diagnostic::Code::KZ510)),
        ("../fns/f", "/fns/f", Some(crate::diagnostic::Code::KZ511)),
        ("./f", "/w/f", None),
    ] {
        let config = TRANSFORMER.replace("./f", path);
        let tree = [("fn.yaml", &*config), ("/bin/tool", "#!/bin/sh\n"), ("/fns/f", "#!/bin/sh\n")];
        let mut scene = Scene::new(&tree, editing_program(str::to_owned));
        Arc::get_mut(&mut scene.fake).unwrap().in_path = vec!["tool"];
        let evaluation = scene.evaluate();
        assert!(evaluation.outcome.is_ok());
        assert_eq!(scene.programs_run()[0].command, command);
        let steps = evaluation.trace.steps.iter();
        let mut codes = steps.flat_map(|step| &step.warnings).map(Diagnostic::code);
        assert_eq!(codes.find(|code| code.as_str().starts_with("KZ51")), code);
    }
}
