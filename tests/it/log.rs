//! `KZUI_LOG`: events for developers of kzui, in a file of the state folder.

use crate::support::{Tree, demo, program};

fn read_log(home: &Tree) -> Option<String> {
    std::fs::read_to_string(home.path(".local/state/kzui/log.txt")).ok()
}

#[test]
fn the_log_has_builds_layers_steps_and_caches() {
    let home = Tree::new(&[]);
    let mut command = program(&home.root());
    command.arg("--linear").arg(demo("components/overlays/dev")).env("KZUI_LOG", "debug");
    assert!(command.output().unwrap().status.success());
    let log = read_log(&home).unwrap();
    for event in ["build{directory=", "layer kind=Component", "step number=", "cache part="] {
        assert!(log.contains(event), "{event}: {log}");
    }
}

#[test]
fn log_contains_the_trials_of_a_comparison() {
    let map = |value: &str| {
        let head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n".to_owned();
        (0..20).fold(head, |text, at| text + &format!("  k{at}: {value}\n  same{at}: x\n"))
    };
    let tree = Tree::new(&[
        ("one/kustomization.yaml", "resources: [m.yaml]\n"),
        ("one/m.yaml", &map("a")),
        ("two/kustomization.yaml", "resources: [m.yaml]\n"),
        ("two/m.yaml", &map("b")),
    ]);
    let mut command = program(&tree.root());
    command.args(["diff", "one", "two"]).current_dir(tree.root()).env("KZUI_LOG", "debug");
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    let log = read_log(&tree).unwrap();
    assert!(log.contains("trial files_reverted=1 built=true microseconds="), "{log}");
    let summary = log.lines().find(|line| line.contains("causes of a target")).unwrap();
    assert!(summary.contains("resources=1 files=1 trials="), "{summary}");
    assert!(!summary.contains("trials_in_groups=0"), "{summary}");
}

/// Layers, steps, messages and effects are logged with names, never with values.
#[test]
fn the_log_has_no_value_of_a_secret() {
    let secret =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {key: canary-7f3a}\n";
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [s.yaml]\nsecretGenerator: [{name: g, literals: [a=canary-91bc]}]\npatches: [{patch: '{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {b: canary-55aa}}'}]\n",
        ),
        ("s.yaml", secret),
    ]);
    for arguments in [&["build"][..], &["why", ".", "Secret/s", "stringData.key"], &["check"]] {
        let mut command = program(&tree.root());
        command.args(arguments).current_dir(tree.root()).env("KZUI_LOG", "trace");
        command.output().unwrap();
    }
    let mut command = program(&tree.root());
    command.args(["--linear", "."]).current_dir(tree.root()).env("KZUI_LOG", "trace");
    command.output().unwrap();
    let log = read_log(&tree).unwrap();
    assert!(log.contains("effect name=\"Evaluate\""), "{log}");
    assert!(!log.contains("canary"), "{log}");
}

#[test]
fn no_log_is_written_without_kzui_log() {
    let home = Tree::new(&[]);
    let mut command = program(&home.root());
    command.arg("build").arg(demo("components/overlays/dev"));
    assert!(command.output().unwrap().status.success());
    assert_eq!(read_log(&home), None);
}

#[test]
fn invalid_log_filter_is_an_error() {
    let home = Tree::new(&[]);
    let output =
        program(&home.root()).arg("version").env("KZUI_LOG", "kzui=loud").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("KZUI_LOG"));
}

/// A log that others can write is not trusted with appended lines.
#[cfg(unix)]
#[test]
fn a_log_that_others_can_write_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Tree::new(&[(".local/state/kzui/log.txt", "")]);
    let path = home.path(".local/state/kzui/log.txt");
    for folder in ["", ".local", ".local/state", ".local/state/kzui"] {
        std::fs::set_permissions(home.path(folder), std::fs::Permissions::from_mode(0o700))
            .unwrap();
    }
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    let output = program(&home.root()).arg("version").env("KZUI_LOG", "info").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
