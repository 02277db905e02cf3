//! A name with line ends and control characters creates no line in any command.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use kzui::display::is_unsafe;

use crate::support::{Answer, Tree, program};

/// A name with every kind of line end, a command to the log of a workflow, a line like one of
/// kzui's own, and control characters.
const FORGING_NAME: &str = "n\n::error::forged\nFORGED 0 errors\rFORGED\u{85}FORGED\u{2028}FORGED\u{2029}FORGED\u{1b}[2K\u{202e}\u{ad}b";

/// The name in double quotes, as YAML reads it.
fn quoted(name: &str) -> String {
    let escaped = name.chars().fold(String::new(), |mut text, c| {
        if c.is_ascii_graphic() && c != '"' && c != '\\' {
            text.push(c);
        } else {
            write!(text, "\\U{:08x}", u32::from(c)).unwrap();
        }
        text
    });
    format!("\"{escaped}\"")
}

/// Replaces each `@` by the forging name, quoted within quotes.
fn with_forging_name(text: &str) -> String {
    let parts: Vec<&str> = text.split('"').collect();
    let part = |(at, part): (usize, &&str)| {
        if at % 2 == 1 { quoted(&part.replace('@', FORGING_NAME)) } else { (*part).to_owned() }
    };
    parts.iter().enumerate().map(part).collect()
}

const FILES: [(&str, &str); 14] = [
    ("base/kustomization.yaml", "resources: [\"r@.yaml\", dep.yaml]\ncommonLabels: {a: b}\n"),
    (
        "base/r@.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"c@\"}\ndata: {\"@\": v, a: b}\n",
    ),
    (
        "base/dep.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: \"@\", namespace: \"@\", labels: {\"@\": \"@\"}}\nspec: {template: {spec: {containers: [{name: \"@\", image: \"@:1\", env: [{name: \"@\", value: v}]}], volumes: [{name: x, configMap: {name: \"@no\"}}]}}}\n",
    ),
    (
        "ok@/kustomization.yaml",
        "resources: [../base, more.yaml]\nreplicas: [{name: \"@\", count: 2}]\nlabels: [{pairs: {\"@\": x}}]\npatches: [{path: \"p@.yaml\"}, {target: {name: \"zz@\"}, patch: \"[{op: add, path: /a, value: 1}]\"}]\ncomponents: [\"../comp@\"]\nimages: [{name: \"@\", newTag: \"@\"}]\nconfigMapGenerator: [{name: \"g@\", literals: [\"k@=v\"]}]\n",
    ),
    ("ok@/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"m@\"}\ndata: {a: b}\n"),
    (
        "ok@/p@.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"c@\"}\ndata: {\"@\": w, a: c}\n",
    ),
    ("ok@/unlisted@.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"u@\"}\n"),
    (
        "comp@/kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -s\n",
    ),
    (
        "unused@/kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -s\n",
    ),
    ("function/kustomization.yaml", "resources: [../base]\ntransformers: [t.yaml]\n"),
    (
        "function/t.yaml",
        "apiVersion: \"g@/v1\"\nkind: \"K@\"\nmetadata: {name: \"f@\", annotations: {config.kubernetes.io/function: \"container: {image: i@}\"}}\n",
    ),
    (
        "cat@.yaml",
        "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {name: \"c@\"}\nspec: {krmFunctions: [{group: example.com, names: {kind: \"K@\"}, description: \"d@\", publisher: \"p@\", home: \"h@\", tags: [\"t@\"], versions: [{name: v1, runtime: {container: {image: \"i@\"}}}]}]}\n",
    ),
    (
        "app.yaml",
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: \"app@\"}\nspec: {source: {repoURL: \"https://x/@\", path: \"ok@\", kustomize: {namePrefix: \"@\", images: [\"@=a:1\"]}}}\n",
    ),
    ("plain/kustomization.yaml", "resources: [../base]\nbases: []\n"),
];

