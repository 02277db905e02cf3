//! `e` on a line of a resource: the editor, or the edits that give the field another value.

use crate::support::Workbench;

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  paused: false\n";

/// The dialog for `spec.replicas`, opened on the line of the resource.
fn dialog() -> Workbench {
    let files = [
        ("app/kustomization.yaml", "resources: [web.yaml]\n"),
        ("app/web.yaml", WEB),
        ("other/kustomization.yaml", "resources: [../app]\nnamePrefix: o-\n"),
    ];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    bench.keys("gr G e");
    assert!(bench.text().contains("spec.replicas of Deployment/web"), "{}", bench.text());
    bench
}

#[test]
fn the_chosen_edit_of_a_field_is_in_the_draft() {
    let mut bench = dialog();
    bench.keys("backspace 5 enter");
    let text = bench.text();
    assert!(text.contains("1. app/web.yaml:6: "), "{text}");
    assert!(text.contains("also changes other: Deployment/o-web spec.replicas"), "{text}");
    bench.keys("enter :w enter y");
    assert_eq!(bench.disk.text("/demo/app/web.yaml"), WEB.replace("replicas: 1", "replicas: 5"));
}

#[test]
fn the_editor_opens_at_the_line_and_a_refusal_names_its_reason() {
    let mut bench = dialog();
    bench.keys("enter");
    assert!(bench.text().contains("spec.replicas has this value already"), "{}", bench.text());
    bench.keys("backspace [ enter");
    assert!(bench.text().contains("the value is not valid YAML"), "{}", bench.text());
    bench.keys("ctrl-e");
    assert_eq!(bench.asked, ["edit /demo/app/web.yaml:6"]);
}

/// At an earlier step a container has another index than in the output, where a patch adds one
/// before it.
#[test]
fn field_of_an_earlier_step_is_that_of_the_same_element() {
    let pod = |containers: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  containers:\n{containers}"
        )
    };
    let mut bench = Workbench::of_files(
        &[
            ("kustomization.yaml", "resources: [p.yaml]\npatches: [{path: q.yaml}]\n"),
            ("p.yaml", &pod("  - name: web\n    image: web:v1\n")),
            ("q.yaml", &pod("  - name: log\n    image: log:v2\n")),
        ],
        "",
        (120, 36),
    );
    bench.keys("( ( ( ( ( ( ( ( gr / w e b : v 1 enter e");
    let text = bench.text();
    assert!(text.contains("spec.containers[web].image of Pod/p"), "{text}");
    assert!(text.contains("value: web:v1"), "{text}");
}
