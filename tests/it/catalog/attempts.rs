//! Attacks on trusted catalogs and their content.

use super::refused::{Attempt, PROGRAM, words, write_executable};
use super::server::{Page, Server};
use super::sources::{packed, packed_as, program, zipped};
use super::{Desk, STAMP, catalog, desk, script, sha256_hex};
use crate::support::messages;

pub(super) fn attempts_of_a_trusted_catalog(server: &Server) -> Vec<Attempt> {
    server.put("/f.sh", Page::ok(PROGRAM));
    server.put("/up.tar.gz", Page::ok(packed("../f.sh", PROGRAM.as_bytes())));
    server.put("/away.sh", Page::redirect("http://example.com/f.sh"));
    let with = |text: &str| {
        desk(&["catalog.yaml"], &[("catalog.yaml", text), ("stamp.star", &script("x"))])
    };
    let container = |text: &str| with(&catalog("v1", &format!("{{container: {text}}}")));
    let trust = |more: &[&str]| {
        let mut arguments = words(&["build", "--trusted-catalog=catalog.yaml"]);
        arguments.extend(words(more));
        arguments
    };
    let digest = sha256_hex(PROGRAM);
    let up = packed("../f.sh", PROGRAM.as_bytes());
    let link = with(&program("bin/f.sh", &digest));
    let outside = crate::support::Tree::new(&[("f.sh", PROGRAM)]);
    fs_err::create_dir_all(link.tree.path("bin")).unwrap();
    #[cfg(unix)]
    fs_err::os::unix::fs::symlink(outside.path("f.sh"), link.tree.path("bin/f.sh")).unwrap();
    let linked = packed_as(tar::EntryType::Symlink, "f.sh", b"");
    server.put("/link.tar.gz", Page::ok(linked.clone()));
    let zip = zipped("../f.sh", PROGRAM.as_bytes());
    server.put("/up.zip", Page::ok(zip.clone()));
    // The target of the link must outlive the run.
    std::mem::forget(outside);
    vec![
        Attempt(
            "a download of another content",
            with(&program(&server.url("/f.sh"), &sha256_hex("other"))),
            trust(&[]),
            messages::SHA256_MISMATCH_FOR.to_owned(),
        ),
        Attempt(
            "an archive that leads out",
            with(&program(&server.url("/up.tar.gz"), &sha256_hex(&up))),
            trust(&[]),
            messages::LEADS_OUT_OF_ARCHIVE.to_owned(),
        ),
        Attempt(
            "a zip archive that leads out",
            with(&program(&server.url("/up.zip"), &sha256_hex(&zip))),
            trust(&[]),
            messages::LEADS_OUT_OF_ARCHIVE.to_owned(),
        ),
        Attempt(
            "an archive with a link",
            with(&program(&server.url("/link.tar.gz"), &sha256_hex(&linked))),
            trust(&[]),
            messages::NOT_A_REGULAR_FILE.to_owned(),
        ),
        Attempt(
            "a program that was exchanged in the cache",
            desk_with_changed_cached_program(server),
            trust(&[]),
            messages::SHA256_MISMATCH_FOR.to_owned(),
        ),
        Attempt(
            "a configuration that the catalog's schema does not allow",
            desk_with_invalid_configuration(),
            trust(&[]),
            "spec.value: ".to_owned(),
        ),
        Attempt(
            "a redirect to plain http",
            with(&program(&server.url("/away.sh"), &digest)),
            trust(&[]),
            messages::IS_NOT_FOLLOWED.to_owned(),
        ),
        Attempt(
            "a symbolic link out of the catalog's directory",
            link,
            trust(&[]),
            "is outside".to_owned(),
        ),
        Attempt(
            "a script above the catalog",
            with(&catalog("v1", "{starlark: {path: ../x.star}}")),
            trust(&[]),
            "../x.star".to_owned(),
        ),
        Attempt(
            "a script anywhere",
            with(&catalog("v1", "{starlark: {path: /etc/passwd}}")),
            trust(&[]),
            "/etc/passwd".to_owned(),
        ),
        Attempt(
            "a script without a digest",
            with(&catalog("v1", &format!("{{starlark: '{}'}}", server.url("/f.sh")))),
            trust(&[]),
            messages::HAS_NO_SHA256.to_owned(),
        ),
        Attempt(
            "a version tag",
            container("{image: 'x:v1.0'}"),
            trust(&[]),
            messages::NO_SHA256_PIN_IT.to_owned(),
        ),
        Attempt(
            "a floating tag where pins are required",
            container("{image: x}"),
            trust(&["--require-pinned"]),
            messages::NOT_PINNED.to_owned(),
        ),
        Attempt(
            "two digests",
            container(&format!("{{image: 'x@sha256:{digest}', sha256: {}}}", sha256_hex("y"))),
            trust(&[]),
            messages::IMAGE_DIGESTS_DIFFER.to_owned(),
        ),
        Attempt(
            "network without the flag",
            container("{image: x, requireNetwork: true}"),
            trust(&[]),
            "--network".to_owned(),
        ),
        Attempt(
            "a mount without the flag",
            container("{image: x, requireStorageMount: true}"),
            trust(&[]),
            "--mount".to_owned(),
        ),
        Attempt(
            "mounts of its own",
            container("{image: x, mounts: [{type: bind}]}"),
            trust(&[]),
            messages::CATALOGS_CANNOT_GRANT.to_owned(),
        ),
    ]
}

