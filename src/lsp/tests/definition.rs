//! Definition: from an entry to its file, from a patch to its resource.

use crate::client::{Client, location_texts};

/// The places to which the first `needle` in a document leads.
fn definitions(client: &mut Client, path: &str, needle: &str) -> Vec<String> {
    location_texts(&client.request_at_text("textDocument/definition", path, needle))
}

#[test]
fn an_entry_leads_to_its_file_and_a_patch_or_another_entry_to_the_resource_that_it_changes() {
    for (path, needle, expected) in [
        ("dev/kustomization.yaml", "../base", "base/kustomization.yaml:1"),
        ("dev/kustomization.yaml", "patch.yaml", "dev/patch.yaml:1"),
        ("dev/patch.yaml", "replicas", "base/web.yaml:1"),
        ("prod/kustomization.yaml", "count", "base/web.yaml:1"),
    ] {
        let mut client = Client::with_shop_document(path);
        assert_eq!(definitions(&mut client, path, needle), [expected], "{path} {needle}");
    }
}

#[test]
fn a_replaced_value_leads_to_its_source() {
    let path = "copy/kustomization.yaml";
    let copy = "resources:\n- ../base\nreplacements:\n- source:\n    kind: Deployment\n    fieldPath: spec.replicas\n  targets:\n  - select:\n      kind: Service\n    fieldPaths:\n    - metadata.labels.count\n    options:\n      create: true\n";
    let mut client = Client::with_more_files(&[(path, copy)], path);
    assert_eq!(definitions(&mut client, path, "fieldPath: spec"), ["base/web.yaml:1"]);
}

#[test]
fn a_name_leads_to_the_resource_that_it_means() {
    let deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      serviceAccountName: runner\n      containers:\n      - name: web\n        envFrom:\n        - configMapRef:\n            name: conf\n        - secretRef:\n            name: outside\n";
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: runner\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata: {a: b, b: c}\n";
    let overlay = "resources:\n- ../base\nnamePrefix: test-\nreplacements:\n- source:\n    kind: ConfigMap\n    name: conf\n    fieldPath: data.a\n  targets:\n  - select:\n      kind: Deployment\n      name: web\n    fieldPaths:\n    - metadata.annotations.a\n    options:\n      create: true\n- source: {kind: ConfigMap, fieldPath: data.b}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [metadata.annotations.b]\n    options: {create: true}\npatches:\n- path: patch.yaml\n";
    let patch =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 2\n";
    let tree = [
        ("base/kustomization.yaml", "resources:\n- web.yaml\n- more.yaml\n"),
        ("base/web.yaml", deployment),
        ("base/more.yaml", account),
        ("test/kustomization.yaml", overlay),
        ("test/patch.yaml", patch),
    ];
    let mut client = Client::new(&tree);
    for (file, needle, expected) in [
        ("base/web.yaml", "runner", "base/more.yaml:4"),
        ("base/web.yaml", "conf\n", "base/more.yaml:9"),
        ("test/kustomization.yaml", "conf\n", "base/more.yaml:9"),
        ("test/kustomization.yaml", "web\n", "base/web.yaml:4"),
        ("test/kustomization.yaml", "fieldPath: data", "base/more.yaml:6"),
        ("test/kustomization.yaml", "kind: ConfigMap", "base/more.yaml:6"),
        ("test/kustomization.yaml", "metadata.annotations", "base/web.yaml:1"),
        ("test/kustomization.yaml", "data.b", "base/more.yaml:6"),
        ("test/patch.yaml", "web\n", "base/web.yaml:4"),
        // The Secret is in no target: the line is that of a field of the Deployment.
        ("base/web.yaml", "outside", "base/web.yaml:1"),
    ] {
        client.open(file);
        assert_eq!(definitions(&mut client, file, needle), [expected], "{file} {needle}");
    }
}
