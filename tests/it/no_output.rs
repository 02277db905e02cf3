//! Resources that Kustomize cannot print make the build fail for every command.

use serde_json::Value;

use crate::compare::{commit, git};
use crate::support::{Tree, Workbench, kzui_in, messages};

const BASE: &str = "resources: [a.yaml]\n";
const RESOURCE_WITH_REPEATED_KEY: &str = "apiVersion: example.com/v1\nkind: A\nmetadata:\n  name: a\nspec:\n  one: 1\n  two: 2\n  one: 3\n";

fn tree() -> Tree {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", BASE),
        ("base/a.yaml", &RESOURCE_WITH_REPEATED_KEY.replace("  one: 3\n", "")),
        ("top/kustomization.yaml", "resources: [../base]\nnamePrefix: x-\n"),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    tree.write("base/a.yaml", RESOURCE_WITH_REPEATED_KEY);
    tree
}

/// The phrase in the error of `kubectl kustomize`.
const WORDS: &str = "mapping key \"one\" already defined at line 6";

/// The sentence of a finding about the same error.
const OWN_WORDS: &str = "the key \"one\" is in one mapping twice, in lines 6 and 8";

#[test]
fn every_command_reports_an_unprintable_output() {
    let tree = tree();
    for call in [
        vec!["build", "top"],
        vec!["trace", "top"],
        vec!["blame", "top"],
        vec!["check"],
        vec!["compat", "--from", "v5.4.2", "--to", "v5.8.1"],
        vec!["why", "top", "A/x-a", "spec.two"],
    ] {
        let answer = kzui_in(&tree.root(), &call);
        // `compat` succeeds because both versions fail alike; `why` reports the error and the last
        // step.
        let ends_well = matches!(call[0], "compat" | "why");
        assert_eq!(answer.status == Some(0), ends_well, "{call:?}: {}", answer.err);
        let said = format!("{}{}", answer.out, answer.err);
        let words = if call[0] == "check" { OWN_WORDS } else { WORDS };
        assert!(said.contains(words), "{call:?} says {said}");
    }
    let build = kzui_in(&tree.root(), &["build", "top"]);
    assert!(build.err.contains("--> base/a.yaml:8:3\n"), "{}", build.err);
    assert!(build.err.contains("in A x-a (from base/a.yaml:1)"), "{}", build.err);
    assert!(build.err.contains(messages::KUSTOMIZE_READS_BOTH_KEYS), "{}", build.err);
}

#[test]
fn diff_reports_a_target_that_fails_now() {
    let tree = tree();
    let answer = kzui_in(&tree.root(), &["diff", "HEAD", "--format", "json"]);
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    let states: Vec<&str> = report["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["failsNow"], "{}", answer.out);
}

#[test]
fn workbench_shows_print_error() {
    let files = [("top/kustomization.yaml", BASE), ("top/a.yaml", RESOURCE_WITH_REPEATED_KEY)];
    let workbench = Workbench::of_files(&files, "top", (120, 36));
    let screen = workbench.text();
    assert!(screen.contains(OWN_WORDS), "{screen}");
}

/// Kustomize never renames a Namespace.
#[test]
fn a_namespace_that_is_added_twice_gets_no_other_name() {
    let of = |object: &str| {
        let tree = Tree::new(&[
            ("kustomization.yaml", "resources: [base, over]\n"),
            ("base/kustomization.yaml", "resources: [a.yaml]\n"),
            ("base/a.yaml", object),
            ("over/kustomization.yaml", "resources: [../base]\n"),
        ]);
        kzui_in(&tree.root(), &["build", "."]).refused()
    };
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a}\n";
    assert!(of(role).contains("namePrefix"));
    assert!(!of("apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n").contains("namePrefix"));
}
