//! An Argo CD Application with several sources: one target with the steps of each.

use serde_json::Value;

use crate::deployed::{build, conversation, read_text, toggle_row_and_write};
use crate::support::{Tree, kzui_in};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";

/// An Application with a source of Kustomize, a plain directory, and another source of Kustomize.
fn several_sources() -> Tree {
    let config = |namespace: &str, value: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n{namespace}data:\n  k: {value}\n"
        )
    };
    let url = "https://example.com/shop.git";
    let tree = Tree::new(&[
        ("web/kustomization.yaml", "resources: [web.yaml]\n"),
        ("web/web.yaml", WEB),
        ("plain/extra.yaml", &config("", "plain")),
        ("other/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("other/cm.yaml", &config("  namespace: prod\n", "other")),
        (
            "app.yaml",
            &format!(
                "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: shop}}\nspec:\n  \
                 destination: {{namespace: prod}}\n  sources:\n  - repoURL: {url}\n    path: web\n    kustomize:\n      \
                 namePrefix: a-\n  - repoURL: {url}\n    path: plain\n  - repoURL: {url}\n    path: other\n    \
                 kustomize:\n      namePrefix: b-\n      commonAnnotations: {{team: shop}}\n      #nameSuffix: -c\n"
            ),
        ),
    ]);
    tree.commit("one");
    tree
}

#[test]
fn each_source_of_an_application_has_its_own_steps() {
    let tree = several_sources();
    let run = |arguments: &[&str]| kzui_in(&tree.root(), arguments).out;
    let why = |field: &[&str]| run(&[&["why", "--porcelain", "app.yaml"], field].concat());
    let name = why(&["Deployment/a-web", "metadata.name"]);
    assert!(name.contains("app.yaml:10"), "{name}");
    let team = why(&["ConfigMap/b-extra", "metadata.annotations.team"]);
    assert!(team.contains("app.yaml:17"), "{team}");
    let blame = run(&["blame", "app.yaml"]);
    for file in ["web/web.yaml:1", "plain/extra.yaml:6", "other/cm.yaml:7", "app.yaml:16"] {
        assert!(blame.contains(file), "{file}: {blame}");
    }
    for file in ["web/web.yaml", "plain/extra.yaml", "other/cm.yaml"] {
        assert!(run(&["where", file]).contains("app.yaml#shop"), "{file}");
    }
    let check = run(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&check).unwrap();
    assert_eq!(report["targets"], 1, "{check}");
    let graph = run(&["graph", "--format", "mermaid"]);
    assert_eq!(graph.matches("deploys:").count(), 2, "{graph}");
}

#[test]
fn the_tree_of_several_sources_lists_each_with_its_additions() {
    let tree = several_sources();
    let text = conversation(&tree, "app.yaml", "tree\nquit!\n");
    for line in [
        "Level 1. sources. 3 entries, in the order of Argo CD",
        "Level 2. web. ",
        "Level 2. plain. ",
        "Level 2. other. ",
        "Level 2. spec.sources.0.kustomize",
        "Level 3. namePrefix a-",
        "Level 2. spec.sources.2.kustomize",
        "Level 3. namePrefix b-",
        "Level 3. nameSuffix -c. Off",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(!text.contains("Level 1. resources"), "{text}");
    toggle_row_and_write(&tree, "app.yaml", "nameSuffix -c. Off");
    assert!(read_text(&tree, "app.yaml").contains("      nameSuffix: -c\n"));
    let built = build(&tree, "app.yaml");
    assert!(built.contains("name: b-extra-c") && built.contains("name: a-web\n"), "{built}");
}
