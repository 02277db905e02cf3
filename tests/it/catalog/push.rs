//! `kzui catalog push`: a catalog is published with its files, and read back.

use super::server::{Page, Server};
use super::{Desk, STAMP, catalog, desk, platform, script, sha256_hex};
use crate::support::messages;

/// A catalog in `c` with a script and a program, both pinned, in a tree that lists `reference`.
fn publisher(reference: &str) -> Desk {
    let (os, arch) = platform();
    let text = catalog("v1", "{starlark: {path: fns/stamp.star}}").replace(
        "    versions:\n",
        &format!("    versions:\n    - name: v2\n      schema: {{openAPIV3Schema: {{}}}}\n      runtime: {{exec: {{platforms: [{{bin: f, os: {os}, arch: {arch}, uri: ./f.sh}}]}}}}\n"),
    );
    let desk = desk(
        &[reference],
        &[
            ("c/catalog.yaml", &text),
            ("c/fns/stamp.star", &script("published")),
            ("c/f.sh", "#!/bin/sh\nsed 's/name: c$/name: changed/'\n"),
        ],
    );
    desk.run(&["catalog", "pin", "c", "--write"]).built();
    desk
}

/// Uses the second version of the function, a program.
fn use_program(desk: &Desk) {
    let function = String::from_utf8(desk.tree.read("stamp.yaml")).unwrap();
    desk.tree.write("stamp.yaml", &function.replace("/v1", "/v2"));
}

/// The reference and digest in the last line of a push.
fn published(out: &str) -> &str {
    out.lines().last().and_then(|line| line.strip_prefix("published: ")).expect("a reference")
}

#[test]
fn catalog_is_published_in_a_layout_with_its_files_and_read_back() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = publisher("oci-layout:lay:v1");
    let push = ["catalog", "push", "c", "oci-layout:lay:v1"];
    let unasked = desk.run(&push);
    assert_eq!(unasked.status, Some(1));
    for file in ["catalog.yaml", "fns/stamp.star", "f.sh", "manifest"] {
        assert!(unasked.out.contains(file), "{file}: {}", unasked.out);
    }
    assert!(unasked.err.contains("--yes"), "{}", unasked.err);
    assert!(!desk.tree.path("lay").exists(), "nothing is written before the agreement");

    let done = desk.run(&[&push[..], &["--yes"]].concat()).built();
    assert!(published(&done).starts_with("oci-layout:lay:v1@sha256:"), "{done}");
    let shown = desk.run(&["view", "catalog", published(&done)]).built();
    let local = desk.run(&["view", "catalog", "c"]).built();
    let digest = |text: &str| {
        let line = text.lines().find(|it| it.trim_start().starts_with("digest"))?;
        line.split_whitespace().nth(1).map(str::to_owned)
    };
    assert_eq!(digest(&shown), digest(&local), "the catalog is published unchanged");
    let linted = desk.run(&["catalog", "lint", "oci-layout:lay:v1"]).built();
    assert!(linted.lines().all(|line| line.contains("CAT-MISSING")), "{linted}");

    assert!(desk.run(&["build"]).refused().contains(messages::IS_NOT_TRUSTED));
    // The decision is about the content: it holds for the copy as well.
    desk.run(&["trust", "add", "c", "--yes"]).built();
    assert!(desk.run(&["build"]).built().contains("stamp: published mark"));
    use_program(&desk);
    assert!(desk.run(&["build"]).built().contains("name: changed"));

    // The same content again is nothing to write; another tag keeps the first.
    let again = desk.run(&push).built();
    assert!(again.contains("unchanged") && published(&again) == published(&done), "{again}");
    desk.run(&["catalog", "push", "c", "oci-layout:lay:v2", "--yes"]).built();
    desk.run(&["view", "catalog", "oci-layout:lay:v1"]).built();
    desk.run(&["view", "catalog", "oci-layout:lay:v2"]).built();
}

/// A layout is on this machine: a file that it does not have cannot be fetched later.
#[test]
fn lint_reports_a_file_that_a_layout_does_not_have() {
    let desk = publisher("oci-layout:lay:v1");
    desk.run(&["catalog", "push", "c", "oci-layout:lay:v1", "--yes"]).built();
    let blob = format!("lay/blobs/sha256/{}", sha256_hex(desk.tree.read("c/f.sh")));
    fs_err::remove_file(desk.tree.path(&blob)).unwrap();
    let linted = desk.run(&["catalog", "lint", "oci-layout:lay:v1"]);
    assert_eq!(linted.status, Some(1), "{}", linted.out);
    let line = linted.out.lines().find(|line| line.contains("CAT-FILE"));
    assert!(line.expect("a finding").contains("./f.sh cannot be read"), "{}", linted.out);
}