/// Kustomization files that do not build, each for another reason.
const FAILING_KUSTOMIZATIONS: [&str; 17] = [
    "resources: [\"missing@.yaml\"]\n",
    "resources: [\"https://example.invalid/@\"]\n",
    "components: [\"../none@\"]\n",
    "patches: [{path: \"none@\"}]\n",
    "configMapGenerator: [{name: \"@\", files: [\"none@\"]}]\n",
    "configMapGenerator: [{name: \"@\", behavior: \"none@\"}]\n",
    "\"none@\": 1\n",
    "transformers: [\"none@\"]\n",
    "generators: [\"none@\"]\n",
    "helmCharts: [{name: \"@\", repo: \"https://example.invalid/@\"}]\n",
    "openapi: {path: \"none@\"}\n",
    "crds: [\"none@\"]\n",
    "vars: [{name: \"@\", objref: {kind: K, name: \"@\", apiVersion: v1}}]\n",
    "configurations: [\"none@\"]\n",
    "sortOptions: {order: \"@\"}\n",
    "apiVersion: \"@\"\nkind: \"@\"\n",
    "replacements: [{source: {kind: ConfigMap, name: \"@\", fieldPath: \"@\"}, targets: [{select: {name: \"@\"}, fieldPaths: [\"@\"]}]}]\n",
];

/// The commands: `|` separates their words, and `@` is replaced by the forging name.
const COMMANDS: [&str; 97] = [
    "build|ok@|-o|/dev/null",
    "build|none@",
    "build|.|--like|@",
    "build|app.yaml|-o|/dev/null",
    "build|function|-o|/dev/null",
    "trace|ok@",
    "trace|--diff|ok@",
    "trace|app.yaml",
    "trace|function",
    "trace|--resource|ConfigMap/c@|ok@",
    "trace|--resource|@|ok@",
    "why|ok@|Deployment/@",
    "why|ok@|@",
    "why|ok@|ConfigMap/c@|data.@",
    "why|ok@|ConfigMap/c@|data.a",
    "blame|ok@",
    "blame|--porcelain|ok@",
    "check",
    "check|--notes",
    "check|--notes|--format|markdown",
    "check|--notes|--format|junit",
    "check|--diff",
    "check|--baseline|@",
    "check|--changed|@",
    "check|--changed|v1",
    "check|--select|@",
    "check|none@",
    "check|--shard|@",
    "check|function|--notes",
    "check|app.yaml|--notes",
    "diff|ok@|base",
    "diff|base|ok@",
    "diff|--format|short|ok@|base",
    "diff|--side-by-side|ok@|base",
    "diff|--format|markdown|ok@|base",
    "diff|v1|v2",
    "diff|--format|short|v1|v2",
    "diff|v1|@",
    "diff|ok@|@",
    "diff|@:ok@|v1",
    "diff|v1:ok@|v2:ok@",
    "why-differ|ok@|base|ConfigMap/c@",
    "why-differ|base|ok@|@",
    "why-differ|base|ok@|Deployment/@",
    "bisect|v1|v2|ok@",
    "bisect|ok@|--good|v1|--bad|v2|ConfigMap/m@",
    "bisect|@",
    "order|ok@",
    "order|--all|ok@",
    "matrix|ok@",
    "where|base/r@.yaml",
    "where|base",
    "where|comp@",
    "where|none@",
    "where|--unused",
    "graph",
    "graph|--states",
    "graph|ok@",
    "graph|none@",
    "grep|a",
    "grep|v",
    "grep|@",
    "grep|FORGED",
    "grep|b|ok@",
    "grep|a|none@",
    "consolidate|ok@|-o|@",
    "drafts|ok@",
    "drafts|none@",
    "components",
    "components|ok@",
    "components|none@",
    "view|catalog|cat@.yaml",
    "view|catalog|none@",
    "view|catalog|https://example.invalid/@",
    "catalog|fetch|none@",
    "catalog|search|a|--catalog|cat@.yaml",
    "catalog|@",
    "trust|add|none@",
    "trust|add|./cat@.yaml",
    "trust|list",
    "trust|remove|@",
    "trust|check|ok@",
    "openapi|info|ok@",
    "openapi|fetch|@",
    "explain|@",
    "compat|ok@",
    "compat",
    "compat|--from|@|ok@",
    "compat|--from|v5.0.0|--to|latest",
    "compat|--from|v5.0.0|--to|latest|-o|markdown",
    "versions|@",
    "remap|@",
    "remap|--target|ok@|--format|conftest|@",
    "demo|none|@",
    "@",
    "--linear|ok@",
    "--linear|@",
];

