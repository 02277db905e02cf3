//! Completion: fields, paths, components, kinds and names.

use serde_json::Value;

use crate::client::{Client, SHOP};

/// The labels of the completions in a response.
fn labels(answer: &Value) -> Vec<&str> {
    answer.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

/// A client with this text as the open `dev/kustomization.yaml`.
fn client_with_text(text: &str) -> Client {
    let mut tree = SHOP.to_vec();
    tree.push(("dev/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n"));
    tree.push(("tls/kustomization.yaml", "kind: Component\nnamePrefix: a-\n"));
    let mut client = Client::new(&tree);
    client.open_with("dev/kustomization.yaml", text);
    client
}

#[test]
fn completion_omits_fields_that_the_file_has() {
    let mut client = client_with_text("resources:\n- ../base\n\n");
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 2, 0);
    let found = labels(&found);
    assert!(found.contains(&"patches") && found.contains(&"namespace"), "{found:?}");
    assert!(!found.contains(&"resources") && !found.contains(&"bases"), "{found:?}");
}

#[test]
fn entries_complete_files_bases_and_components() {
    let mut client = client_with_text("resources:\n- ../base\n- \ncomponents:\n- \n");
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 2, 2);
    assert_eq!(labels(&found), ["more.yaml", "patch.yaml", "../prod"]);
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 4, 2);
    assert_eq!(labels(&found), ["../tls"]);
}

#[test]
fn a_target_completes_kinds_and_names() {
    let mut client = client_with_text(
        "resources:\n- ../base\npatches:\n- path: patch.yaml\n  target:\n    kind: Deployment\n    name: web\n",
    );
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 5, 10);
    assert_eq!(labels(&found), ["Deployment", "Service"]);
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 6, 10);
    assert_eq!(labels(&found), ["web"]);
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 3, 8);
    assert!(labels(&found).contains(&"more.yaml"), "{found}");
}

/// Entries select resources by the names that they have in their files.
#[test]
fn names_are_those_before_renames() {
    let text = "resources:\n- ../base\nnamePrefix: dev-\nreplicas:\n- name: web\n  count: 2\nimages:\n- name: web\n";
    let mut client = client_with_text(text);
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 4, 8);
    assert_eq!(labels(&found), ["web"]);
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 7, 8);
    assert_eq!(labels(&found), [""; 0], "an image is no resource");
}

#[test]
fn lists_of_mappings_complete_no_bare_path() {
    let mut client =
        client_with_text("resources:\n- ../base\npatches:\n- \n#components:\n#- ../tls\n");
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 3, 2);
    assert_eq!(labels(&found), [""; 0]);
}

#[test]
fn patch_files_have_no_completion() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    assert!(
        client.request_at_text("textDocument/completion", "dev/patch.yaml", "replicas").is_null()
    );
}
