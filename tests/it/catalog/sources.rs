//! Catalogs, scripts and binaries from elsewhere: HTTP, registries, layouts, git, archives, the
//! cache.

use crate::support::messages;
use std::io::Write;

use kzui::engine::load::Digest;

use super::server::{Page, Server, manifest};
use super::{STAMP, catalog, desk, script, sha256_hex};

const CATALOG: &str = "application/vnd.cncf.kubernetes.krm-func-catalog.layer.v1+yaml";

/// Publishes a script that writes `word`, and returns the text of a catalog with that script.
fn remote(server: &Server, word: &str) -> String {
    server.put("/stamp.star", Page::ok(script(word)));
    catalog(
        "v1",
        &format!(
            "{{starlark: {{uri: '{}', sha256: {}}}}}",
            server.url("/stamp.star"),
            sha256_hex(script(word))
        ),
    )
}

#[test]
fn a_catalog_over_http_is_fetched_revalidated_and_kept() {
    if !crate::support::has_starlark() {
        return;
    }
    let server = Server::start();
    let text = remote(&server, "one");
    server.put("/c.yaml", Page::ok(text.clone()));
    let url = server.url("/c.yaml");
    let desk = desk(&[&url], &[]);
    assert!(desk.run(&["build"]).refused().contains(messages::IS_NOT_TRUSTED));
    assert_eq!(server.requests(), Vec::<String>::new(), "nothing untrusted is fetched");
    // Scenario 95: the server has no content yet.
    let trusted = format!("--trusted-catalog={url}");
    let cold = desk.run(&["build", "--offline", &trusted]).refused();
    assert!(cold.contains("offline: '") && cold.contains(messages::NOT_IN_CACHE), "{cold}");
    assert!(desk.run(&["build", &trusted]).built().contains("stamp: one mark"));
    assert_eq!(server.requests(), ["/c.yaml", "/stamp.star"]);
    // The catalog is revalidated; the script has a digest and is not requested again.
    assert!(desk.run(&["build", &trusted]).built().contains("stamp: one mark"));
    assert_eq!(server.requests().len(), 3);
    // A pinned catalog in the cache needs no connection.
    let pinned = format!("--trusted-catalog={url}@sha256:{}", sha256_hex(&text));
    assert!(desk.run(&["build", &pinned]).built().contains("stamp: one mark"));
    assert!(desk.run(&["build", "--offline", &pinned]).built().contains("stamp: one mark"));
    assert_eq!(server.requests().len(), 3);
    // D-B17: not reachable, and the copy is not pinned.
    server.put("/c.yaml", Page { status: 500, ..Page::default() });
    let stale = desk.run(&["build", &trusted]).refused();
    assert!(
        stale.contains(&format!("{} (sha256:", messages::UNREADABLE_WITH_CACHED_COPY))
            && stale.contains(messages::NOT_PINNED),
        "{stale}"
    );
}

#[test]
fn catalog_is_loaded_from_a_registry_or_layout() {
    if !crate::support::has_starlark() {
        return;
    }
    let server = Server::start();
    let text = remote(&server, "oci");
    let digest = server.publish("fns/catalog", "v1", CATALOG, text.as_bytes());
    server.require_token("secret");
    let name = format!("oci://{}/fns/catalog", server.authority);
    for reference in [format!("{name}:v1"), format!("{name}@{digest}")] {
        let desk = desk(&[&reference], &[]);
        let built = desk.run(&["build", &format!("--trusted-catalog={reference}")]).built();
        assert!(built.contains("stamp: oci mark"), "{built}");
        let again = desk.run(&["build", "--offline", &format!("--trusted-catalog={reference}")]);
        assert!(again.built().contains("stamp: oci mark"));
    }
    server.publish("fns/catalog", "odd", "text/plain", text.as_bytes());
    let odd = desk(&[&format!("{name}:odd")], &[]);
    let wrong = odd.run(&["build", &format!("--trusted-catalog={name}:odd")]).refused();
    assert!(wrong.contains(CATALOG) && wrong.contains("text/plain"), "{wrong}");

    let (bytes, digest) = manifest(CATALOG, text.as_bytes());
    let layout = desk(
        &["oci-layout:lay:v1"],
        &[
            (&format!("lay/blobs/sha256/{}", sha256_hex(&text)), &text),
            (&format!("lay/blobs/sha256/{}", digest.hex()), std::str::from_utf8(&bytes).unwrap()),
            (
                "lay/index.json",
                &format!(
                    "{{\"manifests\": [{{\"digest\": \"{digest}\", \"annotations\": {{\"org.opencontainers.image.ref.name\": \"v1\"}}}}]}}"
                ),
            ),
        ],
    );
    assert!(
        layout
            .run(&["build", "--trusted-catalog=oci-layout:lay:v1"])
            .built()
            .contains("stamp: oci mark")
    );
    // The blob has other content than its digest in the index.
    layout.tree.write(
        &format!("lay/blobs/sha256/{}", sha256_hex(&text)),
        &text.replace("stamps", "tricks"),
    );
    let tampered = layout.run(&["build", "--trusted-catalog=oci-layout:lay:v1"]).refused();
    assert!(tampered.contains("sha256 mismatch"), "{tampered}");
}

