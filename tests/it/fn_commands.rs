//! `kzui fn`: functions are written, run alone and tested.

use crate::catalog::{Desk, STAMP, catalog, desk, make_executable, script};
use crate::support::{Tree, kzui_in, messages, numbers_after};

const FUNCTION_FLAGS: &[&str] = &["--enable-alpha-plugins", "--enable-exec", "--enable-star"];

fn with_function_flags<'a>(words: &[&'a str]) -> Vec<&'a str> {
    words.iter().chain(FUNCTION_FLAGS).copied().collect()
}

fn has_yaml_for_python() -> bool {
    let found = std::process::Command::new("python3").args(["-c", "import yaml"]).status();
    found.is_ok_and(|status| status.success())
}

#[test]
fn new_function_passes_its_test_and_its_catalog_has_no_defect() {
    for lang in ["sh", "python", "starlark"] {
        let skip = match lang {
            "python" => !has_yaml_for_python(),
            "starlark" => !crate::support::has_starlark(),
            _ => false,
        };
        let desk = Desk::new(&[]);
        let made = desk.run(&["fn", "new", "set-replicas", "--lang", lang]).built();
        assert_eq!(made.lines().count(), 6, "{made}");
        let lint = desk.run(&["catalog", "lint", "set-replicas", "--strict"]);
        assert_eq!((lint.status, &*lint.out), (Some(0), ""), "{lang}: {}", lint.err);
        let pin = desk.run(&["catalog", "pin", "set-replicas"]).built();
        assert_eq!(pin, "all digests are up to date\n");
        assert_eq!(desk.run(&["fn", "new", "set-replicas"]).status, Some(1), "it exists");
        if skip {
            eprintln!("{lang} is not run: its interpreter is missing");
            continue;
        }
        let test = desk.run(&with_function_flags(&["fn", "test", "set-replicas/fn.yaml"]));
        assert_eq!(test.status, Some(0), "{lang}: {}{}", test.out, test.err);
        assert!(test.out.contains("ok      first\n1 passed, 0 failed"), "{}", test.out);
        // Without the flags of Kustomize the function does not run.
        assert_eq!(desk.run(&["fn", "test", "set-replicas/fn.yaml"]).status, Some(1));
    }
}

/// The commands that `fn new` prints compile the function, write its digest, and test it.
#[test]
fn new_compiled_function_passes_its_test_after_the_printed_commands() {
    for (lang, compiler) in [("rust", "rustc"), ("go", "go")] {
        let desk = Desk::new(&[]);
        let made = desk.run(&["fn", "new", "set-replicas", "--lang", lang]).built();
        let next: Vec<&str> = made.lines().filter_map(|it| it.strip_prefix("next: ")).collect();
        assert_eq!(next.len(), 3, "{made}");
        assert_eq!(desk.run(&["catalog", "lint", "set-replicas"]).status, Some(1), "not compiled");
        let words: Vec<&str> = next[0].split(' ').collect();
        assert_eq!(words[0], compiler);
        let compiled = std::process::Command::new(compiler)
            .args(&words[1..])
            .current_dir(desk.tree.root())
            .status();
        let Ok(status) = compiled else {
            eprintln!("{lang} is not compiled: {compiler} is missing");
            continue;
        };
        assert!(status.success(), "{lang}");
        for line in &next[1..] {
            let words: Vec<&str> = line.split(' ').skip(1).collect();
            let done = desk.run(&words);
            assert_eq!(done.status, Some(0), "{line}: {}{}", done.out, done.err);
        }
        let lint = desk.run(&["catalog", "lint", "set-replicas", "--strict"]);
        assert_eq!((lint.status, &*lint.out), (Some(0), ""), "{lang}: {}", lint.err);
    }
}

#[test]
fn case_that_differs_fails_with_its_diff_and_is_updated_on_request() {
    let desk = Desk::new(&[]);
    desk.run(&["fn", "new", "f", "--lang", "sh"]).built();
    let input = String::from_utf8(desk.tree.read("f/tests/first/input.yaml")).unwrap();
    desk.tree.write("f/tests/second/input.yaml", &input.replace("count: 3", "count: 5"));
    let test = desk.run(&with_function_flags(&["fn", "test", "f/fn.yaml"]));
    assert_eq!(test.status, Some(1));
    for part in
        ["ok      first\n", "failed  second\n", "    +     replicas: 5\n", "1 passed, 1 failed"]
    {
        assert!(test.out.contains(part), "{part}: {}", test.out);
    }
    assert!(!desk.tree.path("f/tests/second/output.yaml").exists());
    let updated = desk.run(&with_function_flags(&["fn", "test", "f/fn.yaml", "--update"]));
    assert_eq!(updated.status, Some(0), "{}", updated.out);
    assert!(updated.out.contains("wrote   second\n"), "{}", updated.out);
    assert_eq!(desk.run(&with_function_flags(&["fn", "test", "f/fn.yaml"])).status, Some(0));
    desk.tree.write("f/f.sh", "echo broken >&2; exit 3\n");
    let broken = desk.run(&with_function_flags(&["fn", "test", "f/fn.yaml"]));
    assert_eq!(broken.status, Some(1));
    assert!(
        broken.err.contains("exit status 3") && broken.err.contains("broken"),
        "{}",
        broken.err
    );
    assert_eq!(desk.run(&["fn", "test", "f/fn.yaml", "--cases", "none"]).status, Some(2));
}

