//! What the workbench says about an edit and about a row is true for the target that it means.

use crate::support::{Workbench, line_with, messages};

const COMPONENT: &str = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n";

/// Two overlays of one base; `prod` lists a component. `c/fails` does not build in any of them.
fn overlays(open: &str) -> Workbench {
    overlays_with(open, "resources:\n- ../base\ncomponents:\n- ../c/five\n")
}

/// As [`overlays`], with this file in `prod`.
fn overlays_with(open: &str, prod: &str) -> Workbench {
    let component = |body: &str| format!("{COMPONENT}{body}");
    let five = component("replicas:\n- {name: web, count: 5}\n");
    let label = component("commonAnnotations: {a: b}\n");
    let fails = component(
        "patches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: test, path: /spec/replicas, value: 9}\n",
    );
    let web = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers: [{name: web, image: 'web:1'}]\n";
    let files = [
        ("base/kustomization.yaml", "resources:\n- web.yaml\n"),
        ("base/web.yaml", web),
        ("c/fails/kustomization.yaml", &*fails),
        ("c/five/kustomization.yaml", &*five),
        ("c/label/kustomization.yaml", &*label),
        ("dev/kustomization.yaml", "resources:\n- ../base\n"),
        ("prod/kustomization.yaml", prod),
    ];
    Workbench::of_files(&files, open, (120, 36))
}

#[test]
fn edits_with_the_same_words_have_their_folders() {
    let map = |name: &str| format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n");
    let (one, other) = (map("one"), map("other"));
    let list = "resources:\n- ./map.yaml\n- ./other.yaml\n";
    let files = [
        ("alpha/kustomization.yaml", list),
        ("alpha/map.yaml", &one),
        ("alpha/other.yaml", &other),
        ("beta/kustomization.yaml", list),
        ("beta/map.yaml", &one),
        ("beta/other.yaml", &other),
    ];
    let mut bench = Workbench::of_files(&files, "alpha", (120, 36));
    bench.keys("1 /").type_text("map.yaml").keys("enter space 2");
    let only = bench.text();
    assert!(!line_with(&only, "☑ switch off").contains("alpha"), "one file: {only}");
    bench.keys(":").type_text("target beta").keys("enter");
    bench.keys("1 /").type_text("map.yaml").keys("enter space 2");
    let text = bench.text();
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("☑ switch")).collect();
    assert!(rows[0].contains("map.yaml alpha") && rows[1].contains("map.yaml beta"), "{text}");
    bench.keys("space");
    assert!(bench.text().contains("left out: switch off resource ./map.yaml in "), "{text}");
}

#[test]
fn message_about_an_edit_names_the_overlay_that_was_edited() {
    let mut bench = overlays("dev");
    bench.keys("0 gc tab");
    bench.keys("/").type_text("five").keys("enter space");
    let text = bench.text();
    assert!(line_with(&text, "✓ prod").contains("☐●"), "{text}");
    assert!(text.contains("prod: c/five off: commented out"), "{text}");
    bench.keys("z");
    let text = bench.text();
    assert!(text.contains("prod: c/five on, number 1 of 1: changes 1 resource"), "{text}");
    bench.keys(":").type_text("messages").keys("enter");
    let text = bench.text();
    assert_eq!(text.matches("undone: switch off").count(), 1, "one row for each undo: {text}");
    bench.keys("esc 1 gg space");
    assert!(!bench.text().contains("dev: "), "the open target is shown: {}", bench.text());
}

#[test]
fn component_that_breaks_the_build_is_marked_in_its_cell() {
    let mut bench = overlays("");
    bench.keys("gc tab gg space");
    let text = bench.text();
    assert!(line_with(&text, "✗ prod").contains("☑● ✗"), "{text}");
    assert!(line_with(&text, "☑ fails").contains("✗ fails"), "{text}");
    assert!(line_with(&text, "· label").contains("effect not known"), "{text}");
    bench.keys("G");
    assert!(bench.text().contains(messages::DOES_NOT_BUILD), "{}", bench.text());
    // The patch of the overlay fails after the component, and because of it.
    let patch = "patches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: test, path: /spec/replicas, value: 1}\n";
    let list = "resources:\n- ../base\ncomponents:\n- ../c/label\n#- ../c/five\n";
    let mut bench = overlays_with("", &format!("{list}{patch}"));
    bench.keys("gc tab gg j space");
    let text = bench.text();
    assert!(line_with(&text, "✗ prod").contains("☑● ✗"), "{text}");
    assert!(!line_with(&text, "☑ label").contains('✗'), "{text}");
}

#[test]
fn effect_of_an_edit_is_known_beside_an_edit_that_fails() {
    let mut bench = overlays("dev");
    bench.keys("0 gc tab gg j space gg space G space 2");
    let text = bench.text();
    assert!(line_with(&text, "switch off component").contains("~1 Deployment"), "{text}");
    assert!(line_with(&text, "add component c/fails").contains("fails now in 1 target"), "{text}");
    let hidden = line_with(&text, "add component c/label");
    assert!(hidden.contains("hidden: the build fails"), "{text}");
}

#[test]
fn unlisted_components_of_the_target_are_tried() {
    let mut bench = overlays("dev");
    bench.keys("gc");
    let text = bench.text();
    assert!(line_with(&text, "☐     five").contains("if on ~1"), "{text}");
    assert!(line_with(&text, "☐     fails").contains("✗ if on"), "{text}");
    bench.keys("1");
    assert!(line_with(&bench.text(), "c/five").contains("if on ~1"), "{}", bench.text());
}

#[test]
fn base_is_opened_by_its_name() {
    let mut bench = overlays("");
    bench.keys(":").type_text("target base").keys("enter");
    assert!(bench.text().contains("kzui base "), "{}", bench.text());
}

#[test]
fn fix_is_offered_where_a_problem_has_one() {
    let files = [("prod/kustomization.yaml", "resources: [gone.yaml]\n")];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("gp");
    let text = bench.text();
    assert!(text.contains("gone.yaml") && !text.contains("f fix"), "{text}");
}

#[test]
fn fetch_without_an_open_target_names_the_way() {
    let text = "resources: [map.yaml]\nopenapi:\n  path: https://example.com/schema.json\n";
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n";
    let files = [("prod/kustomization.yaml", text), ("prod/map.yaml", map)];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("F");
    assert!(bench.text().contains("open a pending target first"), "{}", bench.text());
}

#[test]
fn resources_of_a_failed_build_are_not_its_final_state() {
    let files = [
        ("prod/kustomization.yaml", "resources: [map.yaml]\npatches:\n- path: gone.yaml\n"),
        ("prod/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n"),
    ];
    let mut bench = Workbench::of_files(&files, "prod", (120, 36));
    bench.keys("gr G");
    assert!(!bench.text().contains("final state"), "{}", bench.text());
}
