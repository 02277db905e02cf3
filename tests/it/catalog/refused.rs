//! Untrusted programs never run: a table of attempts, each refused with its message, and without
//! the output that a program prints as soon as it runs.

use std::os::unix::fs::PermissionsExt;

use super::attempts::{attempts_of_a_trusted_catalog, network_attacks};
use super::server::Server;
use super::{Desk, STAMP, app, catalog, desk, script, sha256_hex};
use crate::support::messages;

/// An attempt: name, desk, arguments, and the text of the refusal.
pub(super) struct Attempt(
    pub(super) &'static str,
    pub(super) Desk,
    pub(super) Vec<String>,
    pub(super) String,
);

/// The first output of every program and every container engine here. A Starlark script would be
/// seen in the output of the build.
const MARK: &str = "this ran";
pub(super) const PROGRAM: &str = "#!/bin/sh\necho this ran >&2\ncat\n";

pub(super) fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(|&argument| argument.to_owned()).collect()
}

/// Writes an executable file.
pub(super) fn write_executable(desk: &Desk, path: &str, text: &str) {
    desk.tree.write(path, text);
    let mode = std::fs::Permissions::from_mode(0o755);
    fs_err::set_permissions(desk.tree.path(path), mode).unwrap();
}

/// Engines that do not even start a container.
fn install_failing_engines(desk: &Desk) {
    for engine in ["docker", "podman", "nerdctl"] {
        let path = format!("bin/{engine}");
        desk.home.write(&path, PROGRAM);
        let mode = std::fs::Permissions::from_mode(0o755);
        fs_err::set_permissions(desk.home.path(&path), mode).unwrap();
    }
}

