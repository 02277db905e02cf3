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

/// Values are found at every step, also in resources that are removed later.
#[test]
fn values_are_found_at_every_step_and_in_what_is_gone() {
    let mut bench = Workbench::of_files(FILES, "prod", (120, 36));
    bench.keys(":").type_text("find web:[12]").keys("enter");
    let text = bench.text();
    check_screen("found-120x36", &bench.screen());
    assert!(
        text.contains(&format!("Search  web:[12]  3 values, 2 {}", messages::NOT_IN_OUTPUT)),
        "{text}"
    );
    let line = |words: &str| text.lines().find(|line| line.contains(words)).unwrap().to_owned();
    assert!(line(".image:  web:2").contains("end"), "{text}");
    assert!(line("ConfigMap/gone  data.image:").contains("base/gone.yaml:6"), "{text}");
    assert!(line("web:1   ").contains("base/web.yaml:11"), "{text}");
    // The origin of the first match, and the step that removes it.
    assert!(text.contains(&format!("{} step 1 ", messages::FIRST_SET_IN)), "{text}");
    assert!(text.contains(messages::REMOVED_IN_STEP), "{text}");
    bench.keys("enter");
    let text = bench.text();
    assert!(text.contains("Deployment web") && text.contains("image: web:1"), "{text}");
}

#[test]
fn paths_match_and_invalid_pattern_is_reported() {
    let mut bench = Workbench::of_files(FILES, "prod", (80, 24));
    bench.keys("ctrl-f").type_text("spec.replicas$").keys("enter");
    assert!(bench.text().contains("spec.replicas: 1"), "{}", bench.text());
    bench.keys("ctrl-f").type_text("nothing-like-it").keys("enter");
    assert!(bench.text().contains(messages::NO_FIELD_MATCHES), "{}", bench.text());
    bench.keys("ctrl-f").type_text("web(").keys("enter");
    assert!(bench.text().contains("unclosed group"), "{}", bench.text());
}

#[test]
fn grep_finds_the_same_values_as_the_workbench() {
    let tree = Tree::new(FILES);
    let found = kzui_in(&tree.root(), &["grep", "web:[12]", "prod"]);
    assert_eq!(found.out.lines().count(), 3, "{}", found.out);
    assert!(found.out.contains("then removed"), "{}", found.out);
}

#[test]
fn table_lists_values_and_images_of_all_targets() {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        (
            "base/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  template:\n    spec:\n      \
             containers: [{name: web, image: 'example.com:5000/web:1'}]\n",
        ),
        ("dev/kustomization.yaml", "resources: [../base]\n"),
        (
            "prod/kustomization.yaml",
            "resources: [../base]\nreplicas: [{name: web, count: 3}]\nimages: [{name: 'example.com:5000/web', newTag: '2'}]\n",
        ),
        ("fails/kustomization.yaml", "resources: [none.yaml]\n"),
        ("other/kustomization.yaml", "configMapGenerator: [{name: c, literals: [a=b]}]\n"),
    ]);
    let table = kzui_in(&tree.root(), &["table", "Deployment:spec.replicas"]);
    assert_eq!(table.status, Some(0), "{}", table.err);
    let cells = |text: &str| -> Vec<Vec<String>> {
        text.lines()
            .map(|line| {
                line.split("  ")
                    .map(str::trim)
                    .filter(|it| !it.is_empty())
                    .map(str::to_owned)
                    .collect()
            })
            .collect()
    };
    let rows = cells(&table.out);
    assert_eq!(rows[0], ["TARGET", "RESOURCE", "Deployment:spec.replicas"]);
    assert!(
        rows.contains(&vec!["dev".to_owned(), "Deployment/web".to_owned(), "1".to_owned()]),
        "{rows:?}"
    );
    assert!(
        rows.contains(&vec!["prod".to_owned(), "Deployment/web".to_owned(), "3".to_owned()]),
        "{rows:?}"
    );
    assert!(
        rows.contains(&vec!["fails".to_owned(), "–".to_owned(), "not known".to_owned()]),
        "{rows:?}"
    );
    assert!(rows.contains(&vec!["other".to_owned(), "–".to_owned(), "–".to_owned()]), "{rows:?}");
    assert!(table.err.contains("fails"), "{}", table.err);
    let images = kzui_in(&tree.root(), &["images"]);
    let rows = cells(&images.out);
    assert_eq!(rows[1], ["example.com:5000/web", "1", "Deployment/web", "dev"]);
    assert_eq!(rows[2], ["2", "Deployment/web", "prod"]);
    let report = kzui_in(&tree.root(), &["images", "prod", "--json"]).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["images"][0]["uses"][0]["at"], "prod/kustomization.yaml:3", "{report:#}");
    assert_eq!(kzui_in(&tree.root(), &["table", "spec.nothing"]).status, Some(1));
    assert_eq!(kzui_in(&tree.root(), &["images", "nowhere"]).status, Some(2));
}

#[test]
fn patterns_are_no_images_and_a_star_in_brackets_has_a_remedy() {
    let policy = "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: p}\nspec: {rules: [{validate: {pattern: {spec: {containers: [{image: '!*:latest'}, {image: '*'}]}}}}]}\n";
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: 'web:1'}]}\n";
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [policy.yaml, pod.yaml]\n"),
        ("policy.yaml", policy),
        ("pod.yaml", pod),
    ]);
    let images = kzui_in(&tree.root(), &["images"]).out;
    assert_eq!(images.lines().count(), 2, "{images}");
    let table = kzui_in(&tree.root(), &["table", "Pod:spec.containers[*].image"]);
    assert_eq!(table.status, Some(2));
    assert!(table.err.contains("write Pod:spec.containers.image: "), "{}", table.err);
}
