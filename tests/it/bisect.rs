//! `kzui bisect`: planted commits are found, without a checkout.

use serde_json::Value;

use crate::compare::{DEPLOYMENT, commit, git, read_all_files, repository};
use crate::support::{Tree, kzui_in, line_with};

const PROD: &str =
    "resources: [../base]\nnamePrefix: prod-\nimages:\n- name: example.com/web\n  newTag: \"7\"\n";

fn json(tree: &Tree, arguments: &[&str], status: i32) -> Value {
    let all = [&["bisect"], arguments, &["--json"]].concat();
    let answer = kzui_in(&tree.root(), &all);
    assert_eq!(answer.status, Some(status), "{}{}", answer.out, answer.err);
    serde_json::from_str(&answer.out).expect("it is JSON")
}

fn subjects(report: &Value) -> Vec<&str> {
    let suspects = report["suspects"].as_array().unwrap().iter();
    suspects.map(|it| it["subject"].as_str().unwrap()).collect()
}

/// Ten commits, of which one sets the replicas in the base, together with another change.
fn history() -> Tree {
    let tree = repository();
    let mut base = DEPLOYMENT.to_owned();
    for number in 1..=10 {
        tree.write("other/kustomization.yaml", &format!("# {number}\nnamePrefix: o-\n"));
        if number == 6 {
            base = base.replace("replicas: 1", "replicas: 5").replace("web:1", "web:2");
            tree.write("base/deployment.yaml", &base);
        }
        if number == 8 {
            base = base.replace("replicas: 5", "replicas: 9");
            tree.write("base/deployment.yaml", &base);
        }
        commit(&tree, &format!("Number {number}"));
    }
    tree
}

#[test]
fn the_commit_that_changed_a_value_is_found_with_its_edit() {
    let tree = history();
    let before = read_all_files(&tree.root());
    let field = ["--field", "Deployment/prod-web", "spec.replicas"];
    let arguments = [&["prod", "--good", "HEAD~10"][..], &field].concat();
    let report = json(&tree, &arguments, 0);
    assert_eq!(subjects(&report), ["Number 6"], "the first that changed it, and not the last");
    assert_eq!(report["before"]["value"], "1");
    assert_eq!(report["after"]["value"], "5");
    assert_eq!(report["after"]["at"], "base/deployment.yaml:6");
    let edits = report["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 1, "the image is another edit of the same commit");
    assert_eq!((&edits[0]["file"], &edits[0]["line"]), (&"base/deployment.yaml".into(), &6.into()));
    assert_eq!(report["tried"], true);
    assert_eq!(report["commits"], 10);
    crate::formats::assert_matches_schema("bisect-v2.json", &report);
    let last = json(&tree, &[&arguments[..], &["--value", "9"]].concat(), 0);
    assert_eq!(subjects(&last), ["Number 8"]);
    let text = kzui_in(&tree.root(), &[&["bisect"], &arguments[..]].concat());
    assert_eq!(text.status, Some(0));
    let field = line_with(&text.out, "spec.replicas of Deployment/prod-web ");
    assert!(field.contains(" prod ") && field.contains(" 5 "), "{}", text.out);
    for line in [
        "author Ada\n\n    Number 6\n",
        "  was   1  at base/deployment.yaml:6\n  now   5  at base/deployment.yaml:6\n",
        "    base/deployment.yaml:6\n      -  replicas: 1\n      +  replicas: 5\n",
    ] {
        assert!(text.out.contains(line), "{line}\nin\n{}", text.out);
    }
    assert_eq!(read_all_files(&tree.root()), before, "nothing was checked out");
}

#[test]
fn failing_commit_is_skipped_and_reported() {
    let tree = repository();
    tree.write("prod/kustomization.yaml", "resources: [../nowhere]\n");
    commit(&tree, "Broken");
    tree.write("prod/kustomization.yaml", &PROD.replace("\"7\"", "\"8\""));
    commit(&tree, "Mended");
    let field = ["--field", "Deployment/prod-web", "spec.template.spec.containers[web].image"];
    let arguments = [&["prod", "--good", "HEAD~2", "--bad", "HEAD"][..], &field].concat();
    let report = json(&tree, &arguments, 1);
    assert_eq!(subjects(&report), ["Mended", "Broken"]);
    assert!(report["untold"][0]["reason"].as_str().unwrap().contains("nowhere"), "{report}");
    let fails = json(&tree, &["prod", "--good", "HEAD~2", "--bad", "HEAD~1", "--fails"], 0);
    assert_eq!(subjects(&fails), ["Broken"]);
    assert!(fails["after"]["words"].as_str().unwrap().starts_with("fails: "), "{fails}");
    assert_eq!(fails["edits"][0]["file"], "prod/kustomization.yaml");
}

#[test]
fn merged_commit_or_its_merge_is_found() {
    let tree = repository();
    git(&tree, &["checkout", "-q", "-b", "side"]);
    tree.write("prod/kustomization.yaml", &PROD.replace("prod-", "live-"));
    commit(&tree, "Another prefix");
    tree.write("other/kustomization.yaml", "namePrefix: o-\n");
    commit(&tree, "Something else");
    git(&tree, &["checkout", "-q", "main"]);
    tree.write("stage/kustomization.yaml", "resources: [../base]\nnamePrefix: s-\n");
    commit(&tree, "On main");
    git(&tree, &["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    let ends = ["prod", "--good", "main~2", "--bad", "main", "--resource", "Deployment/prod-web"];
    let report = json(&tree, &ends, 0);
    assert_eq!(subjects(&report), ["Another prefix"]);
    assert_eq!(report["before"]["words"], "is there");
    assert_eq!(report["after"]["words"], "is absent");
    let first = json(&tree, &[&ends[..], &["--first-parent"]].concat(), 0);
    assert_eq!(subjects(&first), ["Merge side"]);
    assert_eq!(first["suspects"][0]["parents"], 2);
    // The good commit is on another branch: the merge base is good as well.
    let apart = ["prod", "--good", "main^1", "--bad", "side", "--resource", "Deployment/prod-web"];
    assert_eq!(subjects(&json(&tree, &apart, 0)), ["Another prefix"]);
}

#[test]
fn impossible_bisection_is_a_one_line_error() {
    let tree = history();
    let said = |arguments: &[&str], parts: &[&str]| {
        let answer = kzui_in(&tree.root(), &[&["bisect"], arguments].concat());
        assert_eq!((answer.status, answer.out.as_str()), (Some(2), ""));
        let is_complete = |line: &str| parts.iter().all(|part| line.contains(part));
        assert!(answer.err.lines().any(is_complete), "{parts:?}: {}", answer.err);
    };
    let field = ["--field", "Deployment/prod-web", "spec.replicas"];
    said(
        &[&["prod", "--good", "HEAD~1"][..], &field].concat(),
        &["HEAD ", "spec.replicas of Deployment/prod-web ", " 9"],
    );
    said(
        &[&["prod", "--good", "HEAD~10", "--value", "1"][..], &field].concat(),
        &["HEAD~10 ", "spec.replicas of Deployment/prod-web ", " 1"],
    );
    said(&["prod", "--good", "nothing", "--fails"], &["'nothing'"]);
    said(&["nowhere", "--good", "HEAD~1", "--fails"], &[" nowhere"]);
    // The words of the command-line parser.
    said(&["prod", "--good", "HEAD~1"], &["the following required arguments were not provided"]);
}
