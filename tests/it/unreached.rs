//! An unreachable remote is no fault of a tree: the output is not known, and no commit is blamed.

use serde_json::Value;

use crate::compare::{commit, repository};
use crate::support::{Tree, kzui_in, messages};

/// A URL at a port without a server.
const UNREACHABLE_URL: &str = "https://127.0.0.1:1/away.yaml";
const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n";

fn component(body: &str) -> String {
    format!("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n{body}")
}

fn tree(components: &str) -> Tree {
    Tree::new(&[
        ("kustomization.yaml", &format!("resources: [web.yaml]\ncomponents:\n{components}")),
        ("web.yaml", WEB),
        ("away/kustomization.yaml", &component(&format!("resources:\n- {UNREACHABLE_URL}\n"))),
        ("three/kustomization.yaml", &component("replicas:\n- {name: web, count: 3}\n")),
        ("five/kustomization.yaml", &component("replicas:\n- {name: web, count: 5}\n")),
    ])
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn unreachable_content_is_not_attributed_to_a_component() {
    let tree = tree("#- away\n- three\n");
    let told = kzui_in(&tree.root(), &["matrix", "--fetch", "--json"]);
    assert_eq!(told.status, Some(2), "{}{}", told.out, told.err);
    let report = json(&told.out);
    for combination in report["combinations"].as_array().unwrap() {
        let is_away = combination["on"].as_array().unwrap().contains(&"away".into());
        let result = if is_away { "unknown" } else { "builds" };
        assert_eq!(combination["result"], result, "{combination}");
        let why = combination["unknown"].as_str().unwrap_or_default();
        assert_eq!(why.contains(messages::COULD_NOT_BE_FETCHED), is_away, "{combination}");
    }
    let rules = report["rules"].as_array().unwrap();
    assert!(rules.iter().all(|rule| rule["kind"] != "fails"), "{}", told.out);
}

#[test]
fn order_of_unbuildable_target_is_an_error() {
    let tree = tree("- away\n- three\n- five\n");
    let told = kzui_in(&tree.root(), &["order", "--fetch"]);
    assert_eq!(told.status, Some(2), "{}{}", told.out, told.err);
    assert!(told.err.contains(messages::COULD_NOT_BE_FETCHED), "{}", told.err);
    assert!(!told.out.contains("order matters"), "{}", told.out);
}

#[test]
fn unreachable_commit_stays_suspect() {
    let tree = repository();
    commit(&tree, "Good");
    let base = String::from_utf8(tree.read("base/kustomization.yaml")).unwrap();
    let away = format!("{base}- {UNREACHABLE_URL}\n");
    let away = away.replace("resources: [deployment.yaml]", "resources:\n- deployment.yaml");
    tree.write("base/kustomization.yaml", &away);
    commit(&tree, "Away");
    tree.write("base/kustomization.yaml", "resources: [nowhere.yaml]\n");
    commit(&tree, "Broken");
    let told = kzui_in(
        &tree.root(),
        &["bisect", "prod", "--good", "HEAD~2", "--fails", "--fetch", "--json"],
    );
    let report = json(&told.out);
    let subjects: Vec<&str> = report["suspects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["subject"].as_str().unwrap())
        .collect();
    // The commit before is not known: either of them may be the cause.
    assert_eq!(subjects, ["Broken", "Away"], "{}", told.out);
    assert!(told.out.contains(messages::COULD_NOT_BE_FETCHED), "{}", told.out);
}

#[test]
fn unreachable_target_is_unchecked_without_error() {
    let tree = tree("- away\n");
    let told = kzui_in(&tree.root(), &["check", "--fetch", "--notes"]);
    assert_eq!(told.status, Some(0), "{}{}", told.out, told.err);
    assert!(told.out.contains("Found 0 errors"), "{}", told.out);
    assert!(told.out.contains(messages::ONE_TARGET_CHECKED_IN_PART), "{}", told.out);
    let told = kzui_in(&tree.root(), &["check", "--fetch", "--select", "KZ190"]);
    assert!(
        told.out.contains("note[KZ190]") && told.out.contains(messages::COULD_NOT_BE_FETCHED),
        "{}",
        told.out
    );
    // An error in the tree itself stays an error.
    tree.write("kustomization.yaml", "resources: [nowhere.yaml]\n");
    let told = kzui_in(&tree.root(), &["check"]);
    assert_eq!(told.status, Some(1), "{}", told.out);
    assert!(told.out.contains("KZ020"), "{}", told.out);
}