/// The commands that the test enters in the line mode.
const LINE_MODE_INPUT: &str =
    "tree\nsteps\nproblems\nresources\nstep 1\ndiff 1\nwhy 1\ntoggle 2\nwrite\nn\nquit!\n";

fn run(tree: &Tree, command: &str) -> Answer {
    let home = tempfile::tempdir().unwrap();
    let words = command.split('|').map(|word| word.replace('@', FORGING_NAME));
    let mut child = program(home.path())
        .args(words)
        .current_dir(tree.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(LINE_MODE_INPUT.as_bytes());
    Answer::of(&child.wait_with_output().unwrap())
}

/// The lines created by the name, and its control characters.
fn find_forged_lines(text: &str) -> Vec<String> {
    let lines = text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
    let is_forged = |line: &&str| {
        // A log accepts a command after blanks as well.
        line.starts_with("FORGED") || line.trim_start().starts_with("::error::forged")
    };
    let mut found: Vec<String> = lines.filter(is_forged).map(str::to_owned).collect();
    let plain = text.replace("\u{1b}[0m", "");
    found.extend(
        plain
            .chars()
            .filter(|c| is_unsafe(*c) && !matches!(c, '\n' | '\t'))
            .map(|c| format!("{c:?}")),
    );
    found
}

#[track_caller]
fn assert_no_forged_line(tree: &Tree, commands: &[String]) {
    let mut wrong = Vec::new();
    for command in commands {
        let answer = run(tree, command);
        assert!(!answer.err.contains("panicked"), "{command}: {}", answer.err);
        // The output of a build is exact, because it is for programs.
        let out = if command.starts_with("build|") { "" } else { &*answer.out };
        for (stream, text) in [("out", out), ("err", &*answer.err)] {
            if let Some(line) = find_forged_lines(text).first() {
                let at = text.find(line.as_str()).unwrap_or(0);
                let before: String = text[..at].chars().rev().take(120).collect();
                let before: String = before.chars().rev().collect();
                wrong.push(format!("{command} ({stream}): {before:?} {line:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), commands.len(), wrong.join("\n"));
}

fn tree() -> Tree {
    let tree = Tree::new(&[]);
    for (path, text) in FILES {
        tree.write(&path.replace('@', FORGING_NAME), &with_forging_name(text));
    }
    tree
}

/// A name with line ends and control characters forges no line in the output of a command.
#[test]
fn a_name_makes_no_line_in_any_command() {
    let tree = tree();
    tree.commit("v1");
    let more = format!("ok{FORGING_NAME}/more.yaml");
    tree.write(&more, &with_forging_name(FILES[4].1).replace("a: b", "a: c"));
    for arguments in [
        &["add", "-A"][..],
        &[
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.com",
            "commit",
            "-qm",
            "s\u{2028}FORGED",
        ],
        &["tag", "v2"],
    ] {
        let mut git = std::process::Command::new("git");
        let ended = git.args(arguments).current_dir(tree.root()).stdin(Stdio::null()).status();
        assert!(ended.unwrap().success());
    }
    assert_no_forged_line(&tree, &COMMANDS.map(str::to_owned));
}

/// A name with line ends and control characters forges no line in the error of a build.
#[test]
fn a_name_makes_no_line_in_any_error_of_a_build() {
    let tree = tree();
    let mut commands = Vec::new();
    for (number, text) in FAILING_KUSTOMIZATIONS.iter().enumerate() {
        let folder = format!("bad{number}@");
        tree.write(
            &format!("{folder}/kustomization.yaml").replace('@', FORGING_NAME),
            &with_forging_name(text),
        );
        for command in ["build|#", "trace|#", "why|#|a", "blame|#", "diff|#|base", "compat|#"] {
            commands.push(command.replace('#', &folder));
        }
    }
    assert_no_forged_line(&tree, &commands);
}

/// The test detects a forged line.
#[test]
fn a_forged_line_is_found() {
    assert_eq!(
        find_forged_lines("a\n  ::error::forged\nFORGED\n"),
        ["  ::error::forged", "FORGED"]
    );
    assert_eq!(find_forged_lines("a\rFORGED").len(), 2);
    assert_eq!(find_forged_lines("a ::error::forged FORGED\n+FORGED\n"), [""; 0]);
}
