//! Completion: fields, paths, components, kinds and names.

use crate::client::{Client, SHOP};

/// The labels at a position of a document, from 0, separated by spaces.
fn labels(client: &mut Client, path: &str, line: usize, column: usize) -> String {
    let found = client.request_at_position("textDocument/completion", path, line, column);
    let labels = found.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap());
    labels.collect::<Vec<_>>().join(" ")
}

/// The labels at positions of `dev/kustomization.yaml` with this text.
fn labels_in(text: &str) -> impl FnMut(usize, usize) -> String {
    let more = [
        ("dev/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n"),
        ("tls/kustomization.yaml", "kind: Component\nnamePrefix: a-\n"),
    ];
    let mut client = Client::new(&[SHOP, &more].concat());
    client.open_with("dev/kustomization.yaml", text);
    move |line, column| labels(&mut client, "dev/kustomization.yaml", line, column)
}

fn has(labels: &str, label: &str) -> bool {
    labels.split(' ').any(|it| it == label)
}

#[test]
fn completion_omits_fields_that_the_file_has() {
    let found = labels_in("resources:\n- ../base\n\n")(2, 0);
    assert!(has(&found, "patches") && has(&found, "namespace"), "{found}");
    assert!(!has(&found, "resources") && !has(&found, "bases"), "{found}");
}

/// A word that is typed makes the file invalid until it has a colon.
#[test]
fn a_typed_word_does_not_hide_the_fields_that_the_file_has() {
    let found = labels_in("resources:\n- ../base\nrep\nnamePrefix: a-\n")(2, 3);
    assert!(has(&found, "replicas"), "{found}");
    assert!(!has(&found, "resources") && !has(&found, "namePrefix"), "{found}");
}

#[test]
fn entries_complete_files_names_and_fields() {
    let selections = "resources:\n- ../base\n- more.yaml\npatches:\n- path: patch.yaml\n  target:\n    kind: ConfigMap\n    name: \nreplacements:\n- source:\n    name: \n    kind: \"Service\" # why\n    fieldPath: metadata.name\n  targets:\n  - select:\n      kind: Other\n      name: \n";
    let target = "resources:\n- ../base\npatches:\n- path: patch.yaml\n  target:\n    kind: Deployment\n    name: web\n";
    let names = "resources:\n- ../base\nnamePrefix: dev-\nreplicas:\n- name: web\n  count: 2\nimages:\n- name: web\n";
    let fields = "resources:\n- ../base\npatches:\n- \n- path: patch.yaml\n  \n  target:\n    kind: Deployment\n    \n#components:\n#- ../tls\n";
    for (text, line, column, expected) in [
        ("resources:\n- ../base\n- \n", 2, 2, "more.yaml patch.yaml ../prod"),
        ("components:\n- \n", 1, 2, "../tls"),
        // The names of a selection are limited to its kind.
        (selections, 7, 10, "more"),
        (selections, 10, 10, "web"),
        (selections, 16, 12, "more web"),
        (target, 5, 10, "Deployment Service"),
        (target, 6, 10, "web"),
        // Names are those before renames; an image is no resource.
        (names, 4, 8, "web"),
        (names, 7, 8, ""),
        (fields, 3, 2, "path patch target options"),
        (fields, 5, 2, "patch options"),
    ] {
        assert_eq!(labels_in(text)(line, column), expected, "{text} {line}");
    }
    assert!(has(&labels_in(target)(3, 8), "more.yaml"));
    let found = labels_in(fields)(8, 4);
    assert!(found.contains("labelSelector") && !found.contains("kind"), "{found}");
}

#[test]
fn resources_and_patches_complete_the_fields_of_their_type() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    let mut labels_at = |text: &str, line: usize, column: usize| {
        client.change("dev/patch.yaml", text);
        labels(&mut client, "dev/patch.yaml", line, column)
    };
    let head = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n";
    let found = labels_at(&format!("{head}  replicas: 2\n  \n"), 6, 2);
    assert!(found.contains("minReadySeconds") && !found.contains("replicas"), "{found}");
    let pod = "  template:\n    spec:\n      containers:\n      - name: web\n        \n";
    let found = labels_at(&format!("{head}{pod}"), 9, 8);
    assert!(found.contains("livenessProbe") && !has(&found, "name"), "{found}");
    assert!(labels_at("kind: \n", 0, 6).contains("DaemonSet"));
    assert_eq!(labels_at("apiVersion: \nkind: Deployment\n", 0, 12), "apps/v1");
    assert_eq!(labels_at(head, 5, 0), "status");
    assert_eq!(labels_at("apiVersion: none/v1\nkind: Other\nspec:\n  \n", 3, 2), "");
}

#[test]
fn inline_patches_complete_fields_and_paths() {
    let text = "resources:\n- ../base\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: Service\n    metadata:\n      name: web\n    spec:\n      \n- target:\n    kind: Deployment\n  patch: |-\n    - op: add\n      path: /spec/template/spec/containers/0/\n";
    let mut at = labels_in(text);
    assert!(has(&at(9, 6), "clusterIP"), "{}", at(9, 6));
    assert!(has(&at(14, 46), "imagePullPolicy"), "{}", at(14, 46));
}

#[test]
fn custom_resources_complete_the_fields_of_their_definition() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: shops.example.com\nspec:\n  group: example.com\n  names: {kind: Shop, plural: shops}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            properties:\n              owner: {type: string, enum: [me, you]}\n              doors: {type: array, items: {type: object, properties: {width: {type: integer}}}}\n";
    let shop = "apiVersion: example.com/v1\nkind: Shop\nmetadata:\n  name: s\n  \nspec:\n  owner: me\n  \n  doors:\n  - \n";
    let more = [("crds/shop.yaml", definition), ("base/shop.yaml", shop)];
    let mut client = Client::with_more_files(&more, "base/shop.yaml");
    let mut at = |line, column| labels(&mut client, "base/shop.yaml", line, column);
    assert_eq!(at(7, 2), "", "both fields are there");
    assert_eq!(at(9, 4), "width");
    assert_eq!(at(6, 9), "me you");
    assert!(at(4, 2).contains("labels"));
    assert!(has(&at(1, 6), "Shop"));
}

#[test]
fn types_of_an_openapi_schema_are_completed() {
    let schema = r#"{"definitions": {"a.Shop": {"type": "object",
        "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Shop"}],
        "properties": {"spec": {"type": "object", "properties": {"owner": {"type": "string"}}}}}}}"#;
    let overlay = "resources: [shop.yaml]\nopenapi: {path: schema.json}\n";
    let more = [
        ("shop/schema.json", schema),
        ("shop/kustomization.yaml", overlay),
        ("shop/shop.yaml", "apiVersion: example.com/v1\nkind: Shop\nspec:\n  \n"),
    ];
    let mut client = Client::with_more_files(&more, "shop/shop.yaml");
    assert_eq!(labels(&mut client, "shop/shop.yaml", 3, 2), "owner");
}
