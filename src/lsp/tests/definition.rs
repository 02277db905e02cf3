//! Definition: from an entry to its file, from a patch to its resource.

use crate::client::{Client, SHOP, location_texts};

#[test]
fn an_entry_leads_to_its_file() {
    let mut client = Client::with_shop_document("dev/kustomization.yaml");
    let mut from = |needle| {
        location_texts(&client.request_at_text(
            "textDocument/definition",
            "dev/kustomization.yaml",
            needle,
        ))
    };
    assert_eq!(from("../base"), ["base/kustomization.yaml:1"]);
    assert_eq!(from("patch.yaml"), ["dev/patch.yaml:1"]);
}

#[test]
fn a_patch_leads_to_its_resource() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    let found = client.request_at_text("textDocument/definition", "dev/patch.yaml", "replicas");
    assert_eq!(location_texts(&found), ["base/web.yaml:1"]);
}

#[test]
fn an_entry_without_a_file_leads_to_the_resources_that_it_changes() {
    let mut client = Client::with_shop_document("prod/kustomization.yaml");
    let found =
        client.request_at_text("textDocument/definition", "prod/kustomization.yaml", "count");
    assert_eq!(location_texts(&found), ["base/web.yaml:1"]);
}

#[test]
fn a_replaced_value_leads_to_its_source() {
    let mut tree = SHOP.to_vec();
    tree.push((
        "copy/kustomization.yaml",
        "resources:\n- ../base\nreplacements:\n- source:\n    kind: Deployment\n    fieldPath: spec.replicas\n  targets:\n  - select:\n      kind: Service\n    fieldPaths:\n    - metadata.labels.count\n    options:\n      create: true\n",
    ));
    let mut client = Client::new(&tree);
    client.open("copy/kustomization.yaml");
    let found = client.request_at_text(
        "textDocument/definition",
        "copy/kustomization.yaml",
        "fieldPath: spec",
    );
    let found = location_texts(&found);
    assert!(found.iter().all(|place| place.starts_with("base/")), "{found:?}");
    assert!(!found.is_empty());
}
