//! A repeated evaluation with a cache has the same result as a first one, for all combinations of
//! schemas.

use std::path::Path;

use super::super::{BuildCache, BuildOptions, Evaluation, Ports, evaluate};
use crate::load::MemoryFiles;
use crate::yaml::print_documents;

const SCHEMA: &str = r#"{"definitions": {"a": {
    "x-kubernetes-group-version-kind": [{"group": "a.io", "version": "v1", "kind": "Foo"}],
    "properties": {"items": {"type": "array", "items": {"type": "object"},
        "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"}}}}}"#;
const FOO: &str = "apiVersion: a.io/v1\nkind: Foo\nmetadata: {name: f}\nitems: [{name: a}]\n";
const POD: &str =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a}]}\n";
const PATCH_FOO: &str = "patches:\n- target: {kind: Foo}\n  patch: |-\n    apiVersion: a.io/v1\n    kind: Foo\n    metadata: {name: f}\n    items: [{name: b}]\n";
const PATCH_POD: &str = "patches:\n- target: {kind: Pod}\n  patch: |-\n    apiVersion: v1\n    kind: Pod\n    metadata: {name: p}\n    spec: {containers: [{name: b}]}\n";

/// Three bases; the parameters are the contents of four kustomization files.
fn tree([first, custom, last, root]: [&str; 4]) -> MemoryFiles {
    let bases = "resources: [first, custom, last]\n";
    MemoryFiles::default()
        .file("/w/kustomization.yaml", format!("{bases}{root}"))
        .file("/w/schema.json", SCHEMA.replace("name\"}", "id\"}"))
        .file(
            "/w/first/kustomization.yaml",
            format!("resources: [p.yaml]\nnameSuffix: -a\n{first}"),
        )
        .file("/w/first/p.yaml", POD)
        .file("/w/custom/kustomization.yaml", format!("resources: [f.yaml]\n{custom}"))
        .file("/w/custom/f.yaml", FOO)
        .file("/w/custom/schema.json", SCHEMA)
        .file("/w/last/kustomization.yaml", format!("resources: [p.yaml]\nnameSuffix: -b\n{last}"))
        .file("/w/last/p.yaml", POD)
}

fn run(files: &MemoryFiles, memory: &mut BuildCache) -> Evaluation {
    let ports = Ports::of_files(files.clone());
    evaluate(".", Path::new("/w"), &BuildOptions::default(), &ports, memory)
}

fn comparable_result(evaluation: &Evaluation) -> (String, Vec<String>, Vec<String>) {
    let resources = evaluation.outcome.as_ref().expect("it builds");
    let text = print_documents(resources.iter().map(|resource| &resource.node)).expect("it prints");
    let schemas = evaluation.schemas.iter();
    let schemas = schemas.map(|it| format!("{:?} {:?}", it.layer, it.usage)).collect();
    let steps = evaluation.trace.steps.iter();
    let steps = steps.map(|it| format!("{:?} {:?}", it.id, it.warnings.len())).collect();
    (text, schemas, steps)
}

/// Reusing a base depends on the schemas that are in force around it.
#[test]
fn cached_build_equals_fresh_build_after_schema_changes() {
    let custom = format!("openapi: {{path: schema.json}}\n{PATCH_FOO}");
    let merging = format!("openapi: {{path: schema.json, mode: merge}}\n{PATCH_FOO}");
    let states = [
        ["", &custom, PATCH_POD, ""],
        // A patch in the first base loads the built-in schema: it stays in force beside the custom
        // one, which changes the result of the last base.
        [PATCH_POD, &custom, PATCH_POD, ""],
        ["", &custom, PATCH_POD, ""],
        ["", &merging, PATCH_POD, ""],
        ["", &merging, PATCH_POD, PATCH_FOO],
        ["", &merging, PATCH_POD, "openapi: {path: schema.json, mode: merge}\n"],
        ["", PATCH_FOO, PATCH_POD, "openapi: {extraPaths: schema.json}\n"],
        ["", &merging, PATCH_POD, "openapi: {version: v1.21.2}\n"],
        ["", &custom, PATCH_POD, "openapi: {path: schema.json}\n"],
        ["", &custom, PATCH_POD, ""],
    ];
    let mut memory = BuildCache::default();
    let mut outputs = Vec::new();
    for (number, state) in states.iter().enumerate() {
        let files = tree(*state);
        let fresh = comparable_result(&run(&files, &mut BuildCache::default()));
        for round in 0..2 {
            assert_eq!(
                comparable_result(&run(&files, &mut memory)),
                fresh,
                "state {number}, round {round}"
            );
        }
        outputs.push(fresh.0);
    }
    assert_ne!(outputs[0], outputs[1]);
    assert_ne!(outputs[3], outputs[5]);
    assert_eq!(outputs[0], outputs[9]);
}
