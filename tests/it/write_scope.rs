//! Fixes, edits and writes stay in the repository; without git, in the named folder.

use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Answer, Tree, kzui_in, line_with, messages, program};

const RESOURCE: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
const DEPRECATED_BASES: &str = "bases: [../more]\n";

/// A repository with a target that has two base folders outside of it, one of them through a link,
/// and a fix for each.
fn tree(base: &str, has_git: bool) -> Tree {
    let tree = Tree::new(&[
        ("repo/target/kustomization.yaml", &format!("resources: [{base}]\n")),
        ("repo/inside/kustomization.yaml", DEPRECATED_BASES),
        ("repo/more/kustomization.yaml", "resources: [r.yaml]\n"),
        ("repo/more/r.yaml", RESOURCE),
        ("other/kustomization.yaml", DEPRECATED_BASES),
        ("more/kustomization.yaml", "resources: [r.yaml]\n"),
        ("more/r.yaml", RESOURCE),
    ]);
    if has_git {
        tree.write("repo/.git/HEAD", "ref: refs/heads/main\n");
    }
    symlink(tree.path("other"), tree.path("repo/link")).unwrap();
    tree
}

fn text(tree: &Tree, path: &str) -> String {
    String::from_utf8(tree.read(path)).unwrap()
}

#[test]
fn a_fix_outside_the_repository_is_reported_and_not_written() {
    for (base, folder) in
        [("../../other", "repo"), ("../link", "repo"), ("../../other", "repo/target")]
    {
        let tree = tree(base, true);
        let fixed = kzui_in(&tree.path(folder), &["check", "--fix", "--notes", "."]);
        assert_eq!(
            text(&tree, "other/kustomization.yaml"),
            DEPRECATED_BASES,
            "{base}: {}",
            fixed.err
        );
        let reason = line_with(&fixed.out, &format!("{}: ", messages::NOT_FIXABLE_HERE));
        assert!(reason.contains("other/kustomization.yaml"), "{base}: {}", fixed.out);
        let shown = kzui_in(&tree.path(folder), &["check", "--diff", "."]);
        assert!(!shown.out.contains("other/kustomization.yaml"), "{base}: {}", shown.out);
        let unsafe_too = kzui_in(&tree.path(folder), &["check", "--fix", "--unsafe-fixes", "."]);
        assert_eq!(
            text(&tree, "other/kustomization.yaml"),
            DEPRECATED_BASES,
            "{base}: {}",
            unsafe_too.err
        );
        let report = kzui_in(&tree.path(folder), &["check", "--format", "json", "--notes", "."]);
        let report: Value = serde_json::from_str(&report.out).unwrap();
        let found = report["findings"].as_array().unwrap();
        let of_other =
            found.iter().find(|it| it["file"].as_str().is_some_and(|it| it.contains("other")));
        assert_eq!(of_other.unwrap()["fix"], Value::Null, "{report}");
    }
}

#[test]
fn a_fix_inside_the_repository_is_written_from_any_folder_of_it() {
    let tree = tree("../inside", true);
    let fixed = kzui_in(&tree.path("repo"), &["check", "--fix", "--notes", "target", "inside"]);
    assert_eq!(
        text(&tree, "repo/inside/kustomization.yaml"),
        "resources: [../more]\n",
        "{}{}",
        fixed.out,
        fixed.err
    );
}

#[test]
fn without_git_a_fix_stays_in_the_folder_that_is_checked() {
    for (folder, arguments) in [
        ("repo", &["check", "--fix", "--notes", "."][..]),
        ("repo/target", &["check", "--fix", "--notes"]),
        ("", &["check", "--fix", "--notes", "repo"]),
    ] {
        let tree = tree("../../other", false);
        let fixed = kzui_in(&tree.path(folder), arguments);
        assert_eq!(
            text(&tree, "other/kustomization.yaml"),
            DEPRECATED_BASES,
            "{folder}: {}",
            fixed.err
        );
        let inside = text(&tree, "repo/inside/kustomization.yaml");
        assert_eq!(
            inside == DEPRECATED_BASES,
            folder == "repo/target",
            "{folder}: {}{}",
            fixed.out,
            fixed.err
        );
    }
}

/// A clone in the repository is another repository.
#[test]
fn clone_inside_the_repository_is_not_edited() {
    let tree = tree("../clone", true);
    tree.write("repo/clone/kustomization.yaml", DEPRECATED_BASES);
    tree.write("repo/clone/.git/HEAD", "ref: refs/heads/main\n");
    let fixed = kzui_in(&tree.path("repo"), &["check", "--fix", "--notes", "."]);
    assert_eq!(text(&tree, "repo/clone/kustomization.yaml"), DEPRECATED_BASES);
    assert_eq!(fixed.status, Some(0), "{}{}", fixed.out, fixed.err);
    assert_eq!(text(&tree, "repo/inside/kustomization.yaml"), "resources: [../more]\n");
}

/// The answers of the line mode about a target to these lines.
fn talk(tree: &Tree, target: &str, lines: &str) -> Answer {
    let home = tempfile::tempdir().unwrap();
    let mut child = program(home.path())
        .args(["--linear", target])
        .current_dir(tree.path("repo"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    Answer::of(&child.wait_with_output().unwrap())
}

#[test]
fn the_workbench_edits_and_fixes_nothing_outside_the_repository() {
    for has_git in [true, false] {
        for base in ["../../other", "../link"] {
            let tree = tree(base, has_git);
            let lines = "problems\nfix 1\ntree\ntoggle 4\ntoggle 5\nwrite\ny\nquit\n";
            let answer = talk(&tree, "target", lines);
            assert_eq!(text(&tree, "other/kustomization.yaml"), DEPRECATED_BASES, "{}", answer.out);
            assert!(
                answer.out.contains(&format!("{}: ", messages::NOT_EDITABLE_HERE)),
                "{}",
                answer.out
            );
            assert!(
                answer.out.contains(&format!("{}: ", messages::NOT_FIXABLE_HERE)),
                "{}",
                answer.out
            );
        }
    }
}