#[test]
fn a_catalog_in_a_repository_brings_its_files() {
    if !crate::support::has_starlark() {
        return;
    }
    let origin = crate::support::Tree::new(&[
        ("fns/catalog.yaml", &catalog("v1", STAMP)),
        ("fns/stamp.star", &script("git")),
    ]);
    origin.commit("v1");
    let reference = format!("git::file://{}//fns/catalog.yaml?ref=v1", origin.root().display());
    let desk = desk(&[&format!("'{reference}'")], &[]);
    assert!(desk.run(&["build"]).refused().contains(messages::IS_NOT_TRUSTED));
    let built = desk.run(&["build", &format!("--trusted-catalog={reference}")]).built();
    assert!(built.contains("stamp: git mark"), "{built}");
}

/// A `.tar.gz` with one member.
pub(super) fn packed(path: &str, bytes: &[u8]) -> Vec<u8> {
    packed_as(tar::EntryType::Regular, path, bytes)
}

/// A `.tar.gz` with one member of this type; the target of a link is `/bin/sh`.
pub(super) fn packed_as(kind: tar::EntryType, path: &str, bytes: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
    header.set_size(bytes.len() as u64);
    header.set_entry_type(kind);
    if kind.is_symlink() || kind.is_hard_link() {
        header.set_link_name("/bin/sh").unwrap();
    }
    header.set_cksum();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append(&header, bytes).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&builder.into_inner().unwrap()).unwrap();
    gz.finish().unwrap()
}

/// A `.zip` with one member.
pub(super) fn zipped(path: &str, bytes: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap().into_inner()
}

/// The text of a catalog with a program at a location, with its digest.
pub(super) fn program(uri: &str, sha256: &str) -> String {
    let (os, arch) = super::platform();
    catalog(
        "v1",
        &format!(
            "{{exec: {{platforms: [{{bin: f.sh, os: {os}, arch: {arch}, uri: '{uri}', sha256: {sha256}}}]}}}}"
        ),
    )
}

#[test]
fn archived_program_is_verified_by_either_digest() {
    let server = Server::start();
    let text = "#!/bin/sh\nsed 's/name: c$/name: changed/'\n";
    let (tar, zip) = (packed("pkg/f.sh", text.as_bytes()), zipped("pkg/f.sh", text.as_bytes()));
    server.put("/f.tar.gz", Page::ok(tar.clone()));
    server.put("/f.zip", Page::ok(zip.clone()));
    let archives = [("/f.tar.gz", &tar), ("/f.zip", &zip)];
    let cases = archives
        .iter()
        .flat_map(|(path, bytes)| [(path, sha256_hex(bytes)), (path, sha256_hex(text))]);
    for (path, digest) in cases {
        let desk =
            desk(&["catalog.yaml"], &[("catalog.yaml", &program(&server.url(path), &digest))]);
        let build = ["build", "--trusted-catalog=catalog.yaml"];
        assert!(desk.run(&build).built().contains("name: changed"));
        let before = server.requests().len();
        assert!(desk.run(&build).built().contains("name: changed"), "from the cache");
        assert_eq!(server.requests().len(), before);
        // Scenario 89: cached content is hashed again before every run.
        let hex = Digest::parse(&digest).unwrap().hex();
        let kept = desk.home.path(&format!(".cache/kzui/sha256/{}/{hex}", &hex[..2]));
        fs_err::write(&kept, "#!/bin/sh\ncat\n").unwrap();
        let poisoned = desk.run(&build).refused();
        assert!(
            poisoned.contains(messages::SHA256_MISMATCH_FOR) && poisoned.contains(&hex),
            "{poisoned}"
        );
        assert!(!kept.exists(), "it is removed");
        let fetched = desk.run(&["catalog", "fetch", "catalog.yaml", "--with-functions"]).built();
        assert!(fetched.contains("team.example.com/v1 Stamp  sha256:"), "{fetched}");
        assert!(desk.run(&["build", "--offline", build[1]]).built().contains("name: changed"));
    }
}
