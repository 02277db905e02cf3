//! The step screen contains all facts about a step.

use crate::support::{Tree, Workbench, kzui_in, line_with, messages};

const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n";

/// A patch with the target `name` that sets the replicas.
fn replicas(name: &str, count: u8) -> String {
    format!(
        "- target: {{kind: Deployment, name: {name}}}\n  patch: |-\n    - {{op: replace, path: /spec/replicas, value: {count}}}\n"
    )
}

/// A workbench on a Deployment with these patches.
fn workbench_with_patches(patches: &[String]) -> Workbench {
    let text = format!("resources: [web.yaml]\npatches:\n{}", patches.concat());
    Workbench::of_files(&[("kustomization.yaml", text.as_str()), ("web.yaml", WEB)], "", (120, 36))
}

#[test]
fn step_without_effect_shows_its_reason() {
    let mut bench = workbench_with_patches(&[replicas("wbe", 9)]);
    bench.keys("gs < )");
    let text = bench.text();
    assert!(text.contains(messages::NO_MATCH), "{text}");
    assert!(text.contains("\"wbe\" → \"web\""), "{text}");
    let mut bench = workbench_with_patches(&[replicas("web", 3)]);
    bench.keys("gs < )");
    let text = bench.text();
    assert!(text.contains(messages::NO_CHANGE), "{text}");
    assert!(text.contains("demo/web.yaml:4"), "{text}");
    bench.keys("gp");
    assert!(bench.text().contains(messages::ONE_NOTE), "{}", bench.text());
}

#[test]
fn step_with_warning_is_marked_and_explained() {
    let mut bench = workbench_with_patches(&[replicas("web", 7), replicas("web", 8)]);
    bench.keys("gs < )");
    let text = bench.text();
    let row = text.lines().find(|line| line.contains("▶    2")).unwrap();
    assert!(row.contains('△'), "{text}");
    assert!(text.contains("△ KZ110 "), "{text}");
    assert!(text.contains("~ Deployment web"), "the changes stand below it: {text}");
    bench.keys("1");
    assert!(bench.text().contains("~ Deployment web  warned"), "{}", bench.text());
    bench.resize(80, 24);
    bench.keys("gs");
    assert!(bench.text().contains("△ KZ110"), "{}", bench.text());
}

#[test]
fn schema_warning_is_shown_in_problems() {
    let files = [
        ("kustomization.yaml", "resources: [web.yaml]\nopenapi: {path: [a.json]}\n"),
        ("a.json", "{}"),
        ("web.yaml", WEB),
    ];
    let mut bench = Workbench::of_files(&files, "", (160, 36));
    bench.keys("gp");
    let text = bench.text();
    assert!(text.contains("KZ60"), "{text}");
    bench.keys("enter");
    let text = bench.text();
    assert!(
        text.contains(&format!(
            "KZ606 openapi.path: {}",
            messages::KUSTOMIZE_CANNOT_READ_LIST_HERE
        )),
        "{text}"
    );
    let row = text.lines().find(|line| line.contains("▶    1")).unwrap();
    assert!(row.contains('△'), "{text}");
}

#[test]
fn each_label_comes_from_its_own_line() {
    let text = "resources: [web.yaml]\nlabels:\n- pairs:\n    tier: front\n    zone: a\ncommonAnnotations:\n  note: x\n";
    let files = [("kustomization.yaml", text), ("web.yaml", WEB)];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("gr");
    let text = bench.text();
    for (line, value) in [(4, "tier: front"), (5, "zone: a"), (7, "annotations:")] {
        let row = text.lines().find(|row| row.contains(value)).unwrap();
        assert!(row.contains(&format!(" demo:{line} ")), "{text}");
    }
}

