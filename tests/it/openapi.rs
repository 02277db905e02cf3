//! `kzui openapi` with a fake kubectl: a script that records its calls.

use std::os::unix::fs::PermissionsExt;

use crate::support::{Answer, Tree, kzui, kzui_in, messages, program};

const PUBLISHED_SCHEMA: &str = r##"{"swagger": "2.0", "info": {"title": "Kubernetes", "version": "v1.33.1"},
"paths": {
  "/api/v1/namespaces/{namespace}/pods": {"get": {"description": "long", "x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "Pod"}}},
  "/apis/a.io/v1/foos": {"get": {"description": "long", "x-kubernetes-group-version-kind": {"group": "a.io", "version": "v1", "kind": "Foo"}}, "post": {}}},
"definitions": {
  "io.k8s.api.core.v1.Pod": {"x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Pod"}], "properties": {"metadata": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}}},
  "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"properties": {"at": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}}},
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": {"type": "string"},
  "io.k8s.apimachinery.pkg.version.Info": {"type": "object"},
  "io.k8s.networking.gateway.v1.Gateway": {"x-kubernetes-group-version-kind": [{"group": "gateway.networking.k8s.io", "version": "v1", "kind": "Gateway"}]},
  "io.a.v1.Foo": {"description": "yes", "x-kubernetes-group-version-kind": [{"group": "a.io", "version": "v1", "kind": "Foo"}], "properties": {"metadata": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}}}
}}"##;

const FETCH_ERROR: &str = "Error fetching schema from cluster. Please make sure kubectl is installed, its context is set correctly, and your cluster is up.";

/// A tree with a fake kubectl that records its arguments and then runs this shell code.
fn cluster(work: &str) -> Tree {
    let tree = Tree::new(&[("published.json", PUBLISHED_SCHEMA)]);
    tree.write(
        "bin/kubectl",
        &format!("#!/bin/sh\nhere=$(dirname \"$0\")\necho \"$@\" >\"$here/calls\"\n{work}\n"),
    );
    let mut permissions = fs_err::metadata(tree.path("bin/kubectl")).unwrap().permissions();
    permissions.set_mode(0o755);
    fs_err::set_permissions(tree.path("bin/kubectl"), permissions).unwrap();
    tree
}

fn reachable_cluster() -> Tree {
    cluster("cat \"$here/../published.json\"")
}

fn fetch_openapi(tree: &Tree, arguments: &[&str]) -> Answer {
    let path = format!("{}:/usr/bin:/bin", tree.path("bin").display());
    let mut command = program(&tree.root());
    command.args(["openapi", "fetch"]).args(arguments).current_dir(tree.root()).env("PATH", path);
    Answer::of(&command.output().unwrap())
}

/// The names of the definitions of a document.
fn definitions(text: &str) -> Vec<String> {
    let document: serde_json::Value = serde_json::from_str(text).unwrap();
    document["definitions"].as_object().unwrap().keys().cloned().collect()
}

/// The definitions to which all types of the schema refer.
const COMMON_DEFINITIONS: [&str; 2] = [
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
];

/// A schema file that is not valid is reported at `openapi`, which names it.
#[test]
fn invalid_schema_is_reported_at_the_field_that_names_it() {
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [t.yaml]\npatches:\n- patch: |\n    {apiVersion: a.b/v1, kind: T, metadata: {name: t}, spec: {l: [{n: a}]}}\nopenapi:\n  path: s.json\n",
        ),
        ("t.yaml", "apiVersion: a.b/v1\nkind: T\nmetadata: {name: t}\nspec: {l: [{n: b}]}\n"),
    ]);
    for text in ["", "{\"definitions\": [1,", "[]", "a: ["] {
        tree.write("s.json", text);
        let refused = kzui_in(&tree.root(), &["build", "."]).refused();
        assert!(refused.contains("--> kustomization.yaml:6:"), "{text:?}: {refused}");
    }
}

