//! Nothing untrusted ever runs: attempts, each refused with its message.

use super::server::{Page, Server};
use super::sources::{packed, program};
use super::{Desk, STAMP, catalog, desk, hex, script};

/// An attempt: what it is, the desk, the arguments, what the refusal says.
struct Attempt(&'static str, Desk, Vec<String>, String);

const PROGRAM: &str = "#!/bin/sh\ncat\n";

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(|&argument| argument.to_owned()).collect()
}

fn check(attempts: Vec<Attempt>) {
    for Attempt(name, desk, arguments, message) in attempts {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = desk.run(&arguments);
        assert_eq!(ran.status, Some(1), "{name}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out, "", "{name}");
        assert!(ran.err.contains(&message), "{name}: expected {message:?} in\n{}", ran.err);
    }
}

#[test]
fn references_and_names_grant_nothing() {
    let good = catalog("v1", STAMP);
    let local =
        || desk(&["catalog.yaml"], &[("catalog.yaml", &good), ("stamp.star", &script("x"))]);
    let not_trusted = || "is not trusted; it is needed to run".to_owned();
    let url = "https://team.example.com/catalog.yaml";
    let runtime = |text: &str| {
        let desk = desk(&[], &[]);
        let config = format!(
            "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata: {{name: s}}\nruntime: {text}\n"
        );
        desk.tree.write("stamp.yaml", &config);
        desk.tree.write("f.sh", PROGRAM);
        desk
    };
    let remote_base = {
        let origin = crate::support::Tree::new(&[]);
        for (path, text) in super::app(&["catalog.yaml"]) {
            origin.write(path, &text);
        }
        origin.write("catalog.yaml", &good);
        origin.write("stamp.star", &script("x"));
        for arguments in [
            &["init", "-q"][..],
            &["add", "-A"],
            &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x"],
        ] {
            let done = std::process::Command::new("git")
                .args(arguments)
                .current_dir(origin.root())
                .status();
            assert!(done.unwrap().success());
        }
        let base = format!("git::file://{}", origin.root().display());
        let desk = Desk::new(&[
            ("kustomization.yaml", &format!("resources: ['{base}']\n")),
            ("catalog.yaml", &good),
        ]);
        // The repository must outlive the run.
        std::mem::forget(origin);
        desk
    };
    let both = desk(
        &["mine.yaml", "theirs/catalog.yaml"],
        &[
            ("mine.yaml", &catalog("v2", STAMP)),
            ("theirs/catalog.yaml", &good),
            ("theirs/stamp.star", &script("x")),
        ],
    );
    check(vec![
        Attempt("a reference alone", local(), words(&["build"]), not_trusted()),
        Attempt(
            "a name that claims to be another",
            local(),
            words(&["build", "--trusted-catalog=team"]),
            not_trusted(),
        ),
        Attempt(
            "a URL while a copy is referenced",
            local(),
            words(&["build", &format!("--trusted-catalog={url}")]),
            not_trusted(),
        ),
        Attempt(
            "a catalog of a remote base, of the same path below another root",
            remote_base,
            words(&["build", "--trusted-catalog=catalog.yaml"]),
            not_trusted(),
        ),
        Attempt(
            "a second catalog that would answer",
            both,
            words(&["build", "--trusted-catalog=mine.yaml"]),
            "catalog 'theirs/catalog.yaml'".to_owned(),
        ),
        Attempt(
            "another content",
            local(),
            words(&["build", &format!("--trusted-catalog=catalog.yaml@sha256:{}", hex("x"))]),
            "trusted digest is sha256:".to_owned(),
        ),
        Attempt(
            "an inline program without flags",
            runtime("{exec: {path: ./f.sh}}"),
            words(&["build"]),
            "external plugins disabled".to_owned(),
        ),
        Attempt(
            "an inline program without its own flag",
            runtime("{exec: {path: ./f.sh}}"),
            words(&["build", "--enable-alpha-plugins"]),
            "needs --enable-exec".to_owned(),
        ),
        Attempt(
            "an inline container without flags",
            runtime("{container: {image: x}}"),
            words(&["build"]),
            "external plugins disabled".to_owned(),
        ),
    ]);
}

#[test]
fn what_a_trusted_catalog_names_is_held_to_it() {
    let server = Server::start();
    server.put("/f.sh", Page::ok(PROGRAM));
    server.put("/up.tar.gz", Page::ok(packed("../f.sh", PROGRAM.as_bytes())));
    server.put("/away.sh", Page::to("http://example.com/f.sh"));
    let with = |text: &str| {
        desk(&["catalog.yaml"], &[("catalog.yaml", text), ("stamp.star", &script("x"))])
    };
    let container = |text: &str| with(&catalog("v1", &format!("{{container: {text}}}")));
    let trust = |more: &[&str]| {
        let mut arguments = words(&["build", "--trusted-catalog=catalog.yaml"]);
        arguments.extend(words(more));
        arguments
    };
    let digest = hex(PROGRAM);
    let up = packed("../f.sh", PROGRAM.as_bytes());
    let link = with(&program("bin/f.sh", &digest));
    let outside = crate::support::Tree::new(&[("f.sh", PROGRAM)]);
    fs_err::create_dir_all(link.tree.path("bin")).unwrap();
    #[cfg(unix)]
    fs_err::os::unix::fs::symlink(outside.path("f.sh"), link.tree.path("bin/f.sh")).unwrap();
    check(vec![
        Attempt(
            "a download of another content",
            with(&program(&server.url("/f.sh"), &hex("other"))),
            trust(&[]),
            "sha256 mismatch for".to_owned(),
        ),
        Attempt(
            "an archive that leads out",
            with(&program(&server.url("/up.tar.gz"), &hex(&up))),
            trust(&[]),
            "leads out of the archive".to_owned(),
        ),
        Attempt(
            "a redirect to plain http",
            with(&program(&server.url("/away.sh"), &digest)),
            trust(&[]),
            "is not followed".to_owned(),
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
            "not allowed to start with ../".to_owned(),
        ),
        Attempt(
            "a script anywhere",
            with(&catalog("v1", "{starlark: {path: /etc/passwd}}")),
            trust(&[]),
            "absolute function path /etc/passwd not allowed".to_owned(),
        ),
        Attempt(
            "a script without a digest",
            with(&catalog("v1", &format!("{{starlark: '{}'}}", server.url("/f.sh")))),
            trust(&[]),
            "has no sha256".to_owned(),
        ),
        Attempt(
            "a version tag",
            container("{image: 'x:v1.0'}"),
            trust(&[]),
            "has a version tag but no sha256; the catalog must pin it".to_owned(),
        ),
        Attempt(
            "a floating tag where pins are required",
            container("{image: x}"),
            trust(&["--require-pinned"]),
            "is not pinned".to_owned(),
        ),
        Attempt(
            "two digests",
            container(&format!("{{image: 'x@sha256:{digest}', sha256: {}}}", hex("y"))),
            trust(&[]),
            "image digest and sha256 differ".to_owned(),
        ),
        Attempt(
            "network without the flag",
            container("{image: x, requireNetwork: true}"),
            trust(&[]),
            "use --network".to_owned(),
        ),
        Attempt(
            "a mount without the flag",
            container("{image: x, requireStorageMount: true}"),
            trust(&[]),
            "requires a storage mount; use --mount".to_owned(),
        ),
        Attempt(
            "mounts of its own",
            container("{image: x, mounts: [{type: bind}]}"),
            trust(&[]),
            "catalog entries cannot grant mounts or environment".to_owned(),
        ),
    ]);
    assert!(!server.asked().iter().any(|path| path.contains("example.com")));
}

#[test]
fn a_moved_tag_and_plain_http_are_refused() {
    let server = Server::start();
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
    let page = Page::to("http://example.com/c.yaml");
    server.put("/c.yaml", page);
    let redirected = desk(&[&server.url("/c.yaml")], &[]);
    let plain = desk(&["http://example.com/c.yaml"], &[]);
    check(vec![
        Attempt(
            "a tag that moved",
            moved,
            words(&["build", &pinned]),
            format!("trusted digest is {first}"),
        ),
        Attempt(
            "plain http",
            plain,
            words(&["build", &format!("--trusted-catalog=sha256:{}", hex("x"))]),
            "plain http is not allowed for catalogs; use https or pin with @sha256:".to_owned(),
        ),
        Attempt(
            "a redirect to plain http",
            redirected,
            words(&["build", &format!("--trusted-catalog={}", server.url("/c.yaml"))]),
            "redirect to \"http://example.com/c.yaml\" is not followed".to_owned(),
        ),
    ]);
}