/// A desk with a program that was fetched and ran once, and whose cached copy was then overwritten.
fn desk_with_changed_cached_program(server: &Server) -> Desk {
    let good = "#!/bin/sh\ncat\n";
    server.put("/good.sh", Page::ok(good));
    let digest = sha256_hex(good);
    let catalog = program(&server.url("/good.sh"), &digest);
    let desk = desk(&["catalog.yaml"], &[("catalog.yaml", &catalog)]);
    desk.run(&["build", "--trusted-catalog=catalog.yaml"]).built();
    let kept = format!(".cache/kzui/sha256/{}/{digest}", &digest[..2]);
    assert!(desk.home.path(&kept).exists());
    desk.home.write(&kept, PROGRAM);
    desk
}

/// Scenario 98: a permitted function, with a configuration that it does not accept.
fn desk_with_invalid_configuration() -> Desk {
    let desk = desk(&["catalog.yaml"], &[("catalog.yaml", &program("f.sh", &sha256_hex(PROGRAM)))]);
    write_executable(&desk, "f.sh", PROGRAM);
    let config =
        "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata: {name: s}\nspec: {value: 1}\n";
    desk.tree.write("stamp.yaml", config);
    desk
}

pub(super) fn network_attacks(server: &Server) -> Vec<Attempt> {
    let media = "application/vnd.cncf.kubernetes.krm-func-catalog.layer.v1+yaml";
    let first = server.publish("fns/catalog", "v1", media, catalog("v1", STAMP).as_bytes());
    server.publish(
        "fns/catalog",
        "v1",
        media,
        catalog("v1", "{container: {image: evil}}").as_bytes(),
    );
    let reference = format!("oci://{}/fns/catalog:v1", server.authority);
    let moved = desk(&[&reference], &[]);
    let pinned = format!("--trusted-catalog={reference}@{first}");
    let page = Page::redirect("http://example.com/c.yaml");
    server.put("/c.yaml", page);
    let redirected = desk(&[&server.url("/c.yaml")], &[]);
    let plain = desk(&["http://example.com/c.yaml"], &[]);
    vec![
        Attempt(
            "a tag that moved",
            moved,
            words(&["build", &pinned]),
            format!("{} {first}", messages::TRUSTED_DIGEST),
        ),
        Attempt(
            "plain http",
            plain,
            words(&["build", &format!("--trusted-catalog=sha256:{}", sha256_hex("x"))]),
            messages::PLAIN_HTTP.to_owned(),
        ),
        Attempt(
            "plain http that is trusted by its name",
            desk(&["http://example.com/c.yaml"], &[]),
            words(&["build", "--trusted-catalog=http://example.com/c.yaml"]),
            messages::PLAIN_HTTP.to_owned(),
        ),
        Attempt(
            "a redirect to plain http",
            redirected,
            words(&["build", &format!("--trusted-catalog={}", server.url("/c.yaml"))]),
            format!("\"http://example.com/c.yaml\" {}", messages::IS_NOT_FOLLOWED),
        ),
    ]
}
