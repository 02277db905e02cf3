//! Scenarios without another test.

use std::path::Path;
use std::process::Command;

use crate::catalog::server::manifest;
use crate::catalog::{Desk, STAMP, app, catalog, desk, script, sha256_hex};
use crate::support::{Tree, kzui_in, messages};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n";

/// Scenario 72: the definition of one function in place of a catalog.
#[test]
fn a_definition_is_a_catalog() {
    if !crate::support::has_starlark() {
        return;
    }
    let definition = "apiVersion: config.kubernetes.io/v1alpha1\nkind: KRMFunctionDefinition\nspec:\n  group: team.example.com\n  names: {kind: Stamp}\n  versions:\n  - name: v1\n    runtime: {starlark: {path: stamp.star}}\n";
    let desk = desk(&["one.yaml"], &[("one.yaml", definition), ("stamp.star", &script("defined"))]);
    assert!(desk.run(&["build"]).refused().contains(messages::IS_NOT_TRUSTED));
    let built = desk.run(&["build", "--trusted-catalog=one.yaml"]).built();
    assert!(built.contains("stamp: defined mark"), "{built}");
}

/// Scenario 84: a base and an overlay resolve the same kind, each with its own catalog.
#[test]
fn every_layer_has_its_own_catalog() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = Desk::new(&[]);
    for layer in ["base", "top"] {
        for (path, text) in app(&["catalog.yaml"]) {
            desk.tree.write(&format!("{layer}/{path}"), &text);
        }
        desk.tree.write(&format!("{layer}/catalog.yaml"), &catalog("v1", STAMP));
        let script = format!(
            "def run(list):\n  for item in list[\"items\"]:\n    item[\"metadata\"].setdefault(\"annotations\", {{}})[\"{layer}\"] = \"was here\"\nrun(ctx.resource_list)\n"
        );
        desk.tree.write(&format!("{layer}/stamp.star"), &script);
    }
    desk.tree.write(
        "top/kustomization.yaml",
        "resources: [../base]\ntransformers: [stamp.yaml]\ncatalogs: [catalog.yaml]\n",
    );
    let built = desk.run(&["build", "top", "--trusted-catalog=base", "--trusted-catalog=top"]);
    let expected = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    base: was here\n    top: was here\n  name: c\n";
    assert_eq!(built.built(), expected);
    let half = desk.run(&["build", "top", "--trusted-catalog=top"]).refused();
    assert!(
        half.contains(&format!("(referenced by {}", desk.tree.path("base").display())),
        "{half}"
    );
}

/// Scenario 93: a layout on disk, by tag and by digest; and with another type of layer.
#[test]
fn a_layout_by_tag_and_by_digest() {
    let media = "application/vnd.cncf.kubernetes.krm-func-catalog.layer.v1+yaml";
    let text =
        catalog("v1", "{container: {image: 'reg.example.com/stamp:v1', requireNetwork: true}}");
    let lay = |media: &str| {
        let (bytes, digest) = manifest(media, text.as_bytes());
        let tree = Tree::new(&[]);
        tree.write(&format!("lay/blobs/sha256/{}", sha256_hex(&text)), &text);
        let bytes = String::from_utf8(bytes).unwrap();
        tree.write(&format!("lay/blobs/sha256/{}", digest.hex()), &bytes);
        let index = format!(
            "{{\"manifests\": [{{\"digest\": \"{digest}\", \"annotations\": {{\"org.opencontainers.image.ref.name\": \"v1\"}}}}]}}"
        );
        tree.write("lay/index.json", &index);
        (tree, digest)
    };
    let (tree, digest) = lay(media);
    for reference in ["oci-layout:lay:v1".to_owned(), format!("oci-layout:lay@{digest}")] {
        let shown = kzui_in(&tree.root(), &["view", "catalog", &reference]).built();
        assert!(shown.contains("team.example.com/v1 Stamp   container"), "{reference}: {shown}");
    }
    let other = format!("oci-layout:lay@sha256:{}", sha256_hex("other"));
    kzui_in(&tree.root(), &["view", "catalog", &other]).refused();
    let (tree, _) = lay("text/plain");
    let told = kzui_in(&tree.root(), &["view", "catalog", "oci-layout:lay:v1"]).refused();
    assert!(told.contains(media) && told.contains("text/plain"), "{told}");
}

/// Scenario 111: a component from a repository works on resources that are here.
#[test]
fn a_component_from_a_repository() {
    let origin =
        Tree::new(&[("comps/x/kustomization.yaml", "kind: Component\nnamePrefix: far-\n")]);
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x"],
        &["tag", "v1"],
    ] {
        git(&origin.root(), arguments);
    }
    let url = format!("file://{}//comps/x?ref=v1", origin.root().display());
    let tree = Tree::new(&[
        ("kustomization.yaml", &format!("resources: [map.yaml]\ncomponents: ['{url}']\n")),
        ("map.yaml", MAP),
    ]);
    let built = kzui_in(&tree.root(), &["build"]).built();
    assert_eq!(built, MAP.replace("name: c", "name: far-c"));
}

fn git(directory: &Path, arguments: &[&str]) {
    let done = Command::new("git").args(arguments).current_dir(directory).status();
    assert!(done.unwrap().success(), "{arguments:?}");
}
