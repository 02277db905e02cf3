//! `kzui record`: a build in one file, opened without its tree.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::linear::run_line_mode;
use crate::support::{Answer, Tree, kzui_in, messages};

const CANARIES: [&str; 5] =
    ["canary-string-data", "canary-literal", "canary-of-a-file", "canary-of-env", "canary-base64"];

/// Secrets of every source, a function that copies one, and a link.
fn tree() -> Tree {
    let encoded = STANDARD.encode(CANARIES[4]);
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources:\n- web.yaml\n- secret.yaml\n"),
        (
            "base/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1 # a comment\n",
        ),
        (
            "base/secret.yaml",
            &format!(
                "apiVersion: v1\nkind: Secret\nmetadata:\n  name: login\nstringData:\n  password: {}\ndata:\n  token: {encoded}\n",
                CANARIES[0]
            ),
        ),
        (
            "prod/kustomization.yaml",
            &format!(
                "resources:\n- ../base\nnamePrefix: prod-\ntransformers:\n- tag.yaml\nreplicas:\n- name: web\n  count: 3\n\
                 secretGenerator:\n- name: made\n  literals:\n  - word={}\n  files:\n  - key.txt\n  envs:\n  - more.env\n",
                CANARIES[1]
            ),
        ),
        ("prod/key.txt", CANARIES[2]),
        ("prod/more.env", &format!("# once {}\nWORD={}\n", CANARIES[3], CANARIES[3])),
        (
            "prod/tag.yaml",
            "apiVersion: x/v1\nkind: Tag\nmetadata:\n  name: tag\n  annotations:\n    config.kubernetes.io/function: 'exec: {path: ./tag.sh}'\n",
        ),
        ("prod/tag.sh", "#!/bin/sh\ntouch ran\nsed 's/replicas: 3/replicas: 4/'\n"),
        ("other/kustomization.yaml", "resources: []\n"),
    ]);
    fs_err::set_permissions(tree.path("prod/tag.sh"), PermissionsExt::from_mode(0o755)).unwrap();
    tree
}

const FLAGS: [&str; 2] = ["--enable-alpha-plugins", "--enable-exec"];

fn record(tree: &Tree, target: &str, flags: &[&str]) -> Answer {
    kzui_in(&tree.root(), &[&["record", target, "-o", "build.json"], flags].concat())
}

fn open(folder: &Path, lines: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    run_line_mode(folder, home.path(), "build.json", lines)
}

