//! References: the entries on the way to the targets that use a file.

use crate::client::{Client, location_texts};

/// The places that refer to the first `needle` in a document of the shop.
fn references(path: &str, needle: &str) -> Vec<String> {
    let mut client = Client::with_shop_document(path);
    location_texts(&client.request_at_text("textDocument/references", path, needle))
}

#[test]
fn a_resource_lists_the_entries_that_lead_to_it() {
    let found = references("base/web.yaml", "kind");
    for expected in
        ["base/kustomization.yaml:2", "dev/kustomization.yaml:2", "prod/kustomization.yaml:2"]
    {
        assert!(found.iter().any(|place| place == expected), "{expected} in {found:?}");
    }
}

#[test]
fn a_kustomization_lists_its_users() {
    let found = references("base/kustomization.yaml", "service");
    assert_eq!(found, ["dev/kustomization.yaml:2", "prod/kustomization.yaml:2"]);
}

#[test]
fn an_overridden_line_lists_the_lines_that_override_it() {
    let found = references("base/web.yaml", "replicas");
    assert!(found.iter().any(|place| place == "dev/patch.yaml:6"), "{found:?}");
}
