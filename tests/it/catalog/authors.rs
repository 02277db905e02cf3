//! Commands for the authors of catalogs (lint, pin), and the environment of a confined program.

use std::collections::BTreeSet;
use std::path::Path;

use super::refused::write_executable;
use super::server::{Page, Server};
use super::{STAMP, catalog, desk, platform, script, sha256_hex};
use crate::support::messages;

#[test]
fn lint_names_defects_with_code_and_line() {
    let (os, arch) = platform();
    let runtime = format!(
        "{{exec: {{platforms: [{{bin: f, os: {os}, arch: {arch}, uri: f.sh, sha256: {}}}]}}}}",
        sha256_hex("other")
    );
    let desk = desk(
        &[],
        &[
            ("good/catalog.yaml", &catalog("v1", STAMP)),
            ("good/stamp.star", &script("x")),
            ("bad/catalog.yaml", &catalog("v1", &runtime)),
            ("bad/f.sh", "x"),
            ("gone/catalog.yaml", &catalog("v1", STAMP)),
        ],
    );
    let lint = desk.run(&["catalog", "lint", "good"]);
    assert_eq!(lint.status, Some(0), "{}", lint.out);
    assert!(lint.out.contains("good/catalog.yaml:18: warning[CAT-FLOATING]: "), "{}", lint.out);
    assert_eq!(desk.run(&["catalog", "lint", "good", "--strict"]).status, Some(1));
    let lint = desk.run(&["catalog", "lint", "bad"]);
    assert_eq!(lint.status, Some(1));
    assert!(lint.out.contains(": error[CAT-DIGEST]: f.sh "), "{}", lint.out);
    let lint = desk.run(&["catalog", "lint", "gone", "--format", "github"]);
    assert_eq!(lint.status, Some(1));
    assert!(lint.out.contains("::error file=gone/catalog.yaml,line="), "{}", lint.out);
    assert!(lint.out.contains("title=CAT-FILE::stamp.star "), "{}", lint.out);
    for code in ["CAT-FLOATING", "cat-file", "CAT-DIGEST"] {
        assert!(desk.run(&["explain", code]).built().contains("Fix"));
    }
}

/// Every code that a catalog can have has a page.
#[test]
fn every_code_of_a_catalog_is_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/manifest/catalog");
    let mut codes = BTreeSet::new();
    for file in fs_err::read_dir(folder).unwrap() {
        let file = file.unwrap();
        // The pages themselves, and tests.
        if ["rules.rs", "tests.rs"].iter().any(|name| file.file_name() == *name) {
            continue;
        }
        let source = fs_err::read_to_string(file.path()).unwrap();
        let quoted = source.split('"').filter(|text| text.starts_with("CAT-"));
        codes.extend(quoted.map(str::to_owned));
    }
    assert!(codes.len() >= 11, "{codes:?}");
    for code in &codes {
        assert!(kzui::engine::manifest::catalog_rule(code).is_some(), "{code}");
    }
}

#[test]
fn pinned_catalog_builds_by_its_digest_alone() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = desk(
        &["c/catalog.yaml"],
        &[("c/catalog.yaml", &catalog("v1", STAMP)), ("c/stamp.star", &script("one"))],
    );
    let shown = desk.run(&["catalog", "pin", "c"]);
    assert_eq!(shown.status, Some(1));
    let pinned =
        format!("{{starlark: {{path: stamp.star, sha256: {}}}}}", sha256_hex(script("one")));
    assert!(shown.out.contains(&pinned), "{}", shown.out);
    assert_eq!(desk.tree.read("c/catalog.yaml"), catalog("v1", STAMP).as_bytes());
    desk.run(&["catalog", "pin", "c", "--write"]).built();
    assert_eq!(desk.tree.read("c/catalog.yaml"), catalog("v1", &pinned).as_bytes());
    assert_eq!(desk.run(&["catalog", "pin", "c"]).built(), "all digests are up to date\n");
    let flag = format!("--trusted-catalog=c@sha256:{}", sha256_hex(catalog("v1", &pinned)));
    assert!(desk.run(&["build", &flag]).built().contains("stamp: one mark"));
    desk.tree.write("c/stamp.star", &script("two"));
    assert!(desk.run(&["build", &flag]).refused().contains("sha256 mismatch"));
    desk.run(&["catalog", "pin", "c", "--write"]).built();
    let text = String::from_utf8(desk.tree.read("c/catalog.yaml")).unwrap();
    assert!(text.contains(&sha256_hex(script("two"))), "{text}");
}

