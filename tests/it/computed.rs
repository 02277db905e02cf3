//! The computed pane on the Resource screen: writers of a field, overridden values, missed steps.

use std::io::Write as _;
use std::process::{Command, Stdio};

use ratatui::style::Modifier;

use crate::support::{Tree, Workbench, check_screen, kzui_in, messages};

const FILES: [(&str, &str); 3] = [
    (
        "kustomization.yaml",
        "resources: [web.yaml]\nnamePrefix: p-\npatches:\n- path: two.yaml\n- target: {kind: Deployment, name: wbe}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 9}\nreplicas:\n- name: web\n  count: 3\n",
    ),
    (
        "web.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
    ),
    (
        "two.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 2\n",
    ),
];

fn bench_on_replicas(size: (u16, u16)) -> Workbench {
    let mut bench = Workbench::of_files(&FILES, "", size);
    bench.keys("gr /").type_text("replicas").keys("enter enter");
    bench
}

/// The row of the computed pane that contains this text.
fn row(bench: &Workbench, text: &str) -> String {
    let all = bench.text();
    let row =
        all.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {all}"));
    let row = row.trim_matches(['║', '│', ' ']).split('│').next().unwrap();
    row.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn final_writer_is_above_overridden_and_missed_entries() {
    let bench = bench_on_replicas((160, 36));
    let last =
        format!("✓ 3 {} step 5 replicas web → 3 demo/kustomization.yaml:10", messages::FINAL);
    assert!(row(&bench, "✓ 3").contains(&last), "{}", bench.text());
    assert!(
        row(&bench, "in step 5")
            .contains(&format!("2 {} 5 step 2 patches two.yaml", messages::OVERRIDDEN_IN_STEP)),
        "{}",
        bench.text()
    );
    assert!(
        row(&bench, "in step 2").ends_with(&format!(
            "1 {} 2 step 1 load web.yaml demo/web.yaml:6",
            messages::OVERRIDDEN_IN_STEP
        )),
        "{}",
        bench.text()
    );
    assert!(row(&bench, "not written").contains("step 3"), "{}", bench.text());
    assert!(bench.text().contains("Deployment/p-web spec.replicas"), "{}", bench.text());
    // The overridden value is struck out.
    let screen = bench.screen();
    let struck = screen.content.iter().filter(|cell| cell.modifier.contains(Modifier::CROSSED_OUT));
    let struck: String = struck.map(ratatui::buffer::Cell::symbol).collect();
    assert_eq!(struck, "21");
}

#[test]
fn enter_goes_to_the_step_and_esc_back() {
    let mut bench = bench_on_replicas((120, 36));
    bench.keys("j enter");
    assert!(bench.text().contains("▶    2"), "{}", bench.text());
    let mut bench = bench_on_replicas((120, 36));
    bench.keys("esc");
    assert!(!bench.text().contains("overridden"), "{}", bench.text());
    bench.keys("w");
    assert!(bench.text().contains("overridden"), "{}", bench.text());
}

#[test]
fn pane_screens_equal_their_snapshots() {
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_demo("shop", "overlays/production", (columns, rows));
        bench.keys("gr / ").type_text("configMapRef").keys("enter j enter");
        check_screen(&format!("why-{columns}x{rows}"), &bench.screen());
    }
}

/// The conversation, the command and its text name the same writers.
#[test]
fn line_mode_names_the_same_writers() {
    let tree = Tree::new(&FILES);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kzui"));
    command.args(["--linear", "."]).current_dir(tree.root());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut talk = command.spawn().unwrap();
    talk.stdin.take().unwrap().write_all(b"why Deployment/web spec.replicas\nquit\n").unwrap();
    let said = String::from_utf8(talk.wait_with_output().unwrap().stdout).unwrap();
    assert!(
        said.contains(&format!("3, {}. Step 5, replicas web → 3. ", messages::FINAL)),
        "{said}"
    );
    let steps: Vec<&str> =
        said.split(" Step ").skip(1).filter_map(|rest| rest.split(',').next()).collect();
    let json = kzui_in(&tree.root(), &["why", "Deployment/web", "spec.replicas", "--json"]).built();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let writers = json["fields"][0]["writers"].as_array().unwrap();
    let missed = json["missed"].as_array().unwrap();
    let told = writers.iter().chain(missed).map(|it| it["step"]["number"].to_string());
    assert_eq!(steps, told.collect::<Vec<_>>(), "{said}");
}

#[test]
fn secret_values_are_masked_in_the_pane() {
    let files = [
        ("kustomization.yaml", "resources: [s.yaml]\n"),
        (
            "s.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  pass: hunter2hunter2\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (160, 36));
    bench.keys("gr /").type_text("pass").keys("enter enter");
    let text = bench.text();
    assert!(text.contains("stringData.pass") && text.contains("<secret "), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

/// A failed step names the resources that it may have been meant for; other words of its message
/// are no names.
#[test]
fn failed_step_names_only_intended_resources() {
    let of_names = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: metadata\n---\n";
    let web = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n";
    let both = format!("{of_names}{web}");
    let missed = |kustomization: &str, resource: &str| {
        let tree = Tree::new(&[("kustomization.yaml", kustomization), ("all.yaml", both.as_str())]);
        let json = kzui_in(&tree.root(), &["why", resource, "metadata.name", "--json"]).out;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        json["missed"].as_array().unwrap().len()
    };
    let misspelt = "resources: [all.yaml]\npatches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: wbe}\n";
    assert_eq!(
        (missed(misspelt, "Deployment/web"), missed(misspelt, "ConfigMap/metadata")),
        (1, 0)
    );
    // The message is `the root has no spec; it has apiVersion, kind, metadata`.
    let nowhere = "resources: [all.yaml]\npatches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 9}\n";
    assert_eq!((missed(nowhere, "Deployment/web"), missed(nowhere, "ConfigMap/metadata")), (0, 0));
}
