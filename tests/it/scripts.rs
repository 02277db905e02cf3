//! Functions in Starlark: on large trees, malicious, and without their interpreter.

use crate::support::{Answer, Tree, has_starlark, kzui_in, messages};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n";

/// A tree with these objects and one function with this script.
fn function_tree(objects: &str, script: &str) -> Tree {
    Tree::new(&[
        ("kustomization.yaml", "resources: [objects.yaml]\ntransformers: [fn.yaml]\n"),
        ("objects.yaml", objects),
        (
            "fn.yaml",
            "apiVersion: x/v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: 'starlark: {path: f.star, name: f}'\n",
        ),
        ("f.star", script),
    ])
}

fn build_with_script(objects: &str, script: &str, more: &[&str]) -> Answer {
    let flags = ["build", "--enable-alpha-plugins", "--enable-star", "."];
    let arguments: Vec<&str> = flags.iter().chain(more).copied().collect();
    kzui_in(&function_tree(objects, script).root(), &arguments)
}

fn build(script: &str, more: &[&str]) -> Answer {
    build_with_script(MAP, script, more)
}

#[test]
fn valid_script_runs() {
    if !has_starlark() {
        return;
    }
    let built = build("ctx.resource_list[\"items\"][0][\"data\"][\"a\"] = \"x\"\n", &[]).built();
    assert!(built.contains("  a: x\n"), "{built}");
}

/// kpt's script for a namespace, on trees of real size.
#[test]
fn a_script_works_on_many_objects() {
    if !has_starlark() {
        return;
    }
    let script = "def set_namespace(resources, namespace):\n  for resource in resources:\n    \
                  resource[\"metadata\"][\"namespace\"] = namespace\n\
                  set_namespace(ctx.resource_list[\"items\"], \"prod\")\n";
    for count in [1, 40, 60, 150, 1000] {
        let objects: Vec<String> = (0..count).map(deployment).collect();
        let built = build_with_script(&objects.join("---\n"), script, &[]).built();
        assert_eq!(built.matches("  namespace: prod\n").count(), count, "{count}");
        assert_eq!(built.matches("kind: Deployment\n").count(), count);
    }
}

fn deployment(index: usize) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-{index}\n  labels: {{app: web-{index}}}\nspec:\n  \
         replicas: 2\n  selector:\n    matchLabels: {{app: web-{index}}}\n  template:\n    metadata:\n      \
         labels: {{app: web-{index}}}\n    spec:\n      containers:\n      - name: web\n        image: nginx:1.27\n        \
         ports:\n        - containerPort: 80\n"
    )
}

/// A script that exceeds a limit of memory, stack or time fails with the name of the limit.
#[test]
fn a_script_that_uses_too_much_ends_alone_and_its_limit_is_named() {
    if !has_starlark() {
        return;
    }
    let memory = "memory limit exceeded";
    let scripts = [
        ("def f():\n  l = [1]\n  for i in range(60):\n    l.extend(l)\nf()\n", memory),
        ("def f():\n  s = \"x\"\n  for i in range(40):\n    s = s + s\nf()\n", memory),
        ("x = (\"%s\" % (\"y\" * 1000)) * 1000000000\n", memory),
        ("x = [0] * 2000000000\n", memory),
        ("def f():\n  n = 7\n  for i in range(40):\n    n = n * n\nf()\n", "timed out after 6s"),
        (
            "def f():\n  l = []\n  for i in range(1000000):\n    l = [l]\n  ctx.resource_list[\"items\"] = l\nf()\n",
            "stack limit exceeded",
        ),
        (
            "def f():\n  for i in range(10000000):\n    print(\"x\" * 1000)\nf()\n",
            "print limit exceeded",
        ),
        ("def f():\n  for i in range(1000000000):\n    x = i\nf()\n", "step limit exceeded"),
        ("def f():\n  f()\nf()\n", "call depth limit exceeded"),
    ];
    for (script, expected) in scripts {
        let refused = build(script, &["--function-timeout", "6s"]).refused();
        assert!(refused.contains("Fn/f"), "{script}: {refused}");
        // A slow machine may reach the time limit first.
        let is_named = refused.contains(expected)
            || refused.contains(&format!("{} 6s", messages::TIMED_OUT_AFTER));
        assert!(is_named, "{script}: {refused}");
    }
}

/// kzui alone in a folder, and none in `PATH`: the function is pending, and the rest of the build
/// is shown.
#[test]
fn without_the_interpreter_a_script_is_pending() {
    let alone = Tree::new(&[]);
    let kzui = alone.path("kzui");
    let built = env!("CARGO_BIN_EXE_kzui");
    fs_err::hard_link(built, &kzui).or_else(|_| fs_err::copy(built, &kzui).map(drop)).unwrap();
    let tree = function_tree(MAP, "x = 1\n");
    let run = |command: &str| {
        let mut started = std::process::Command::new(&kzui);
        started.args([command, "--enable-alpha-plugins", "--enable-star", "."]);
        started.current_dir(tree.root()).env_clear().env("PATH", "/usr/bin:/bin");
        Answer::of(&started.env("HOME", alone.root()).output().unwrap())
    };
    let refused = run("build").refused();
    assert!(refused.contains(messages::NEEDS_KZUI_STARLARK), "{refused}");
    assert!(refused.contains(messages::CARGO_INSTALL_PATH_SRC_STARLARK), "{refused}");
    let traced = run("trace");
    assert!(traced.err.contains(messages::STARLARK_NOT_INSTALLED), "{}", traced.err);
    assert!(!traced.err.contains("error"), "{}", traced.err);
}

/// Near the limit of the reading process: the build succeeds or reports an error.
#[test]
fn deep_parentheses_do_not_crash_build() {
    if !has_starlark() {
        return;
    }
    for depth in [50_000, 2_000_000] {
        let script = format!("x = {}1{}\n", "(".repeat(depth), ")".repeat(depth));
        let status = build(&script, &[]).status;
        assert!(matches!(status, Some(0 | 1)), "{status:?}");
    }
}
