//! The history of a field on the Resource screen: it belongs to the element and to the complete
//! value.

use crate::support::{Workbench, line_with, messages, numbers_after};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n";

/// The rows of the history of the first line that has a text.
fn history(files: &[(&str, &str)], keys: &str, line: &str) -> Vec<String> {
    let mut bench = Workbench::of_files(files, "", (200, 60));
    bench.keys("gr").keys(keys).keys("/").type_text(line).keys("enter tab");
    let text = bench.text();
    let rows = text.lines().skip_while(|row| !row.contains("History")).skip(1);
    let rows = rows.filter_map(|row| {
        let row = row.rsplit('┌').next()?.trim_matches(['║', '│', ' ']);
        let is_step =
            row.trim_start_matches('▶').trim_start().starts_with(|c: char| c.is_ascii_digit());
        is_step
            .then(|| row.trim_start_matches('▶').split_whitespace().collect::<Vec<_>>().join(" "))
    });
    rows.collect()
}

#[test]
fn history_follows_element_not_index() {
    let with =
        |name: &str, image: &str| format!("{WEB}      - name: {name}\n        image: {image}\n");
    let (base, side, app) = (with("app", "app:1"), with("sidecar", "side:1"), with("app", "app:2"));
    let files = [
        ("kustomization.yaml", "resources: [d.yaml]\npatches:\n- path: a.yaml\n- path: b.yaml\n"),
        ("d.yaml", &*base),
        ("a.yaml", &*side),
        ("b.yaml", &*app),
    ];
    let rows = history(&files, "", "app:2");
    assert_eq!(rows.len(), 2, "{rows:#?}");
    assert!(rows[0].contains("app:1") && rows[0].ends_with("d.yaml:9"), "{rows:#?}");
    assert!(rows[1].contains("app:2") && rows[1].ends_with("b.yaml:9"), "{rows:#?}");
    // At an earlier time, with another index of the element, later steps are shown too.
    assert_eq!(history(&files, "gs g g gr", "app:1"), rows);
}

#[test]
fn history_covers_multiline_texts_lists_and_equal_writes() {
    let map = |level: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  conf: |\n    [main]\n    level={level}\n"
        )
    };
    let (first, second, third) = (map("info"), map("debug"), map("debug"));
    let files = [
        ("kustomization.yaml", "resources: [cm.yaml]\npatches:\n- path: a.yaml\n- path: b.yaml\n"),
        ("cm.yaml", &*first),
        ("a.yaml", &*second),
        ("b.yaml", &*third),
    ];
    let rows = history(&files, "", "conf");
    assert_eq!(rows.len(), 3, "{rows:#?}");
    assert!(rows[1].contains("level=debug") && rows[1].ends_with("a.yaml:5"), "{rows:#?}");
    assert!(rows[2].contains("same value") && rows[2].ends_with("b.yaml:5"), "{rows:#?}");
    let whole = history(&files, "", "data:");
    assert_eq!(whole.len(), 3, "{whole:#?}");
}

/// A Deployment with another object that scales it, and a patch with a misspelled target.
const SCALED: [(&str, &str); 2] = [
    (
        "kustomization.yaml",
        "namePrefix: p-\nresources: [all.yaml]\npatches:\n- target: {kind: Deployment, name: wab}\n  patch: |-\n    - {op: remove, path: /spec}\n",
    ),
    (
        "all.yaml",
        "apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 1}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web}
spec:
  scaleTargetRef:
    name: web
",
    ),
];

/// The text on the screen after `w` on a line of a resource.
fn why(keys: &str, line: &str) -> String {
    let mut bench = Workbench::of_files(&SCALED, "", (160, 36));
    bench.keys("G gr").keys(keys).keys("/").type_text(line).keys("enter w");
    bench.text()
}

#[test]
fn why_explains_the_selected_field() {
    let told = why("]r", "name: web");
    assert!(told.contains("Why  KZ210"), "{told}");
    let told = why("", "replicas: 1");
    let pane = ["Why  Deployment/p-web  spec.replicas", "final", "load all.yaml"];
    assert!(pane.iter().all(|words| told.contains(words)), "{told}");
}

#[test]
fn why_explains_the_selected_problem_resource_and_step() {
    let mut bench = Workbench::of_files(&SCALED, "", (160, 36));
    bench.keys("gp w");
    assert!(bench.text().contains("╔ Why  KZ101"), "{}", bench.text());
    bench.keys("esc G gr tab w");
    let told = bench.text();
    // The number of steps that wrote it, the first one and the last one.
    let resource = line_with(&told, messages::NO_PROBLEM);
    assert!(numbers_after(resource, "Deployment p-web: ").starts_with(&[2, 1, 3]), "{told}");
    bench.keys("gs g g w");
    let told = bench.text();
    let step = line_with(&told, messages::NO_PROBLEM);
    assert!(step.contains("step 1, load all.yaml: 2 "), "{told}");
}

#[test]
fn pending_target_reports_only_pending_reason() {
    let files = [(
        "kustomization.yaml",
        "resources:\n- https://git.example.com/team/base?ref=v1\npatches:\n- target: {kind: ServiceMonitor}\n  patch: |-\n    - {op: remove, path: /spec}\n",
    )];
    let mut bench = Workbench::of_files(&files, "", (160, 36));
    let told = bench.text();
    assert!(told.contains(messages::PENDING_UNTIL_EARLIER), "{told}");
    assert!(!told.contains("no effect") && !told.contains("without effect"), "{told}");
    assert!(told.contains(messages::ONE_STEP_TO_FETCH), "{told}");
    assert!(told.contains(messages::EFFECT_PENDING), "{told}");
    bench.keys("gp");
    let told = bench.text();
    assert!(told.contains(messages::FETCH_ASKS), "{told}");
}

#[test]
fn failing_component_is_not_reported_as_without_effect() {
    let files = [
        ("kustomization.yaml", "resources: [map.yaml]\ncomponents: [part]\n"),
        ("map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
        (
            "part/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nreplacements:\n- source: {kind: Secret, name: none}\n  targets: []\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    for screen in ["1", "gc"] {
        bench.keys(screen);
        let told = bench.text();
        assert!(told.contains("fails"), "{screen}: {told}");
        assert!(!told.contains("no effect"), "{screen}: {told}");
    }
}
