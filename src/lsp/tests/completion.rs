//! Completion: fields, paths, components, kinds and names.

use serde_json::Value;

use crate::client::{Client, SHOP};

fn labels(answer: &Value) -> Vec<&str> {
    answer.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

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

/// A word that is typed makes the file invalid until it has a colon.
#[test]
fn a_typed_word_does_not_hide_the_fields_that_the_file_has() {
    let mut client = client_with_text("resources:\n- ../base\nrep\nnamePrefix: a-\n");
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 2, 3);
    let found = labels(&found);
    assert!(found.contains(&"replicas"), "{found:?}");
    assert!(!found.contains(&"resources") && !found.contains(&"namePrefix"), "{found:?}");
}

#[test]
fn names_of_a_selection_are_limited_to_its_kind() {
    let text = "resources:\n- ../base\n- more.yaml\npatches:\n- path: patch.yaml\n  target:\n    kind: ConfigMap\n    name: \nreplacements:\n- source:\n    name: \n    kind: \"Service\" # why\n    fieldPath: metadata.name\n  targets:\n  - select:\n      kind: Other\n      name: \n";
    let mut client = client_with_text(text);
    for (line, column, expected) in [(7, 10, "more"), (10, 10, "web"), (16, 12, "more web")] {
        let found = client.request_at_position(
            "textDocument/completion",
            "dev/kustomization.yaml",
            line,
            column,
        );
        assert_eq!(labels(&found).join(" "), expected, "line {line}");
    }
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
fn entries_complete_their_fields() {
    let text = "resources:\n- ../base\npatches:\n- \n- path: patch.yaml\n  \n  target:\n    kind: Deployment\n    \n#components:\n#- ../tls\n";
    let mut client = client_with_text(text);
    let mut at = |line, column| {
        let found = client.request_at_position(
            "textDocument/completion",
            "dev/kustomization.yaml",
            line,
            column,
        );
        labels(&found).join(" ")
    };
    assert_eq!(at(3, 2), "path patch target options");
    assert_eq!(at(5, 2), "patch options");
    assert!(at(8, 4).contains("labelSelector") && !at(8, 4).contains("kind"), "{}", at(8, 4));
}

#[test]
fn resources_and_patches_complete_the_fields_of_their_type() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    let mut labels_at = |text: &str, line: usize, column: usize| {
        client.change("dev/patch.yaml", text);
        let found =
            client.request_at_position("textDocument/completion", "dev/patch.yaml", line, column);
        labels(&found).join(" ")
    };
    let head = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n";
    let found = labels_at(&format!("{head}  replicas: 2\n  \n"), 6, 2);
    assert!(found.contains("minReadySeconds") && !found.contains("replicas"), "{found}");
    let pod = "  template:\n    spec:\n      containers:\n      - name: web\n        \n";
    let found = labels_at(&format!("{head}{pod}"), 9, 8);
    assert!(found.contains("livenessProbe") && !found.split(' ').any(|it| it == "name"), "{found}");
    assert!(labels_at("kind: \n", 0, 6).contains("DaemonSet"));
    assert_eq!(labels_at("apiVersion: \nkind: Deployment\n", 0, 12), "apps/v1");
    assert_eq!(labels_at(head, 5, 0), "status");
    assert_eq!(labels_at("apiVersion: none/v1\nkind: Other\nspec:\n  \n", 3, 2), "");
}

#[test]
fn inline_patches_complete_fields_and_paths() {
    let text = "resources:\n- ../base\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: Service\n    metadata:\n      name: web\n    spec:\n      \n- target:\n    kind: Deployment\n  patch: |-\n    - op: add\n      path: /spec/template/spec/containers/0/\n";
    let mut client = client_with_text(text);
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 9, 6);
    assert!(labels(&found).contains(&"clusterIP"), "{found}");
    let found =
        client.request_at_position("textDocument/completion", "dev/kustomization.yaml", 14, 46);
    assert!(labels(&found).contains(&"imagePullPolicy"), "{found}");
}

#[test]
fn custom_resources_complete_the_fields_of_their_definition() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: shops.example.com\nspec:\n  group: example.com\n  names: {kind: Shop, plural: shops}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            properties:\n              owner: {type: string, enum: [me, you]}\n              doors: {type: array, items: {type: object, properties: {width: {type: integer}}}}\n";
    let shop = "apiVersion: example.com/v1\nkind: Shop\nmetadata:\n  name: s\n  \nspec:\n  owner: me\n  \n  doors:\n  - \n";
    let mut tree = SHOP.to_vec();
    tree.push(("crds/shop.yaml", definition));
    tree.push(("base/shop.yaml", shop));
    let mut client = Client::new(&tree);
    client.open("base/shop.yaml");
    let mut at = |line, column| {
        let found =
            client.request_at_position("textDocument/completion", "base/shop.yaml", line, column);
        labels(&found).join(" ")
    };
    assert_eq!(at(7, 2), "", "both fields are there");
    assert_eq!(at(9, 4), "width");
    assert_eq!(at(6, 9), "me you");
    assert!(at(4, 2).contains("labels"));
    assert!(at(1, 6).split(' ').any(|it| it == "Shop"));
}

#[test]
fn types_of_an_openapi_schema_are_completed() {
    let schema = r#"{"definitions": {"a.Shop": {"type": "object",
        "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Shop"}],
        "properties": {"spec": {"type": "object", "properties": {"owner": {"type": "string"}}}}}}}"#;
    let mut tree = SHOP.to_vec();
    tree.push(("shop/schema.json", schema));
    tree.push((
        "shop/kustomization.yaml",
        "resources: [shop.yaml]\nopenapi: {path: schema.json}\n",
    ));
    tree.push(("shop/shop.yaml", "apiVersion: example.com/v1\nkind: Shop\nspec:\n  \n"));
    let mut client = Client::new(&tree);
    client.open("shop/shop.yaml");
    let found = client.request_at_position("textDocument/completion", "shop/shop.yaml", 3, 2);
    assert_eq!(labels(&found), ["owner"]);
}