/// A field that is not configured as a reference: a question about it names the renamed resources.
#[test]
fn unchanged_reference_is_explained_by_missing_configuration() {
    const APP: &str = "apiVersion: example.com/v1\nkind: App\nmetadata:\n  name: app\n  labels: {from: conf}\n\
                       spec:\n  settings: conf\n  other: free\n  many: [a, conf]\n";
    const NAMES: &str =
        "nameReference:\n- kind: ConfigMap\n  fieldSpecs: [{path: spec/settings, kind: App}]\n";
    let config = |kind: &str| format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: conf}}\n");
    let kustomization = "namePrefix: dev-\nresources: [app.yaml, conf.yaml]\n";
    let files = |kustomization: &'static str, conf: String| {
        Tree::new(&[
            ("kustomization.yaml", kustomization),
            ("app.yaml", APP),
            ("conf.yaml", &conf),
            ("names.yaml", NAMES),
        ])
    };
    let why = |tree: &Tree, field: &str| {
        kzui_in(&tree.root(), &["why", "--porcelain", "App/app", field]).built()
    };
    let tree = files(kustomization, config("ConfigMap"));
    let told = why(&tree, "spec.settings");
    let missed = line_with(&told, "KZ210: ");
    for part in [
        "spec.settings of App dev-app",
        "\"conf\"",
        messages::OLD_NAME,
        "\"dev-conf\"",
        "nameReference: [{kind: ConfigMap, fieldSpecs: [{path: spec/settings, group: example.com, kind: App}]}]",
    ] {
        assert!(missed.contains(part), "{part}: {told}");
    }
    assert!(
        why(&tree, "spec.many[1]").contains("path: spec/many,"),
        "{}",
        why(&tree, "spec.many[1]")
    );
    for field in ["spec.other", "spec.many[0]", "metadata.labels.from", "metadata.name"] {
        assert!(!why(&tree, field).contains("KZ210"), "{}", why(&tree, field));
    }
    // If two resources had the name, either may be meant.
    let both = files(kustomization, config("ConfigMap") + "---\n" + &config("Secret"));
    let told = why(&both, "spec.settings");
    for kind in ["ConfigMap", "Secret"] {
        assert!(told.contains(&format!("nameReference: [{{kind: {kind},")), "{told}");
    }
    // A name that Kustomize updates was not missed, and a resource without a rename has its name.
    let known_text =
        "namePrefix: dev-\nresources: [app.yaml, conf.yaml]\nconfigurations: [names.yaml]\n";
    let known = files(known_text, config("ConfigMap"));
    assert!(
        why(&known, "spec.settings").contains("=dev-conf\tApp"),
        "{}",
        why(&known, "spec.settings")
    );
    assert!(!why(&known, "spec.settings").contains("KZ210"));
    let plain = files("resources: [app.yaml, conf.yaml]\n", config("ConfigMap"));
    assert!(!why(&plain, "spec.settings").contains("KZ210"));
    // A name that Kustomize knows and does not update is reported with the text of the step.
    let held = Tree::new(&[
        ("kustomization.yaml", known_text),
        ("app.yaml", &APP.replace("settings: conf", "settings: {name: conf, namespace: other}")),
        ("conf.yaml", &config("ConfigMap")),
        ("names.yaml", NAMES),
    ]);
    let told = why(&held, "spec.settings.name");
    assert!(told.contains("KZ113: ") && !told.contains("KZ210"), "{told}");
    // The workbench has the same answer for a field.
    let mut bench = Workbench::of_files(
        &[
            ("kustomization.yaml", kustomization),
            ("app.yaml", APP),
            ("conf.yaml", &config("ConfigMap")),
        ],
        "",
        (160, 48),
    );
    bench.keys("gr / s e t t i n g s enter w");
    let text = bench.text();
    assert!(text.contains("KZ210: spec.settings of App dev-app"), "{text}");
    assert!(text.contains(messages::OLD_NAME), "{text}");
}

#[test]
fn swapped_arguments_get_a_hint() {
    let tree = Tree::new(&[("kustomization.yaml", "resources: [web.yaml]\n"), ("web.yaml", WEB)]);
    let swapped = kzui_in(&tree.root(), &["why", "spec.replicas", "Deployment/web"]);
    assert_eq!(swapped.status, Some(2), "{}", swapped.out);
    let help = "help: name the resource before the field: kzui why Deployment/web spec.replicas\n";
    assert!(swapped.err.ends_with(help), "{}", swapped.err);
    let misspelt = kzui_in(&tree.root(), &["why", "Deployment/wob", "spec.replicas"]);
    assert!(!misspelt.err.contains("before the field"), "{}", misspelt.err);
}