/// A relative location in a catalog of a web server is relative to its URL.
#[test]
fn published_catalog_finds_its_files_beside_it() {
    let server = Server::start();
    let program = "#!/bin/sh\nsed 's/name: c$/name: beside/'\n";
    let (os, arch) = platform();
    let runtime = format!(
        "{{exec: {{platforms: [{{bin: f.sh, os: {os}, arch: {arch}, uri: ./bin/f.sh, sha256: {}}}]}}}}",
        sha256_hex(program)
    );
    server.put("/k/catalog.yaml", Page::ok(catalog("v1", &runtime)));
    server.put("/k/bin/f.sh", Page::ok(program));
    server.put("/f.sh", Page::ok(program));
    let url = server.url("/k/catalog.yaml");
    let desk = desk(&[&url], &[]);
    let flag = format!("--trusted-catalog={url}");
    assert!(desk.run(&["build", &flag]).built().contains("name: beside"));
    server.put("/k/catalog.yaml", Page::ok(catalog("v1", &runtime.replace("./bin", ".."))));
    let refused = desk.run(&["build", &flag]).refused();
    assert!(refused.contains("'../f.sh'"), "{refused}");
}

#[test]
fn confined_program_has_a_folder_for_temporary_files() {
    if !kzui::host::confinement_support().network {
        return eprintln!("skipped: this system has no namespaces for it");
    }
    let program = "#!/bin/sh\nset -e\necho x > \"$TMPDIR/a\"\necho y > \"$HOME/b\"\ncat \"$TMPDIR/a\" \"$HOME/b\" >/dev/null\nsed 's/name: c$/name: kept/'\n";
    let (os, arch) = platform();
    let runtime = format!(
        "{{exec: {{platforms: [{{bin: f.sh, os: {os}, arch: {arch}, uri: f.sh, sha256: {}}}]}}}}",
        sha256_hex(program)
    );
    let desk = desk(&["catalog.yaml"], &[("catalog.yaml", &catalog("v1", &runtime))]);
    write_executable(&desk, "f.sh", program);
    let built = desk.run(&["build", "--trusted-catalog=catalog.yaml"]).built();
    assert!(built.contains("name: kept"), "{built}");
}

/// KEP-2299: the output of a validator is discarded, so that it needs none.
#[test]
fn validator_without_output_passes() {
    let desk = desk(
        &[],
        &[(
            "v.yaml",
            "apiVersion: a/v1\nkind: V\nmetadata:\n  name: v\n  annotations: {config.kubernetes.io/function: 'exec: {path: ./v.sh}'}\n",
        )],
    );
    let flags = ["build", "--enable-alpha-plugins", "--enable-exec"];
    write_executable(&desk, "v.sh", "#!/bin/sh\ncat >/dev/null\n");
    desk.tree.write("kustomization.yaml", "resources: [cm.yaml]\nvalidators: [v.yaml]\n");
    assert!(desk.run(&flags).built().contains("name: c"));
    write_executable(&desk, "v.sh", "#!/bin/sh\ncat >/dev/null\nexit 1\n");
    desk.run(&flags).refused();
    // A transformer without output would remove every object.
    write_executable(&desk, "v.sh", "#!/bin/sh\ncat >/dev/null\n");
    desk.tree.write("kustomization.yaml", "resources: [cm.yaml]\ntransformers: [v.yaml]\n");
    assert!(desk.run(&flags).refused().contains(messages::WROTE_NO_RESOURCE_LIST));
}