#[test]
fn a_recording_has_no_value_of_a_secret() {
    let tree = tree();
    let answer = record(&tree, "prod", &FLAGS);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    let text = String::from_utf8(tree.read("build.json")).unwrap();
    for canary in CANARIES {
        assert!(!text.contains(canary), "{canary}");
        assert!(!text.contains(STANDARD.encode(canary).trim_end_matches('=')), "{canary}");
    }
    let build: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(build["kzuiRecording"], 1);
    assert!(build["notice"].as_str().unwrap().contains("<secret "));
    let masked: Vec<&str> =
        build["masked"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    let expected = [
        "base/secret.yaml",
        "prod/key.txt",
        "prod/kustomization.yaml",
        "prod/more.env",
        "prod/tag.sh",
    ];
    assert_eq!(masked, expected.map(|path| format!("tree/{path}")), "a script may have values too");
    assert!(text.contains("replicas: 1 # a comment"), "other lines are unchanged");
    assert!(!text.contains("tree/other"), "only files that the build read");
    assert!(!text.contains(tree.root().to_str().unwrap()), "no path of this machine");
    let again = record(&tree, "prod", &FLAGS);
    assert_eq!(again.status, Some(2), "an existing file is not replaced: {}", again.err);
}

#[test]
fn a_recording_is_opened_without_its_tree_and_runs_nothing() {
    let tree = tree();
    assert_eq!(record(&tree, "prod", &FLAGS).status, Some(0));
    let elsewhere = tempfile::tempdir().unwrap();
    fs_err::copy(tree.path("build.json"), elsewhere.path().join("build.json")).unwrap();
    let said = open(elsewhere.path(), "why Deployment/prod-web spec.replicas\nresources\nquit!\n");
    // The function wrote the last value: its output is in the recording.
    for value in ["> 4, ", "\n3, ", "\n1, "] {
        assert!(said.contains(value), "{said}");
    }
    assert!(said.contains(". prod. Build"), "the target has its path in the tree: {said}");
    let files = walkdir::WalkDir::new(elsewhere.path()).into_iter().flatten();
    assert_eq!(files.filter(|it| it.file_type().is_file()).count(), 1, "nothing is written there");
}

#[test]
fn a_failing_build_is_recorded_for_a_report() {
    let tree = tree();
    tree.write(
        "prod/kustomization.yaml",
        "resources:\n- ../base\npatches:\n- path: missing.yaml\n",
    );
    let answer = record(&tree, "prod", &[]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    let said = open(&tree.root(), "quit!\n");
    assert!(said.contains("missing.yaml"), "{said}");
}

#[test]
fn newer_and_damaged_recordings_are_refused() {
    let tree = tree();
    assert_eq!(record(&tree, "base", &[]).status, Some(0));
    let good = String::from_utf8(tree.read("build.json")).unwrap();
    let newer = good.replacen("\"kzuiRecording\": 1", "\"kzuiRecording\": 2", 1);
    assert_ne!(newer, good);
    let outside = good.replacen("tree/web.yaml", "tree/../../web.yaml", 1);
    let cases = [
        (newer.as_str(), messages::NEWER_KZUI),
        (&good[..good.len() / 2], messages::RECORDING_DAMAGED),
        (&outside, messages::RECORDING_DAMAGED),
    ];
    for (text, expected) in cases {
        tree.write("build.json", text);
        let answer = kzui_in(&tree.root(), &["--linear", "build.json"]);
        assert_eq!(answer.status, Some(1), "{}", answer.err);
        assert!(answer.err.contains(expected), "{}", answer.err);
    }
}

/// The paths of the files in a recording.
fn paths(tree: &Tree) -> Vec<String> {
    let build: Value = serde_json::from_slice(&tree.read("build.json")).unwrap();
    let files = build["files"].as_array().unwrap().iter();
    files.map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_report_shrinks_to_the_files_that_fail() {
    let tree = tree();
    tree.write(
        "prod/kustomization.yaml",
        "resources:\n- ../base\n- ../more\nnamePrefix: prod-\npatches:\n- path: good.yaml\n- path: missing.yaml\n",
    );
    tree.write(
        "prod/good.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 9\n",
    );
    tree.write("more/kustomization.yaml", "resources: [two.yaml]\n");
    tree.write("more/two.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: two\n");
    let answer = record(&tree, "prod", &["--shrink"]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    assert_eq!(paths(&tree), ["tree/prod/kustomization.yaml"]);
    let text = String::from_utf8(tree.read("build.json")).unwrap();
    assert!(text.contains("\"patches:\\n- path: missing.yaml\\n\""), "{text}");
    assert!(open(&tree.root(), "quit!\n").contains("missing.yaml"));
}

#[test]
fn a_report_shrinks_to_a_value_or_a_finding() {
    let tree = tree();
    tree.write(
        "prod/kustomization.yaml",
        "resources:\n- ../base\nnamePrefix: prod-\nreplicas:\n- name: web\n  count: 3\nimages:\n- name: a\n  newTag: b\ncommonLabels:\n  a: b\n",
    );
    let answer =
        record(&tree, "prod", &["--shrink", "--keep", "Deployment/prod-web spec.replicas"]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    let text = String::from_utf8(tree.read("build.json")).unwrap();
    assert!(!text.contains("commonLabels") && !text.contains("newTag"), "{text}");
    let expected = ["base/kustomization.yaml", "base/web.yaml", "prod/kustomization.yaml"];
    assert_eq!(paths(&tree), expected.map(|path| format!("tree/{path}")));
    fs_err::remove_file(tree.path("build.json")).unwrap();
    // KZ001: the field is deprecated.
    let answer = record(&tree, "prod", &["--shrink", "--keep", "KZ001"]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    let text = String::from_utf8(tree.read("build.json")).unwrap();
    assert!(text.contains("commonLabels") && !text.contains("replicas:\\n"), "{text}");
    fs_err::remove_file(tree.path("build.json")).unwrap();
    // The message of the finding counts resources that it does not need.
    let patch = "patches:\n- target: {kind: Deployment, name: none}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec/paused\", \"value\": true}]'\n";
    tree.write("lost/kustomization.yaml", &format!("resources:\n- ../base\n- two.yaml\n{patch}"));
    let two = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: two\n";
    tree.write("lost/two.yaml", two);
    let answer = record(&tree, "lost", &["--shrink", "--keep", "KZ101"]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    // One resource of the kind is left: without any, the finding is a note.
    assert_eq!(paths(&tree), ["tree/lost/kustomization.yaml", "tree/lost/two.yaml"]);
    fs_err::remove_file(tree.path("build.json")).unwrap();
    let answer = record(&tree, "prod", &["--shrink"]);
    assert_eq!(answer.status, Some(1), "the build does not fail: {}", answer.err);
    assert!(!tree.path("build.json").exists());
}

#[test]
fn a_target_that_is_not_on_disk_is_not_recorded() {
    let tree = tree();
    let answer = record(&tree, "nowhere", &[]);
    assert_eq!(answer.status, Some(1));
    assert!(answer.err.contains("nowhere"), "{}", answer.err);
    assert!(!tree.path("build.json").exists());
}

#[test]
fn commands_that_read_open_a_recording_in_place_of_a_target() {
    let tree = tree();
    record(&tree, "prod", &FLAGS);
    let folder = tempfile::tempdir().unwrap();
    fs_err::copy(tree.path("build.json"), folder.path().join("b.json")).unwrap();
    let whole = kzui_in(&tree.root(), &[&["build", "prod"], &FLAGS[..]].concat()).out;
    let built = kzui_in(folder.path(), &["build", "b.json", "-o", "out.yaml"]);
    assert_eq!(built.status, Some(0), "{}", built.err);
    let out = fs_err::read_to_string(folder.path().join("out.yaml")).unwrap();
    // The values of Secrets are masked, and so are the hashes in their names.
    let lines = |text: &str| text.lines().filter(|it| it.contains("replicas")).count();
    assert_eq!(lines(&out), lines(&whole), "{out}");
    assert!(out.contains("replicas: 4"), "{out}");
    let why = kzui_in(folder.path(), &["why", "b.json", "Deployment/web", "metadata.name"]);
    assert!(why.out.contains("prod/kustomization.yaml:3"), "{}", why.out);
    let refused = kzui_in(folder.path(), &["migrate", "b.json"]);
    assert_ne!(refused.status, Some(0));
    assert!(refused.err.contains(messages::DOES_NOT_OPEN_A_RECORDING), "{}", refused.err);
}

/// A path that leads out of the recording is missing, whatever the machine has there.
#[test]
fn a_recording_reads_no_file_of_the_machine_that_opens_it() {
    let outside = Tree::new(&[
        ("o/kustomization.yaml", "resources:\n- own.yaml\n"),
        ("o/own.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: own-of-the-reader\n"),
    ]);
    let up = "../".repeat(12);
    let away = outside.path("o").to_string_lossy().trim_start_matches('/').to_owned();
    for path in [format!("{up}{away}"), format!("{up}{away}/own.yaml")] {
        let recorded = serde_json::json!({
            "kzuiRecording": 1, "kzuiVersion": "0.1.0", "notice": "", "masked": [], "target": "t",
            "flags": ["--load-restrictor=LoadRestrictionsNone"],
            "files": [{
                "path": "tree/t/kustomization.yaml",
                "content": {"text": format!("resources:\n- {path}\n")},
            }],
            "downloads": [], "clones": [], "programs": [],
        });
        let text = serde_json::to_string(&recorded).unwrap();
        // The version is the first key of the file.
        let text = format!(
            "{{\"kzuiRecording\":1,{}",
            text.trim_start_matches('{').replace("\"kzuiRecording\":1,", "")
        );
        fs_err::write(outside.path("build.json"), text).unwrap();
        let built = kzui_in(&outside.root(), &["build", "build.json"]);
        assert!(!built.out.contains("own-of-the-reader"), "{}", built.out);
        assert_ne!(built.status, Some(0), "{}", built.out);
        let shown = open(&outside.root(), "print\n");
        assert!(!shown.contains("own-of-the-reader"), "{shown}");
    }
}

#[test]
fn a_folder_without_a_target_and_a_recording_are_not_recorded() {
    let tree = tree();
    assert_eq!(record(&tree, "base", &[]).status, Some(0));
    for (target, reason) in
        [(".", messages::NO_KUSTOMIZATION), ("build.json", messages::DOES_NOT_OPEN_A_RECORDING)]
    {
        let refused = kzui_in(&tree.root(), &["record", target, "-o", "other.json"]);
        assert_eq!(refused.status, Some(1), "{}", refused.err);
        assert!(refused.err.contains(reason), "{}", refused.err);
    }
}

/// The recording may follow a flag without a value, and `--in`.
#[test]
fn a_recording_after_a_flag_is_opened() {
    let tree = tree();
    record(&tree, "prod", &FLAGS);
    for words in [
        &["trace", "--json", "build.json"][..],
        &["blame", "--json", "build.json"],
        &["why", "--json", "build.json", "Deployment/web", "spec.replicas"],
        &["table", "spec.replicas", "--in", "build.json"],
    ] {
        let told = kzui_in(&tree.root(), words);
        assert_eq!(told.status, Some(0), "{words:?}: {}", told.err);
        assert!(told.out.contains("prod"), "{words:?}: {}", told.out);
    }
}

/// Files of resources without the ending of YAML, and a program in `PATH`.
#[test]
fn files_and_programs_of_any_name_are_recorded() {
    let map = |name: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{a: plain}}\n")
    };
    let tree = Tree::new(&[
        ("app/kustomization.yaml", "resources: [Kptfile, foo.txt]\ntransformers: [f.yaml]\n"),
        ("app/Kptfile", &map("one")),
        ("app/foo.txt", &map("two")),
        (
            "app/f.yaml",
            "apiVersion: x/v1\nkind: Tag\nmetadata:\n  name: tag\n  annotations:\n    config.kubernetes.io/function: 'exec: {path: sh, args: [tag.sh]}'\n",
        ),
        ("app/tag.sh", "sed 's/name: two/name: ran/'\n"),
    ]);
    let answer = record(&tree, "app", &FLAGS);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    let text = String::from_utf8(tree.read("build.json")).unwrap();
    assert!(!text.contains("bin/sh"), "no file of this machine");
    let built = kzui_in(&tree.root(), &["build", "build.json"]);
    assert!(built.out.contains("name: ran") && built.out.contains("a: plain"), "{}", built.err);
}
