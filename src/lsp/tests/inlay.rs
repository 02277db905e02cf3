//! Inlay hints: the final value beside an overridden one.

use crate::client::{Client, SHOP};

#[test]
fn an_overridden_value_shows_the_final_ones() {
    let mut client = Client::with_shop_document("base/web.yaml");
    let hints = client.request_for_document("textDocument/inlayHint", "base/web.yaml");
    let hints = hints.as_array().unwrap();
    let replicas = hints.iter().find(|hint| hint["position"]["line"] == 5).unwrap();
    assert_eq!(replicas["label"], "→ 2 | 5");
    assert_eq!(replicas["position"]["character"], "  replicas: 1".len());
    assert!(hints.iter().all(|hint| hint["position"]["line"] != 10), "the image is final");
}

#[test]
fn many_final_values_are_counted() {
    let mut tree = SHOP.to_vec();
    for file in ["a/kustomization.yaml", "b/kustomization.yaml", "c/kustomization.yaml"] {
        tree.push((file, "namePrefix: a-\nresources: [../base]\n"));
    }
    let more = [("d", "b-"), ("e", "c-"), ("f", "d-")];
    let more = more.map(|(folder, prefix)| {
        let text = format!("namePrefix: {prefix}\nresources: [../base]\n");
        (format!("{folder}/kustomization.yaml"), text)
    });
    tree.extend(more.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let mut client = Client::new(&tree);
    client.open("base/web.yaml");
    let hints = client.request_for_document("textDocument/inlayHint", "base/web.yaml");
    let hints = hints.as_array().unwrap();
    let name = hints.iter().find(|hint| hint["position"]["line"] == 3).unwrap();
    assert_eq!(name["label"], "→ 5 final values");
}

#[test]
fn a_prefix_has_no_hint() {
    let mut tree = SHOP.to_vec();
    let generator = "namePrefix: all-\nconfigMapGenerator:\n- name: a\n- name: b\n";
    tree.push(("all/kustomization.yaml", generator));
    let mut client = Client::new(&tree);
    client.open("all/kustomization.yaml");
    let hints = client.request_for_document("textDocument/inlayHint", "all/kustomization.yaml");
    let hints = hints.as_array().unwrap();
    assert!(hints.iter().all(|hint| hint["position"]["line"] != 0), "{hints:?}");
}

#[test]
fn a_value_that_is_removed_in_one_of_two_targets_has_no_hint() {
    let mut tree = SHOP.to_vec();
    let patch = "$patch: delete\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n";
    tree.push(("less/kustomization.yaml", "resources: [../base]\npatches:\n- path: patch.yaml\n"));
    tree.push(("less/patch.yaml", patch));
    let mut client = Client::new(&tree);
    client.open("base/service.yaml");
    let hints = client.request_for_document("textDocument/inlayHint", "base/service.yaml");
    let hints = hints.as_array().unwrap();
    assert!(hints.iter().all(|hint| hint["position"]["line"] != 0), "{hints:?}");
}
