//! Inlay hints: the final value beside an overridden one.

use crate::client::{Client, SHOP};

#[test]
fn an_overridden_value_shows_the_final_ones() {
    let mut client = Client::of_shop("base/web.yaml");
    let hints = client.about("textDocument/inlayHint", "base/web.yaml");
    let hints = hints.as_array().unwrap();
    let replicas = hints.iter().find(|hint| hint["position"]["line"] == 5).unwrap();
    assert_eq!(replicas["label"], "→ 2 | 5");
    assert_eq!(replicas["position"]["character"], "  replicas: 1".len());
    assert!(hints.iter().all(|hint| hint["position"]["line"] != 10), "the image is final");
}

#[test]
fn a_prefix_counts_its_final_values() {
    let mut tree = SHOP.to_vec();
    let generator = "configMapGenerator:\n- name: a\n- name: b\n- name: c\n- name: d\n- name: e\n";
    tree.push(("maps/kustomization.yaml", generator));
    tree.push(("all/kustomization.yaml", "namePrefix: all-\nresources: [../maps]\n"));
    let mut client = Client::new(&tree);
    client.open("all/kustomization.yaml");
    let hints = client.about("textDocument/inlayHint", "all/kustomization.yaml");
    assert_eq!(hints[0]["label"], "→ 5 final values", "{hints}");
}

#[test]
fn a_value_that_is_removed_in_one_of_two_targets_has_no_hint() {
    let mut tree = SHOP.to_vec();
    let patch = "$patch: delete\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n";
    tree.push(("less/kustomization.yaml", "resources: [../base]\npatches:\n- path: patch.yaml\n"));
    tree.push(("less/patch.yaml", patch));
    let mut client = Client::new(&tree);
    client.open("base/service.yaml");
    let hints = client.about("textDocument/inlayHint", "base/service.yaml");
    let hints = hints.as_array().unwrap();
    assert!(hints.iter().all(|hint| hint["position"]["line"] != 0), "{hints:?}");
}