#[test]
fn fetch_replaces_a_file_on_request_only() {
    let tree = reachable_cluster();
    tree.write("schema.json", "kept");
    let refused = fetch_openapi(&tree, &["schema.json"]);
    assert_eq!(refused.status, Some(1));
    assert!(refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(tree.read("schema.json"), b"kept");
    assert!(!tree.path("bin/calls").exists(), "the cluster is not asked");
    assert_eq!(fetch_openapi(&tree, &["schema.json", "--force"]).status, Some(0));
    assert!(tree.read("schema.json").starts_with(b"{"));
}

#[test]
fn fetch_prints_all_of_it_indented() {
    let tree = reachable_cluster();
    let answer = fetch_openapi(&tree, &[]);
    assert_eq!(answer.err, "Fetching OpenAPI document using the current context in kubeconfig\n");
    let text = answer.built();
    assert!(text.contains("\n  \"swagger\": \"2.0\""), "{text}");
    assert_eq!(definitions(&text).len(), 6);
    assert_eq!(tree.read("bin/calls"), b"get --raw /openapi/v2\n");
}

#[test]
fn fetch_format_follows_the_file_extension() {
    let tree = reachable_cluster();
    let answer =
        fetch_openapi(&tree, &["schema.yaml", "--context", "prod", "--kubeconfig", "k.conf"]);
    assert_eq!(answer.err, "Fetching OpenAPI document using the context prod\n");
    assert_eq!(answer.built(), "");
    let text = String::from_utf8(tree.read("schema.yaml")).unwrap();
    assert!(text.contains("\n    description: \"yes\"\n"), "{text}");
    assert_eq!(
        tree.read("bin/calls"),
        b"get --raw /openapi/v2 --context prod --kubeconfig k.conf\n"
    );
    fetch_openapi(&tree, &["schema.yaml", "--force", "--format", "json"]).built();
    assert!(tree.read("schema.yaml").starts_with(b"{\n  \""));
}

#[test]
fn fetch_reduces_the_schema_to_selected_types() {
    let tree = reachable_cluster();
    let names = |arguments: &[&str]| definitions(&fetch_openapi(&tree, arguments).built());
    assert_eq!(
        names(&["--only", "core/Pod"]),
        [&["io.k8s.api.core.v1.Pod"], &COMMON_DEFINITIONS[..]].concat()
    );
    assert_eq!(names(&["--only", "Foo"]), [&["io.a.v1.Foo"], &COMMON_DEFINITIONS[..]].concat());
    assert_eq!(
        names(&["--crds-only"]),
        [&["io.a.v1.Foo"], &COMMON_DEFINITIONS[..], &["io.k8s.networking.gateway.v1.Gateway"]]
            .concat()
    );
    let words = fetch_openapi(&tree, &["--only", "b.io/Foo"]).refused();
    assert!(
        words.contains(&format!("{} b.io/Foo", messages::CLUSTER_PUBLISHES_NO_TYPE)),
        "{words}"
    );
}

/// The reduced schema works in Kustomize, including the scopes.
#[test]
fn fetched_schema_is_used_by_build() {
    let tree = reachable_cluster();
    fetch_openapi(&tree, &["foo.json", "--only", "a.io/Foo"]).built();
    tree.write(
        "kustomization.yaml",
        "resources: [foo.yaml]\nnamespace: ns\nopenapi: {path: foo.json}\n",
    );
    tree.write("foo.yaml", "apiVersion: a.io/v1\nkind: Foo\nmetadata:\n  name: f\n");
    let built = kzui_in(&tree.root(), &["build"]).built();
    assert_eq!(built, "apiVersion: a.io/v1\nkind: Foo\nmetadata:\n  name: f\n");
}

#[test]
fn a_cluster_that_cannot_be_asked_is_an_error() {
    let words = fetch_openapi(&cluster("echo refused >&2; exit 1"), &["schema.json"]).refused();
    assert!(words.contains(&format!("refused\n{FETCH_ERROR}\n")), "{words}");
    let words = fetch_openapi(&cluster("echo '<html>'"), &[]).refused();
    assert!(words.contains(messages::NOT_JSON) && words.contains(FETCH_ERROR), "{words}");
    let tree = cluster("");
    fs_err::remove_file(tree.path("bin/kubectl")).unwrap();
    let words = fetch_openapi(&tree, &["schema.json"]).refused();
    assert!(words.contains(FETCH_ERROR), "{words}");
    assert!(!tree.path("schema.json").exists());
    let words = fetch_openapi(&reachable_cluster(), &["--format", "toml"]).refused();
    assert_eq!(words, "error: format must be either 'json' or 'yaml'\n");
}

#[test]
fn info_prints_the_line_of_kustomize() {
    assert_eq!(kzui(&["openapi", "info"]).built(), "{title:Kubernetes,version:v1.21.2}\n");
}

#[test]
fn info_lists_the_schemas_of_the_layers() {
    let schema = r#"{"definitions": {"io.k8s.api.core.v1.Pod": {}, "io.a.v1.Foo":
        {"x-kubernetes-group-version-kind": [{"group": "a.io", "version": "v1", "kind": "Foo"}]}}}"#;
    let object = |kind: &str| format!("apiVersion: a.io/v1\nkind: {kind}\nmetadata:\n  name: f\n");
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [base, bar.yaml]\n"),
        ("bar.yaml", &object("Bar")),
        (
            "base/kustomization.yaml",
            "resources: [foo.yaml]\nopenapi: {path: s.json, mode: merge}\n",
        ),
        ("base/foo.yaml", &object("Foo")),
        ("base/s.json", schema),
    ]);
    let text = kzui_in(&tree.root(), &["openapi", "info", "."]).built();
    assert_eq!(
        text,
        format!(
            "{{title:Kubernetes,version:v1.21.2}}\n\
             base: merged into the built-in schema, for this layer and those below it\n  \
             s.json: 2 definitions, in place of a built-in one: io.k8s.api.core.v1.Pod\n\
             kinds without a schema (a patch replaces their lists whole):\n  Bar (a.io/v1): 1\n"
        )
    );
}
