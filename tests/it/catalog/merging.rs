//! Overrides merge lists by the keys that the resolving catalog states, wherever that catalog lies
//! (section A.6).

use super::server::{Page, Server};
use super::{Desk, sha256_hex};
use crate::support::Tree;
use crate::support::messages;

const SCRIPT: &str = "\
rules = [r[\"name\"] + \"=\" + r[\"value\"] for r in ctx.resource_list[\"functionConfig\"][\"spec\"][\"rules\"]]
ctx.resource_list[\"items\"].append({\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"c\"}, \"data\": {\"rules\": \" \".join(rules)}})
";

/// A catalog with a function `Rules` that has a keyed list, and the script that runs it.
fn catalog(script: &str) -> String {
    format!(
        "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {{name: team}}\nspec:\n  krmFunctions:\n  - group: team.example.com\n    names: {{kind: Rules}}\n    description: rules\n    publisher: team.example.com\n    versions:\n    - name: v1\n      idempotent: true\n      schema:\n        openAPIV3Schema:\n          type: object\n          properties:\n            spec:\n              type: object\n              properties:\n                rules:\n                  type: array\n                  x-kubernetes-list-type: map\n                  x-kubernetes-list-map-keys: [name]\n                  items: {{type: object, properties: {{name: {{type: string}}, value: {{type: string}}}}}}\n      runtime: {{starlark: {script}}}\n"
    )
}

/// A base with two rules, and an importer that changes one of them.
fn composed_desk(reference: &str) -> Desk {
    Desk::new(&[
        (
            "base/composition.yaml",
            "transformers:\n- apiVersion: team.example.com/v1\n  kind: Rules\n  spec:\n    rules:\n    - {name: a, value: one}\n    - {name: b, value: two}\n",
        ),
        (
            "composition.yaml",
            &format!(
                "catalogs: ['{reference}']\ntransformersFrom: [{{path: base}}]\ntransformerOverrides:\n- apiVersion: team.example.com/v1\n  kind: Rules\n  spec:\n    rules:\n    - {{name: b, value: three}}\n"
            ),
        ),
    ])
}

/// Asserts that a build and `consolidate` merge the lists by the keys of the catalog.
#[track_caller]
fn assert_lists_merged(desk: &Desk, reference: &str) {
    let built = desk.run(&["build", &format!("--trusted-catalog={reference}")]);
    assert!(!built.err.contains(messages::WAS_NOT_READ), "{}", built.err);
    assert!(built.built().contains("rules: a=one b=three\n"));
    // The fetched content of the build is cached now, so that `consolidate` merges as the build
    // does.
    let consolidated = desk.run(&["consolidate"]);
    assert_eq!(consolidated.err, "");
    let text = consolidated.built();
    assert!(
        text.contains("name: a, value: one") && text.contains("name: b, value: three"),
        "{text}"
    );
}

#[test]
fn lists_merge_by_keys_of_an_http_catalog() {
    if !crate::support::has_starlark() {
        return;
    }
    let server = Server::start();
    server.put("/rules.star", Page::ok(SCRIPT));
    let uri = server.url("/rules.star");
    let text = catalog(&format!("{{uri: '{uri}', sha256: {}}}", sha256_hex(SCRIPT)));
    server.put("/c.yaml", Page::ok(text));
    let url = server.url("/c.yaml");
    let desk = composed_desk(&url);
    // Scenario 70: consolidating fetches nothing, and reports the catalog that was not read.
    let blind = desk.run(&["consolidate"]);
    assert_eq!(server.requests(), Vec::<String>::new());
    assert_eq!(
        blind.err,
        format!(
            "# Warning: composition.yaml:4: override \"Rules/rules (team.example.com/v1)\": catalog '{url}' was not read; it may define the merge keys of the lists\n"
        )
    );
    // A comment names the overridden value; the list itself has lost the element.
    let list = blind.built();
    let mut list = list.lines().filter(|line| !line.starts_with('#'));
    assert!(list.all(|line| !line.contains("name: a")));
    assert_lists_merged(&desk, &url);
}

#[test]
fn lists_merge_by_keys_of_a_registry_catalog() {
    const CATALOG: &str = "application/vnd.cncf.kubernetes.krm-func-catalog.layer.v1+yaml";
    if !crate::support::has_starlark() {
        return;
    }
    let server = Server::start();
    server.put("/rules.star", Page::ok(SCRIPT));
    let uri = server.url("/rules.star");
    let text = catalog(&format!("{{uri: '{uri}', sha256: {}}}", sha256_hex(SCRIPT)));
    server.publish("fns/catalog", "v1", CATALOG, text.as_bytes());
    let reference = format!("oci://{}/fns/catalog:v1", server.authority);
    assert_lists_merged(&composed_desk(&reference), &reference);
}

#[test]
fn lists_merge_by_keys_of_a_repository_catalog() {
    if !crate::support::has_starlark() {
        return;
    }
    let origin =
        Tree::new(&[("catalog.yaml", &catalog("{path: rules.star}")), ("rules.star", SCRIPT)]);
    origin.commit("v1");
    let reference = format!("git::file://{}//catalog.yaml?ref=v1", origin.root().display());
    assert_lists_merged(&composed_desk(&reference), &reference);
}

/// The outer catalog takes precedence (scenario 86), for merge keys as well: it declares no key for
/// the list, so that the list is replaced.
#[test]
fn list_keys_come_from_the_outer_catalog() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = composed_desk("outer.yaml");
    let keyless = catalog("{path: rules.star}")
        .replace("x-kubernetes-list-type: map", "x-kubernetes-list-type: atomic");
    desk.tree.write("outer.yaml", &keyless);
    desk.tree.write("rules.star", SCRIPT);
    desk.tree.write("base/catalog.yaml", &catalog("{path: ../rules.star}"));
    let base = String::from_utf8(desk.tree.read("base/composition.yaml")).unwrap();
    desk.tree.write("base/composition.yaml", &format!("catalogs: [catalog.yaml]\n{base}"));
    let trusted = ["build", "--trusted-catalog=outer.yaml", "--trusted-catalog=base/catalog.yaml"];
    assert!(desk.run(&trusted).built().contains("rules: b=three\n"));
    // The base's own override is resolved by the outer catalog too, though the base does not list
    // it.
    let deep = "catalogs: [catalog.yaml]\ntransformersFrom: [{path: ../deep}]\ntransformerOverrides:\n- {apiVersion: team.example.com/v1, kind: Rules, spec: {rules: [{name: c, value: four}]}}\n";
    desk.tree.write("deep/composition.yaml", &base);
    desk.tree.write("base/composition.yaml", deep);
    desk.tree
        .write("composition.yaml", "catalogs: [outer.yaml]\ntransformersFrom: [{path: base}]\n");
    assert!(desk.run(&trusted).built().contains("rules: c=four\n"));
}
