//! The search over all fields of all steps, including removed ones; the same function as `kzui
//! grep`.

use crate::support::{Tree, Workbench, check_screen, kzui_in, messages};

const FILES: &[(&str, &str)] = &[
    ("base/kustomization.yaml", "resources: [web.yaml, gone.yaml]\n"),
    (
        "base/web.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: web\n        image: web:1\n",
    ),
    (
        "base/gone.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: gone\ndata:\n  image: web:1\n",
    ),
    (
        "prod/kustomization.yaml",
        "resources: [../base]\nimages:\n- {name: web, newTag: \"2\"}\npatches:\n- patch: |\n    $patch: delete\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: gone}\n",
    ),
];

#[test]
fn values_are_found_at_every_step_and_in_what_is_gone() {
    let mut bench = Workbench::of_files(FILES, "prod", (120, 36));
    bench.keys(":").type_text("find web:[12]").keys("enter");
    let text = bench.text();
    check_screen("found-120x36", &bench.screen());
    assert!(text.contains("Found  web:[12]  3 values, 2 not in the output"), "{text}");
    let line = |words: &str| text.lines().find(|line| line.contains(words)).unwrap().to_owned();
    assert!(line("image: web:2").contains("end"), "{text}");
    assert!(line("ConfigMap/gone  data.image: web:1").contains("base/gone.yaml:6"), "{text}");
    assert!(line("Deployment/web  spec.template").contains("base/web.yaml:11"), "{text}");
    // The origin of the first match, and the step that removes it.
    assert!(text.contains("first set in step 1 "), "{text}");
    assert!(text.contains("removed in step"), "{text}");
    bench.keys("enter");
    let text = bench.text();
    assert!(text.contains("Deployment web") && text.contains("image: web:1"), "{text}");
}

#[test]
fn paths_are_found_too_and_a_bad_pattern_is_told() {
    let mut bench = Workbench::of_files(FILES, "prod", (80, 24));
    bench.keys("ctrl-f").type_text("spec.replicas$").keys("enter");
    assert!(bench.text().contains("spec.replicas: 1"), "{}", bench.text());
    bench.keys("ctrl-f").type_text("nothing-like-it").keys("enter");
    assert!(bench.text().contains(messages::NO_FIELD), "{}", bench.text());
    bench.keys("ctrl-f").type_text("web(").keys("enter");
    assert!(bench.text().contains("unclosed group"), "{}", bench.text());
}

#[test]
fn the_command_line_finds_the_same() {
    let tree = Tree::new(FILES);
    let found = kzui_in(&tree.root(), &["grep", "web:[12]", "prod"]);
    assert_eq!(found.out.lines().count(), 3, "{}", found.out);
    assert!(found.out.contains("then removed"), "{}", found.out);
}