#[test]
fn catalog_is_published_in_a_registry_with_the_users_credentials() {
    if !crate::support::has_starlark() {
        return;
    }
    let server = Server::start();
    server.require_token("secret");
    let reference = format!("oci://{}/fns/catalog:v1", server.authority);
    let desk = publisher(&reference);
    let password = "dXNlcjpwYXNz";
    let settings =
        format!("{{\"auths\": {{\"{}\": {{\"auth\": \"{password}\"}}}}}}", server.authority);
    desk.home.write(".docker/config.json", &settings);
    let push = ["catalog", "push", "c", &reference, "--yes"];
    let done = desk.run(&push).built();
    assert!(done.contains("new tag"), "{done}");
    let given = server.authorizations();
    assert!(given.iter().any(|it| it.contains("pull%2Cpush") && it.ends_with(password)));
    assert!(given.iter().all(|it| !it.starts_with("/v2/") || it.ends_with(" Bearer secret")));

    desk.run(&["view", "catalog", &reference]).built();
    assert!(desk.run(&["build"]).refused().contains(messages::IS_NOT_TRUSTED));
    desk.run(&["trust", "add", &reference, "--yes"]).built();
    assert!(desk.run(&["build"]).built().contains("stamp: published mark"));
    assert!(desk.run(&["build", "--offline"]).built().contains("stamp: published mark"));
    use_program(&desk);
    assert!(desk.run(&["build"]).built().contains("name: changed"));

    // A changed catalog replaces the tag, and its digest is shown before.
    let text = String::from_utf8(desk.tree.read("c/catalog.yaml")).unwrap();
    desk.tree.write("c/catalog.yaml", &text.replace("description: stamps", "description: new"));
    let replaced = desk.run(&push).built();
    let (_, old) = published(&done).split_once('@').unwrap();
    assert!(replaced.contains(&format!("replaces {old}")), "{replaced}");

    server.put("/v2/fns/catalog/blobs/uploads/", Page::redirect("http://other.example.com/"));
    let refused = Server::start();
    refused.put("/v2/fns/catalog/manifests/v1", Page { status: 403, ..Page::default() });
    let closed = format!("oci://{}/fns/catalog:v1", refused.authority);
    let answer = desk.run(&["catalog", "push", "c", &closed, "--yes"]).refused();
    assert!(answer.contains("status code 403"), "{answer}");
}

/// A file without its digest in the catalog would not run from a registry, and a file above the
/// catalog has no place there.
#[test]
fn catalog_that_would_not_run_is_not_published() {
    let desk =
        desk(&[], &[("c/catalog.yaml", &catalog("v1", STAMP)), ("c/stamp.star", &script("one"))]);
    let push = |destination: &str| desk.run(&["catalog", "push", "c", destination, "--yes"]);
    let refused = push("oci-layout:lay:v1").refused();
    assert!(refused.contains("kzui catalog pin c --write"), "{refused}");
    desk.run(&["catalog", "pin", "c", "--write"]).built();
    desk.tree.write("c/stamp.star", &script("two"));
    assert!(push("oci-layout:lay:v1").refused().contains("kzui catalog pin c --write"));
    let above = "{starlark: {path: ../stamp.star, sha256: PIN}}";
    let above = above.replace("PIN", &sha256_hex(script("one")));
    desk.tree.write("c/catalog.yaml", &catalog("v1", &above));
    desk.tree.write("stamp.star", &script("one"));
    push("oci-layout:lay:v1").refused();
    for destination in ["oci-layout:lay", "lay", "https://r.example.com/c.yaml"] {
        assert!(push(destination).refused().contains("oci-layout:DIR:TAG"), "{destination}");
    }
    desk.tree.write("c/catalog.yaml", &catalog("v1", "{container: {image: 'r.example.com/f'}}"));
    assert!(push("oci-layout:c:v1").refused().contains("no OCI layout"));
    fs_err::create_dir_all(desk.tree.path("linked")).unwrap();
    desk.tree.write("linked/oci-layout", "{}");
    desk.tree.write("linked/index.json", "{}");
    std::os::unix::fs::symlink(desk.home.root(), desk.tree.path("linked/blobs")).unwrap();
    assert_eq!(push("oci-layout:linked:v1").status, Some(1));
    assert!(!desk.home.path("sha256").join(sha256_hex("{}")).exists(), "a link was followed");
}

/// A decision is about the bytes of the catalog: another script beside them does not run.
#[test]
fn another_script_beside_the_same_catalog_does_not_run() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = publisher("oci-layout:lay:v1");
    let push = ["catalog", "push", "c", "oci-layout:lay:v1", "--yes"];
    desk.run(&push).built();
    desk.run(&["trust", "add", "oci-layout:lay:v1", "--yes"]).built();
    desk.run(&["build"]).built();
    let honest = script("published");
    let evil = script("evil");
    let index = String::from_utf8(desk.tree.read("lay/index.json")).unwrap();
    let index: serde_json::Value = serde_json::from_str(&index).unwrap();
    let digest = index["manifests"][0]["digest"].as_str().unwrap();
    let path = format!("lay/blobs/sha256/{}", digest.trim_start_matches("sha256:"));
    let manifest = String::from_utf8(desk.tree.read(&path)).unwrap();
    let mut changed: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    for layer in changed["layers"].as_array_mut().unwrap() {
        if layer["digest"] == format!("sha256:{}", sha256_hex(&honest)) {
            layer["digest"] = format!("sha256:{}", sha256_hex(&evil)).into();
            layer["size"] = evil.len().into();
        }
    }
    let changed = changed.to_string();
    desk.tree.write(&format!("lay/blobs/sha256/{}", sha256_hex(&evil)), &evil);
    desk.tree.write(&format!("lay/blobs/sha256/{}", sha256_hex(&changed)), &changed);
    let index = index.to_string().replace(digest, &format!("sha256:{}", sha256_hex(&changed)));
    desk.tree.write("lay/index.json", &index);
    assert!(desk.run(&["build"]).refused().contains("sha256 mismatch"));
}