#[test]
fn nothing_untrusted_ever_runs() {
    let servers = [Server::start(), Server::start()];
    let mut table = reference_attempts();
    table.extend(inline_attempts());
    table.extend(attempts_of_a_trusted_catalog(&servers[0]));
    table.extend(network_attacks(&servers[1]));
    for Attempt(name, desk, arguments, message) in table {
        install_failing_engines(&desk);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = desk.run(&arguments);
        assert_eq!(ran.status, Some(1), "{name}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out, "", "{name}");
        assert!(ran.err.contains(&message), "{name}: expected {message:?} in\n{}", ran.err);
        assert!(!ran.err.contains(MARK), "{name}: something ran\n{}", ran.err);
    }
    for server in servers {
        assert!(!server.requests().iter().any(|path| path.contains("example.com")));
    }
}

/// Checks the detection itself: a permitted program prints [`MARK`].
#[test]
fn trusted_program_leaves_its_mark() {
    let by_catalog = |runtime: &str| {
        let desk = desk(&["catalog.yaml"], &[("catalog.yaml", &catalog("v1", runtime))]);
        (desk, words(&["build", "--trusted-catalog=catalog.yaml"]))
    };
    let digest = sha256_hex(PROGRAM);
    let (os, arch) = super::platform();
    let exec = format!(
        "{{exec: {{platforms: [{{bin: f.sh, os: {os}, arch: {arch}, uri: f.sh, sha256: {digest}}}]}}}}"
    );
    let by_flags = |runtime: &str| {
        let flags = ["build", "--enable-alpha-plugins", "--enable-exec"];
        (desk_with_inline_runtime(runtime), words(&flags))
    };
    for (desk, arguments) in [
        by_catalog(&exec),
        by_catalog("{container: {image: x}}"),
        by_flags("{exec: {path: ./f.sh}}"),
        by_flags("{container: {image: x}}"),
    ] {
        install_failing_engines(&desk);
        write_executable(&desk, "f.sh", PROGRAM);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = desk.run(&arguments);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(ran.err.contains(MARK), "{}", ran.err);
    }
}

/// A tree whose function names its runtime itself.
fn desk_with_inline_runtime(text: &str) -> Desk {
    let desk = desk(&[], &[]);
    let config = format!(
        "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata: {{name: s}}\nruntime: {text}\n"
    );
    desk.tree.write("stamp.yaml", &config);
    write_executable(&desk, "f.sh", PROGRAM);
    desk
}

/// Attempts to run functions with a runtime in their own configuration.
fn inline_attempts() -> Vec<Attempt> {
    vec![
        Attempt(
            "an inline program without flags",
            desk_with_inline_runtime("{exec: {path: ./f.sh}}"),
            words(&["build"]),
            messages::EXTERNAL_PLUGINS_DISABLED.to_owned(),
        ),
        Attempt(
            "an inline program without its own flag",
            desk_with_inline_runtime("{exec: {path: ./f.sh}}"),
            words(&["build", "--enable-alpha-plugins"]),
            "needs --enable-exec".to_owned(),
        ),
        Attempt(
            "an inline script without its own flag",
            desk_with_inline_runtime("{starlark: {path: stamp.star}}"),
            words(&["build", "--enable-alpha-plugins", "--enable-exec"]),
            "needs --enable-star".to_owned(),
        ),
        Attempt(
            "an inline container without flags",
            desk_with_inline_runtime("{container: {image: x}}"),
            words(&["build"]),
            messages::EXTERNAL_PLUGINS_DISABLED.to_owned(),
        ),
        Attempt(
            "an inline program of another content",
            desk_with_inline_runtime(&format!(
                "{{exec: {{path: ./f.sh, sha256: {}}}}}",
                sha256_hex("other")
            )),
            words(&["build", "--enable-alpha-plugins", "--enable-exec"]),
            format!("{} ./f.sh", messages::SHA256_MISMATCH_FOR),
        ),
    ]
}

/// The first function replaces the program of the second during the build: the verified bytes run.
#[test]
fn a_program_that_is_exchanged_after_the_check_does_not_run() {
    let config = |name: &str, path: &str| {
        format!(
            "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata: {{name: {name}}}\nruntime: {{exec: {{path: {path}}}}}\n"
        )
    };
    let desk = desk(&[], &[]);
    let good = "#!/bin/sh\nsed 's/name: c$/name: changed/'\n";
    write_executable(&desk, "f.sh", good);
    write_executable(&desk, "swap.sh", "#!/bin/sh\ncp evil.sh f.sh\ncat\n");
    write_executable(&desk, "evil.sh", PROGRAM);
    let pinned = config("s", &format!("./f.sh, sha256: {}", sha256_hex(good)));
    desk.tree.write("stamp.yaml", &format!("{}---\n{pinned}", config("swap", "./swap.sh")));
    let ran = desk.run(&["build", "--enable-alpha-plugins", "--enable-exec"]);
    assert_eq!(desk.tree.read("f.sh"), PROGRAM.as_bytes(), "it was exchanged");
    assert!(!ran.err.contains(MARK), "{}", ran.err);
    assert!(ran.built().contains("name: changed"));
}

fn reference_attempts() -> Vec<Attempt> {
    let good = catalog("v1", STAMP);
    let local =
        || desk(&["catalog.yaml"], &[("catalog.yaml", &good), ("stamp.star", &script("x"))]);
    let not_trusted = || messages::UNTRUSTED_NEEDED_TO_RUN.to_owned();
    let url = "https://team.example.com/catalog.yaml";
    let remote_base = {
        let origin = crate::support::Tree::new(&[]);
        for (path, text) in app(&["catalog.yaml"]) {
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
    let in_front = desk(
        &["theirs/catalog.yaml", "mine/catalog.yaml"],
        &[
            ("mine/catalog.yaml", &good),
            ("mine/stamp.star", &script("mine")),
            ("theirs/catalog.yaml", &good),
            ("theirs/stamp.star", &script("theirs")),
        ],
    );
    vec![
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
            "a catalog in front of the trusted one",
            in_front,
            words(&["build", "--trusted-catalog=mine"]),
            "catalog 'theirs/catalog.yaml'".to_owned(),
        ),
        Attempt(
            "content changed since",
            local(),
            words(&[
                "build",
                &format!("--trusted-catalog=catalog.yaml@sha256:{}", sha256_hex("x")),
            ]),
            format!("{} sha256:", messages::TRUSTED_DIGEST),
        ),
    ]
}
