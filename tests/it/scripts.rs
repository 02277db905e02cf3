//! Functions in Starlark that were made to do harm end with an error, and nothing else ends with them.

use crate::support::{Answer, Tree, kzui_in};

/// The build of a tree with one function, whose script this is.
fn build(script: &str, more: &[&str]) -> Answer {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [map.yaml]\ntransformers: [fn.yaml]\n"),
        ("map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n"),
        (
            "fn.yaml",
            "apiVersion: x/v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: 'starlark: {path: f.star, name: f}'\n",
        ),
        ("f.star", script),
    ]);
    let flags = ["build", "--enable-alpha-plugins", "--enable-star", "."];
    kzui_in(&tree.root(), &flags.iter().chain(more).copied().collect::<Vec<_>>())
}

#[test]
fn a_script_that_is_good_does_its_work() {
    let built = build("ctx.resource_list[\"items\"][0][\"data\"][\"a\"] = \"x\"\n", &[]).built();
    assert!(built.contains("  a: x\n"), "{built}");
}

#[test]
fn no_script_ends_more_than_itself() {
    let scripts = [
        ("an endless list", "def f():\n  l = [1]\n  for i in range(60):\n    l.extend(l)\nf()\n"),
        ("a text doubled", "def f():\n  s = \"x\"\n  for i in range(40):\n    s = s + s\nf()\n"),
        ("a text repeated", "x = (\"%s\" % (\"y\" * 1000)) * 1000000000\n"),
        ("a list of two billion", "x = [0] * 2000000000\n"),
        ("a number squared", "def f():\n  n = 7\n  for i in range(40):\n    n = n * n\nf()\n"),
        (
            "an output nested deep",
            "def f():\n  l = []\n  for i in range(1000000):\n    l = [l]\n  ctx.resource_list[\"items\"] = l\nf()\n",
        ),
        (
            "a flood of prints",
            "def f():\n  for i in range(10000000):\n    print(\"x\" * 1000)\nf()\n",
        ),
        ("a loop", "def f():\n  for i in range(1000000000):\n    x = i\nf()\n"),
        ("recursion", "def f():\n  f()\nf()\n"),
    ];
    for (what, script) in scripts {
        let refused = build(script, &["--function-timeout", "6s"]).refused();
        assert!(refused.contains("starlark function Fn/f"), "{what}: {refused}");
        assert!(refused.contains("failed: "), "{what}: {refused}");
    }
}

/// Deep enough to end the process that reads it, or not: the build says one or the other.
#[test]
fn deep_parentheses_end_no_build_by_a_signal() {
    for depth in [50_000, 2_000_000] {
        let script = format!("x = {}1{}\n", "(".repeat(depth), ")".repeat(depth));
        let status = build(&script, &[]).status;
        assert!(matches!(status, Some(0 | 1)), "{status:?}");
    }
}