#[test]
fn eval_shows_the_changes_of_one_function_on_chosen_objects() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = desk(
        &["c/catalog.yaml"],
        &[("c/catalog.yaml", &catalog("v1", STAMP)), ("c/stamp.star", &script("one"))],
    );
    let two = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: hunter2-hunter2}\n";
    desk.tree.write("cm.yaml", two);
    let eval = |more: &[&str]| {
        let mut words = vec!["fn", "eval", "stamp.yaml", "--trusted-catalog=c"];
        words.extend(more);
        desk.run(&words)
    };
    let all = eval(&[]).built();
    assert_eq!(all.matches("\"stamp\": \"one mark\"").count(), 2, "{all}");
    assert!(!all.contains("hunter2"), "{all}");
    let one = eval(&["--on", "ConfigMap/c"]);
    assert_eq!(one.status, Some(0), "{}", one.err);
    assert_eq!(one.out.matches("+    \"stamp\": \"one mark\"").count(), 1, "{}", one.out);
    // The numbers of objects in the input, in the output, and changed.
    assert!(one.err.lines().any(|line| numbers_after(line, "): ") == [1, 1, 1]), "{}", one.err);
    let unknown = eval(&["--on", "Service/none"]);
    assert_eq!(unknown.status, Some(2), "{}", unknown.err);
    let untrusted = desk.run(&["fn", "eval", "stamp.yaml"]).refused();
    assert!(untrusted.contains(messages::IS_NOT_TRUSTED), "{untrusted}");
    // No file is written.
    assert!(!desk.tree.path(".kzui-fn-input.yaml").exists());
    // A function that no target lists runs on the output of a target.
    desk.run(&["fn", "new", "set-replicas", "--lang", "sh"]).built();
    let other = with_function_flags(&[
        "fn",
        "eval",
        "set-replicas/fn.yaml",
        "--target",
        "app",
        "--on",
        "Deployment/web",
    ]);
    desk.tree.write("app/kustomization.yaml", "resources: [d.yaml]\nnamePrefix: x-\n");
    desk.tree.write(
        "app/d.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
    );
    let shown = desk.run(&other).built();
    assert!(shown.contains("-  replicas: 1\n+  replicas: 3\n"), "{shown}");
}

/// KEP-2299: the value of an override is blamed on the line of the override.
#[test]
fn override_is_the_origin_of_a_value_that_a_function_writes() {
    if !crate::support::has_starlark() {
        return;
    }
    let tree = Tree::of_demo("platform");
    let staging = String::from_utf8(tree.read("staging/composition.yaml")).unwrap();
    let line = staging.lines().position(|line| line.trim() == "replicas: 1").unwrap() + 1;
    let trusted = "--trusted-catalog=catalog";
    let why = ["why", "staging", "Deployment/staging-orders", "spec.replicas", trusted];
    let shown = kzui_in(&tree.root(), &why).built();
    assert!(shown.contains(&format!("staging/composition.yaml:{line}")), "{shown}");
    let app = String::from_utf8(tree.read("app/composition.yaml")).unwrap();
    let port = app.lines().position(|line| line.trim() == "port: 8080").unwrap() + 1;
    let why = ["why", "staging", "Service/staging-orders", "spec.ports.0.port", trusted];
    let constant = kzui_in(&tree.root(), &why).built();
    assert!(!constant.contains(&format!(":{port}")), "80 is no value of the file: {constant}");
}

/// Results of a function lead to the line of the field.
#[test]
fn results_are_annotations_at_the_line_of_the_field() {
    let desk = Desk::new(&[
        ("kustomization.yaml", "resources: [d.yaml]\nvalidators: [v.yaml]\n"),
        (
            "d.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
        ),
        (
            "v.yaml",
            "apiVersion: a/v1\nkind: V\nmetadata:\n  name: v\n  annotations: {config.kubernetes.io/function: 'exec: {path: ./v.sh}'}\n",
        ),
        (
            "v.sh",
            "#!/bin/sh\ncat\nprintf 'results:\\n- message: too few\\n  severity: warning\\n  resourceRef: {apiVersion: apps/v1, kind: Deployment, name: web}\\n  field: {path: spec.replicas}\\n'\n",
        ),
    ]);
    make_executable(&desk.tree.path("v.sh"));
    let check = desk.run(&with_function_flags(&["check", "--format", "github"]));
    assert!(check.out.contains("file=d.yaml,line=6"), "{}{}", check.out, check.err);
}
