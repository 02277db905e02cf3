//! References: the entries on the way to the targets that use a file.

use crate::client::{Client, location_texts};

#[test]
fn a_resource_lists_the_entries_that_lead_to_it() {
    let mut client = Client::with_shop_document("base/web.yaml");
    let found = client.request_at_text("textDocument/references", "base/web.yaml", "kind");
    let found = location_texts(&found);
    for expected in
        ["base/kustomization.yaml:2", "dev/kustomization.yaml:2", "prod/kustomization.yaml:2"]
    {
        assert!(found.iter().any(|place| place == expected), "{expected} in {found:?}");
    }
}

#[test]
fn a_kustomization_lists_its_users() {
    let mut client = Client::with_shop_document("base/kustomization.yaml");
    let found =
        client.request_at_text("textDocument/references", "base/kustomization.yaml", "service");
    assert_eq!(location_texts(&found), ["dev/kustomization.yaml:2", "prod/kustomization.yaml:2"]);
}

#[test]
fn an_overridden_line_lists_the_lines_that_override_it() {
    let mut client = Client::with_shop_document("base/web.yaml");
    let found = client.request_at_text("textDocument/references", "base/web.yaml", "replicas");
    let found = location_texts(&found);
    assert!(found.iter().any(|place| place == "dev/patch.yaml:6"), "{found:?}");
}
