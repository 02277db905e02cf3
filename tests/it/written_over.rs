//! Findings of `check` about entries with values that are overridden later, and about pending ones:
//! the location of the value, and no fix that would break the build.

use serde_json::Value;

use crate::support::{Tree, kzui_in, messages};

const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n";

/// The findings of one code.
fn told(tree: &Tree, code: &str) -> Vec<Value> {
    let arguments = ["check", "--offline", "--notes", "--format", "json", "--select", code];
    let answer = kzui_in(&tree.root(), &arguments);
    let report: Value = serde_json::from_str(&answer.out).expect("it is JSON");
    report["findings"].as_array().unwrap().clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A replacement is meant to override a placeholder: without it the build would fail.
#[test]
fn filled_placeholder_is_no_overridden_value() {
    let patches = "patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    spec: {replicas: 0, paused: true}\n";
    let replacement = "replacements:\n- source: {kind: ConfigMap, name: sizes, fieldPath: data.web}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [spec.replicas]\n";
    let again = "- target: {name: web}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 1}]'\n";
    let sizes = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sizes}\ndata: {web: \"5\"}\n";
    let with = |patches: &str| {
        let entries = format!("resources: [web.yaml, sizes.yaml]\n{patches}{replacement}");
        Tree::new(&[("web.yaml", WEB), ("sizes.yaml", sizes), ("kustomization.yaml", &entries)])
    };
    assert_eq!(told(&with(patches), "KZ124"), Vec::<Value>::new());
    assert_eq!(told(&with(&format!("{patches}{again}")), "KZ124").len(), 1);
}

/// A deletion of a complete object has no value that could be changed.
#[test]
fn removed_object_has_no_value_to_change() {
    let patches = "- target: {name: web}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 5}]'\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    $patch: delete\n";
    let entries = format!("resources: [web.yaml, api.yaml]\npatches:\n{patches}");
    let tree = Tree::new(&[
        ("web.yaml", WEB),
        ("api.yaml", &WEB.replace("web", "api")),
        ("kustomization.yaml", &entries),
    ]);
    let found = told(&tree, "KZ110");
    let hint = text(&found[0]["hint"]);
    assert!(hint.starts_with(messages::REMOVE_THIS_ENTRY), "{found:#?}");
    assert!(!hint.contains(messages::CHANGE_VALUE), "{found:#?}");
}

/// The value of a patch file is in that file, not in the entry that lists it.
#[test]
fn the_value_to_change_is_that_of_the_patch_file() {
    let patch = |spec: &str| {
        format!("kind: Deployment\napiVersion: apps/v1\nmetadata: {{name: web}}\nspec:\n{spec}")
    };
    let with = |first: &str| {
        let tree = Tree::new(&[
            ("web.yaml", WEB),
            ("first.yaml", &patch(first)),
            ("second.yaml", &patch("  replicas: 7\n")),
            (
                "kustomization.yaml",
                "resources: [web.yaml]\npatches: [path: first.yaml, path: second.yaml]\n",
            ),
        ]);
        (told(&tree, "KZ124"), told(&tree, "KZ110"))
    };
    let (partly, _) = with("  replicas: 5\n  paused: true\n");
    let change = format!("{} at second.yaml:5", messages::CHANGE_VALUE);
    assert_eq!(text(&partly[0]["hint"]), change, "{partly:#?}");
    let (_, wholly) = with("  replicas: 5\n");
    let hint = text(&wholly[0]["hint"]);
    assert!(hint.starts_with(&format!("{change}, or ")), "{wholly:#?}");
    assert!(hint.contains(messages::REMOVE_THIS_ENTRY), "{wholly:#?}");
}

/// While a base is pending, a value that is already set is no finding; a patch without a match is
/// one.
#[test]
fn unknown_match_is_reported_if_it_may_be_a_mistake() {
    let entries = "namespace: shop\nresources: [web.yaml, 'https://example.com/shop//base?ref=v1']\n\
                   patches:\n- target: {name: api}\n  patch: '[{\"op\": \"remove\", \"path\": \"/spec\"}]'\n";
    let tree = Tree::new(&[
        ("web.yaml", &WEB.replace("{name: web}", "{name: web, namespace: shop}")),
        ("kustomization.yaml", entries),
    ]);
    assert!(!told(&tree, "KZ190").is_empty());
    let found = told(&tree, "KZ191");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(text(&found[0]["message"]).contains(" \"api\""), "{found:#?}");
}
