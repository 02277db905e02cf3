//! `kzui components`: the users of each component, and its effect there.

use serde_json::Value;

use crate::support::{Tree, kzui_in, messages};

const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n";

fn component(body: &str) -> String {
    format!("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n{body}")
}

fn tree() -> Tree {
    let brings = component("resources: [extra.yaml]\n");
    Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        ("c/brings/kustomization.yaml", &brings),
        ("c/brings/extra.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n"),
        ("c/five/kustomization.yaml", &component("replicas:\n- {name: web, count: 5}\n")),
        ("c/idle/kustomization.yaml", &component("replicas:\n- {name: web, count: 1}\n")),
        (
            "dev/kustomization.yaml",
            "resources: [../base]\ncomponents:\n- ../c/idle\n#- ../c/five\n",
        ),
        (
            "prod/kustomization.yaml",
            "resources: [../base]\ncomponents:\n- ../c/five\n- ../c/brings\n",
        ),
        ("broken/kustomization.yaml", "resources: [gone.yaml]\ncomponents: [../c/five]\n"),
        ("node_modules/x/kustomization.yaml", "components: [../../c/five]\n"),
        (".hidden/kustomization.yaml", "components: [../c/five]\n"),
    ])
}

#[test]
fn the_table_has_a_row_for_each_overlay_and_a_column_for_each_component() {
    let tree = tree();
    let told = kzui_in(&tree.root(), &["components"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    let row = |name: &str| {
        let line = told.out.lines().find(|line| line.starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name} in {}", told.out));
        line.split("  ").map(str::trim).filter(|it| !it.is_empty()).collect::<Vec<_>>()
    };
    let head: Vec<&str> = told
        .out
        .lines()
        .next()
        .unwrap()
        .split("  ")
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    assert!(head.ends_with(&["c/brings", "c/five", "c/idle"]), "{}", told.out);
    assert_eq!(row("dev"), ["dev", "absent", "off", "on: no change"], "{}", told.out);
    assert_eq!(row("prod"), ["prod", "on: +1", "on: ~1", "absent"], "{}", told.out);
    assert_eq!(row("broken "), ["broken", "absent", "on", "absent"], "{}", told.out);
    assert!(told.out.contains(&format!("broken {}: ", messages::DOES_NOT_BUILD)), "{}", told.out);
    assert!(!told.out.contains("node_modules") && !told.out.contains(".hidden"), "{}", told.out);
}

#[test]
fn json_table_has_lines_orders_and_effects() {
    let tree = tree();
    let told = kzui_in(&tree.root(), &["components", "--json"]).built();
    let table: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(table["schemaVersion"], 1);
    assert_eq!(table["components"], serde_json::json!(["c/brings", "c/five", "c/idle"]));
    let overlay = |name: &str| {
        let rows = table["overlays"].as_array().unwrap();
        rows.iter().find(|row| row["overlay"] == name).unwrap_or_else(|| panic!("{name}: {told}"))
    };
    let prod = &overlay("prod")["components"];
    assert_eq!(prod[0]["state"], "on");
    assert_eq!((&prod[0]["line"], &prod[0]["order"]), (&4.into(), &2.into()));
    assert_eq!(prod[0]["effect"], serde_json::json!({"added": 1, "changed": 0, "removed": 0}));
    assert_eq!((&prod[1]["line"], &prod[1]["order"]), (&3.into(), &1.into()));
    let dev = &overlay("dev")["components"];
    assert_eq!((&dev[1]["state"], &dev[1]["order"]), (&"off".into(), &Value::Null));
    assert_eq!(dev[1]["line"], 4);
    assert_eq!(overlay("prod")["error"], Value::Null);
    assert!(overlay("broken")["error"].as_str().unwrap().contains("gone.yaml"), "{told}");
    assert_eq!(overlay("broken")["components"][1]["effect"], Value::Null);
}

#[test]
fn components_below_the_folder_are_listed_and_missing_folder_is_an_error() {
    let tree = tree();
    let told = kzui_in(&tree.root(), &["components", "prod"]).built();
    assert!(told.contains("five") && !told.contains("idle"), "{told}");
    let told = kzui_in(&tree.root(), &["components", "nowhere"]);
    assert_eq!(told.status, Some(1));
    assert!(told.err.contains(messages::NO_DIRECTORY), "{}", told.err);
}

#[test]
fn components_that_are_off_are_tried_on_request() {
    let fails = component("resources: [gone.yaml]\n");
    let mut files: Vec<(&str, &str)> = vec![("c/fails/kustomization.yaml", &fails)];
    let brings = component("resources: [extra.yaml]\n");
    let five = component("replicas:\n- {name: web, count: 5}\n");
    files.extend([
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        ("c/brings/kustomization.yaml", &*brings),
        ("c/brings/extra.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n"),
        ("c/five/kustomization.yaml", &*five),
        ("dev/kustomization.yaml", "resources: [../base]\ncomponents:\n#- ../c/five\n"),
    ]);
    let tree = Tree::new(&files);
    let told = kzui_in(&tree.root(), &["components", "--try"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    let row = told.out.lines().find(|line| line.starts_with("dev ")).unwrap_or_default();
    let cells: Vec<&str> = row.split("  ").map(str::trim).filter(|it| !it.is_empty()).collect();
    assert_eq!(cells, ["dev", "absent, if on: +1", "absent, if on: fails", "off, if on: ~1"]);
    assert!(told.out.contains("gone.yaml"), "{}", told.out);
    let told = kzui_in(&tree.root(), &["components", "--try", "--json"]);
    let table: Value = serde_json::from_str(&told.out).unwrap();
    let cells = &table["overlays"][0]["components"];
    assert_eq!(cells[0]["trial"]["effect"]["added"], 1, "{table}");
    assert!(cells[1]["trial"]["error"].is_string(), "{table}");
    assert_eq!(cells[2]["state"], "off", "{table}");
    let told = kzui_in(&tree.root(), &["components", "--json"]);
    let table: Value = serde_json::from_str(&told.out).unwrap();
    assert!(table["overlays"][0]["components"][0]["trial"].is_null(), "{table}");
}

/// A table with a column for each of many components cannot be read.
#[test]
fn wide_table_has_a_line_for_each_listed_component() {
    let five = component("replicas:\n- {name: web, count: 5}\n");
    let names: Vec<String> =
        (0..12).map(|number| format!("c/component-number-{number}/kustomization.yaml")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*five)).collect();
    let lists: Vec<(String, String)> = (0..12)
        .map(|number| {
            let list =
                format!("resources: [../base]\ncomponents: [../c/component-number-{number}]\n");
            (format!("o{number}/kustomization.yaml"), list)
        })
        .collect();
    files.extend(lists.iter().map(|(path, text)| (&**path, &**text)));
    files.extend([("base/kustomization.yaml", "resources: [web.yaml]\n"), ("base/web.yaml", WEB)]);
    let out = kzui_in(&Tree::new(&files).root(), &["components"]).built();
    assert!(out.lines().all(|line| line.chars().count() < 100), "{out}");
    assert!(out.contains("o3\n  c/component-number-3  on: ~1\n"), "{out}");
    assert!(!out.contains("absent"), "{out}");
}
