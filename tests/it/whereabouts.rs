//! `kzui where`, `kzui graph` and `kzui grep`: all targets of a repository.

use serde_json::Value;

use crate::support::{Tree, kzui_in};

fn repository() -> Tree {
    let map =
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: plain\n";
    Tree::new(&[
        ("base/kustomization.yaml", "resources:\n- map.yaml\n"),
        ("base/map.yaml", map),
        ("base/forgotten.yaml", map),
        ("dev/kustomization.yaml", "resources:\n- ../base\ncomponents:\n- ../used\n"),
        ("prod/kustomization.yaml", "resources:\n- ../base\npatches:\n- path: gone.yaml\n"),
        (
            "prod/gone.yaml",
            "$patch: delete\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n",
        ),
        ("broken/kustomization.yaml", "resources:\n- nowhere.yaml\n"),
        (
            "used/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -x\n",
        ),
        (
            "unused/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -y\n",
        ),
    ])
}

fn json(tree: &Tree, arguments: &[&str]) -> Value {
    let answer = kzui_in(&tree.root(), arguments);
    serde_json::from_str(&answer.out).unwrap_or_else(|_| panic!("{answer:?}"))
}

/// A folder without a kustomization file: the targets of all files below it, and no others.
#[test]
fn a_folder_affects_what_its_files_affect() {
    let tree = Tree::new(&[
        ("parts/one/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
        ("parts/two/b.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"),
        ("one/kustomization.yaml", "resources: [../parts/one/a.yaml]\n"),
        ("two/kustomization.yaml", "resources: [../parts/two/b.yaml]\n"),
        (
            "chart.yaml",
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: redis}\nspec: {source: {chart: redis, repoURL: https://charts.example.com}}\n",
        ),
    ]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    let flags = ["--load-restrictor", "LoadRestrictionsNone", "--json"];
    let targets = |path: &str| -> Vec<String> {
        let report = json(&tree, &[&["where", path][..], &flags].concat());
        let targets = report["files"][0]["targets"].as_array().unwrap();
        targets.iter().map(|it| it["target"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(targets("parts"), ["one", "two"]);
    assert_eq!(targets("parts/two"), ["two"]);
}

#[test]
fn file_affects_targets_through_entries() {
    let tree = repository();
    let report = json(&tree, &["where", "base/map.yaml", "--json"]);
    let answer = &report["files"][0];
    assert_eq!((&answer["rootsReached"], &report["rootsTotal"]), (&2.into(), &3.into()));
    let targets = answer["targets"].as_array().unwrap();
    let names: Vec<&str> = targets.iter().map(|it| it["target"].as_str().unwrap()).collect();
    assert_eq!(names, ["base", "dev", "prod"]);
    let through = targets[1]["through"].as_array().unwrap().iter();
    let places: Vec<&str> = through.map(|line| line["at"].as_str().unwrap()).collect();
    assert_eq!(places, ["base/kustomization.yaml:2", "dev/kustomization.yaml:2"]);
    let resource = kzui_in(&tree.root(), &["where", "ConfigMap/settings"]).out;
    assert!(resource.contains("base/map.yaml:1") && resource.contains("  dev\n"), "{resource}");
    assert!(!resource.contains("  prod\n"), "it is deleted there: {resource}");
    let wrong = kzui_in(&tree.root(), &["where", "ConfigMap/none"]);
    assert_eq!(wrong.status, Some(2));
}

#[test]
fn unused_files_are_listed() {
    let tree = repository();
    let unused = json(&tree, &["where", "--unused", "--json"]);
    assert_eq!(unused["files"], serde_json::json!(["base/forgotten.yaml"]));
    assert_eq!(unused["components"], serde_json::json!(["unused"]));
    assert_eq!(unused["missing"][0]["at"], "broken/kustomization.yaml:2");
}

#[test]
fn grep_finds_overridden_and_final_values() {
    let tree = repository();
    let found = json(&tree, &["grep", "^plain$", "--json"]);
    assert_eq!((&found["targets"], &found["failing"]), (&3.into(), &1.into()));
    let hits = found["found"].as_array().unwrap();
    assert_eq!(hits.len(), 2, "{found:#}");
    assert_eq!((&hits[0]["target"], &hits[0]["at"]), (&"dev".into(), &"base/map.yaml:6".into()));
    assert_eq!(hits[0]["lastStep"], Value::Null);
    assert!(hits[1]["lastStep"].is_u64(), "the patch takes it away: {found:#}");
    let results = json(&tree, &["grep", "^plain$", "--json", "--results"]);
    assert_eq!(results["found"].as_array().unwrap().len(), 1);
    assert_eq!(kzui_in(&tree.root(), &["grep", "no such text"]).status, Some(1));
}

#[test]
fn graph_has_every_target_and_every_missing_one() {
    let tree = repository();
    for (format, begins, arrow) in
        [("svg", "<svg ", "<path "), ("mermaid", "flowchart", "-->"), ("dot", "digraph", "->")]
    {
        let drawn = kzui_in(&tree.root(), &["graph", "--states", "--format", format]).built();
        assert!(drawn.starts_with(begins), "{drawn}");
        assert_eq!(drawn.matches(arrow).count(), 4, "{drawn}");
        for name in ["base", "dev", "prod", "unused", "broken/nowhere.yaml"] {
            assert!(drawn.contains(name), "{drawn}");
        }
    }
    let one = kzui_in(&tree.root(), &["graph", "used", "--format", "dot"]).built();
    assert!(one.contains("dev") && !one.contains("prod"), "{one}");
}

/// A resource that every target removes is found, and counts for no target.
#[test]
fn removed_resource_is_found_in_an_earlier_step() {
    let delete = "resources: [../base]\npatches:\n- patch: |-\n    $patch: delete\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: c}\n";
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [c.yaml, d.yaml]\n"),
        ("base/c.yaml", map),
        ("base/d.yaml", &map.replace("name: c", "name: d")),
        ("over/kustomization.yaml", delete),
    ]);
    let report = json(&tree, &["where", "ConfigMap/c", "--json"]);
    let file = &report["files"][0];
    assert_eq!(file["what"], "ConfigMap/c at base/c.yaml:1");
    assert_eq!(file["rootsReached"], 0);
    assert_eq!(
        (&file["targets"][0]["target"], &file["targets"][0]["removed"]),
        (&"over".into(), &true.into())
    );
    let told = kzui_in(&tree.root(), &["where", "ConfigMap/c"]).out;
    assert!(told.contains("over  (removed again"), "{told}");
    let other = json(&tree, &["where", "ConfigMap/d", "--json"]);
    assert_eq!(other["files"][0]["rootsReached"], 1);
    assert_eq!(kzui_in(&tree.root(), &["where", "ConfigMap/e"]).status, Some(2));
}
