//! Changed content after a decision: it does not run without another decision (ruling 32). Each
//! attempt runs before the change, so that a refusal after it is due to the change.

use super::refused::write_executable;
use super::server::{Page, Server};
use super::{Desk, catalog, desk, platform, script, sha256_hex};

/// A change after the decision.
type ServerChange = dyn Fn(&Desk, &Server);

/// The functions of the attempts. A changed one shows the word `evil`, in the output or in the
/// arguments of the container engine.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AttackedFunction {
    /// A script without a digest in the catalog.
    Script,
    /// A script with a digest in the catalog.
    PinnedScript,
    Program,
    /// A program at a URL.
    RemoteProgram,
    Image,
    /// A catalog at a URL, with a program at a URL.
    RemoteCatalog,
}

const GOOD: &str = "#!/bin/sh\nsed 's/name: c$/name: good/'\n";
const EVIL: &str = "#!/bin/sh\nsed 's/name: c$/name: evil/'\n";
const IMAGE: &str = "{container: {image: 'r.example.com/stamp:unstable'}}";
/// A container engine that records its arguments, and returns its input.
const ENGINE: &str = "#!/bin/sh\n[ \"$1\" = version ] || echo \"$@\" >> \"$HOME/arguments\"\ncat\n";

fn pinned_script(text: &str) -> String {
    catalog("v1", &format!("{{starlark: {{path: stamp.star, sha256: {}}}}}", sha256_hex(text)))
}

fn program(uri: &str, text: &str) -> String {
    let (os, arch) = platform();
    let digest = sha256_hex(text);
    let runtime = format!(
        "{{exec: {{platforms: [{{bin: f.sh, os: {os}, arch: {arch}, uri: '{uri}', sha256: {digest}}}]}}}}"
    );
    catalog("v1", &runtime)
}

fn trusted_desk(kind: AttackedFunction, server: &Server) -> Desk {
    server.put("/f.sh", Page::ok(GOOD));
    server.put("/catalog.yaml", Page::ok(program(&server.url("/f.sh"), GOOD)));
    let unpinned = catalog("v1", super::STAMP);
    let text = match kind {
        AttackedFunction::Script | AttackedFunction::RemoteCatalog => unpinned,
        AttackedFunction::PinnedScript => pinned_script(&script("good")),
        AttackedFunction::Program => program("f.sh", GOOD),
        AttackedFunction::RemoteProgram => program(&server.url("/f.sh"), GOOD),
        AttackedFunction::Image => catalog("v1", IMAGE),
    };
    let listed = match kind {
        AttackedFunction::RemoteCatalog => server.url("/catalog.yaml"),
        _ => "c/catalog.yaml".to_owned(),
    };
    let desk = desk(
        &[&listed],
        &[("c/catalog.yaml", &text), ("c/stamp.star", &script("good")), ("c/f.sh", GOOD)],
    );
    for engine in ["docker", "podman", "nerdctl"] {
        desk.home.write(&format!("bin/{engine}"), ENGINE);
        super::make_executable(&desk.home.path(&format!("bin/{engine}")));
    }
    desk
}

/// The changes of a local catalog and the files around it.
fn changes() -> Vec<(&'static str, AttackedFunction, Box<ServerChange>)> {
    let mut all: Vec<(&'static str, AttackedFunction, Box<ServerChange>)> = Vec::new();
    let mut add = |name, kind, change: Box<ServerChange>| all.push((name, kind, change));
    let write = |path: &'static str, text: String| -> Box<ServerChange> {
        Box::new(move |desk, _| desk.tree.write(path, &text))
    };
    let edit = |from: &'static str, to: &'static str| -> Box<ServerChange> {
        Box::new(move |desk, _| {
            let text = String::from_utf8(desk.tree.read("c/catalog.yaml")).unwrap();
            assert!(text.contains(from), "{from} is not in {text}");
            desk.tree.write("c/catalog.yaml", &text.replacen(from, to, 1));
        })
    };
    for kind in [
        AttackedFunction::Script,
        AttackedFunction::PinnedScript,
        AttackedFunction::Program,
        AttackedFunction::RemoteProgram,
        AttackedFunction::Image,
    ] {
        add("a space at the end of the catalog", kind, edit("runtime:", "runtime: "));
        add("a comment in the catalog", kind, edit("kind: Catalog", "kind: Catalog # evil"));
        add("another schema", kind, edit("type: string", "type: string, minLength: 1"));
        add("another publisher", kind, edit("publisher: team", "publisher: evil"));
        add("another description", kind, edit("description: stamps", "description: x"));
    }
    for kind in [AttackedFunction::Script, AttackedFunction::PinnedScript] {
        add("another word in the script", kind, write("c/stamp.star", script("evil")));
        add("a space in the script", kind, write("c/stamp.star", script("good") + " "));
        let carriage_returns = script("good").replace('\n', "\r\n");
        add("line ends of the script", kind, write("c/stamp.star", carriage_returns));
        add("an empty script", kind, write("c/stamp.star", String::new()));
        add(
            "a link in place of the script",
            kind,
            Box::new(|desk, _| {
                desk.tree.write("c/evil.star", &script("evil"));
                fs_err::remove_file(desk.tree.path("c/stamp.star")).unwrap();
                let (to, link) = (desk.tree.path("c/evil.star"), desk.tree.path("c/stamp.star"));
                fs_err::os::unix::fs::symlink(to, link).unwrap();
            }),
        );
        add(
            "another folder in place of the catalog's",
            kind,
            Box::new(|desk, _| {
                let text = desk.tree.read("c/catalog.yaml");
                fs_err::rename(desk.tree.path("c"), desk.tree.path("old")).unwrap();
                desk.tree.write("c/catalog.yaml", &String::from_utf8(text).unwrap());
                desk.tree.write("c/stamp.star", &script("evil"));
            }),
        );
    }
    add(
        "another path of the script",
        AttackedFunction::Script,
        edit("path: stamp.star", "path: other.star"),
    );
    let both = pinned_script(&script("evil"));
    add(
        "another script, with its digest in the catalog",
        AttackedFunction::PinnedScript,
        Box::new(move |desk, _| {
            desk.tree.write("c/stamp.star", &script("evil"));
            desk.tree.write("c/catalog.yaml", &both);
        }),
    );
    add("another program", AttackedFunction::Program, write("c/f.sh", EVIL.to_owned()));
    add(
        "a byte at the end of the program",
        AttackedFunction::Program,
        write("c/f.sh", format!("{GOOD}\n")),
    );
    add(
        "another program, with its digest in the catalog",
        AttackedFunction::Program,
        Box::new(|desk, _| {
            write_executable(desk, "c/f.sh", EVIL);
            desk.tree.write("c/catalog.yaml", &program("f.sh", EVIL));
        }),
    );
    add(
        "another program on the server, with its digest in the catalog",
        AttackedFunction::RemoteProgram,
        Box::new(|desk, server| {
            server.put("/f.sh", Page::ok(EVIL));
            let text = program(&server.url("/f.sh"), EVIL);
            desk.tree.write("c/catalog.yaml", &text);
        }),
    );
    add("another tag of the image", AttackedFunction::Image, edit("stamp:unstable", "stamp:evil"));
    add("another name of the image", AttackedFunction::Image, edit("/stamp:", "/evil:"));
    let network = edit(":unstable'", ":unstable', requireNetwork: true");
    add("an image with the network", AttackedFunction::Image, network);
    all
}

/// The decisions: a record, and the flags with a digest, as far as they cover the function.
fn decisions(kind: AttackedFunction, desk: &Desk) -> Vec<Vec<String>> {
    let digest = sha256_hex(desk.tree.read("c/catalog.yaml"));
    let pinned = format!("--trusted-catalog=c/catalog.yaml@sha256:{digest}");
    let content = format!("--trusted-catalog=sha256:{digest}");
    match kind {
        AttackedFunction::Script | AttackedFunction::RemoteCatalog => vec![Vec::new()],
        _ => vec![Vec::new(), vec![pinned], vec![content]],
    }
}

fn has_evil(desk: &Desk, out: &str) -> bool {
    let arguments = fs_err::read_to_string(desk.home.path("arguments")).unwrap_or_default();
    out.contains("evil") || arguments.contains("evil") || arguments.contains("--network")
}

#[test]
fn no_changed_byte_runs_without_another_decision() {
    if !crate::support::has_starlark() {
        return;
    }
    let server = Server::start();
    let mut attempts = 0;
    for (name, kind, change) in changes() {
        for number in 0.. {
            let desk = trusted_desk(kind, &server);
            let Some(flags) = decisions(kind, &desk).into_iter().nth(number) else { break };
            if flags.is_empty() {
                desk.run(&["trust", "add", "c", "--yes"]).built();
            }
            let mut build = vec!["build"];
            build.extend(flags.iter().map(String::as_str));
            desk.run(&build).built();
            let _ = fs_err::remove_file(desk.home.path("arguments"));
            change(&desk, &server);
            let after = desk.run(&build);
            let what = format!("{name}, {kind:?}, {flags:?}: {}{}", after.out, after.err);
            assert_eq!((after.status, &*after.out), (Some(1), ""), "{what}");
            assert!(!has_evil(&desk, &after.out), "{what}");
            assert!(!desk.home.path("arguments").exists(), "an engine was started: {what}");
            attempts += 1;
        }
    }
    assert!(attempts >= 40, "{attempts}");
}

/// Changes on a server, or under `--any-content`: trusted content still runs, changed content does
/// not.
#[test]
fn changed_server_content_does_not_run() {
    let server = Server::start();
    let desk = trusted_desk(AttackedFunction::RemoteCatalog, &server);
    desk.run(&["trust", "add", &server.url("/catalog.yaml"), "--yes"]).built();
    assert!(desk.run(&["build"]).built().contains("name: good"));
    server.put("/f.sh", Page::ok(EVIL));
    assert!(desk.run(&["build"]).built().contains("name: good"));
    server.put("/catalog.yaml", Page::ok(program(&server.url("/f.sh"), EVIL)));
    let after = desk.run(&["build"]);
    assert!(!after.out.contains("evil"), "{}{}", after.out, after.err);
    // Another machine has no cache: it refuses.
    let other = trusted_desk(AttackedFunction::RemoteCatalog, &Server::start());
    let trust = fs_err::read(desk.home.path(".local/share/kzui/trust.yaml")).unwrap();
    other.home.write(".local/share/kzui/trust.yaml", &String::from_utf8(trust).unwrap());
    let listed = String::from_utf8(desk.tree.read("kustomization.yaml")).unwrap();
    other.tree.write("kustomization.yaml", &listed);
    server.put("/catalog.yaml", Page::ok(program(&server.url("/f.sh"), EVIL)));
    assert_eq!(other.run(&["build"]).refused().matches("evil").count(), 0);
}

/// A copy of a trusted catalog is trusted with its files, until the trust in the copy is revoked.
#[test]
fn trust_follows_content() {
    if !crate::support::has_starlark() {
        return;
    }
    let server = Server::start();
    let desk = trusted_desk(AttackedFunction::Script, &server);
    desk.run(&["trust", "add", "c", "--yes"]).built();
    let text = String::from_utf8(desk.tree.read("c/catalog.yaml")).unwrap();
    desk.tree.write("copy/catalog.yaml", &text);
    desk.tree.write("copy/stamp.star", &script("good"));
    let listed = String::from_utf8(desk.tree.read("kustomization.yaml")).unwrap();
    desk.tree.write("kustomization.yaml", &listed.replace("c/catalog.yaml", "copy/catalog.yaml"));
    assert!(desk.run(&["build"]).built().contains("good"));
    desk.tree.write("copy/stamp.star", &script("evil"));
    assert!(desk.run(&["build"]).refused().contains("'stamp.star'"));
    desk.tree.write("copy/stamp.star", &script("good"));
    desk.run(&["trust", "remove", "c"]).built();
    desk.run(&["build"]).refused();
}

/// The review shows the code that would run, and the diff of a changed script.
#[test]
fn review_shows_the_code_and_its_changes() {
    let server = Server::start();
    let desk = trusted_desk(AttackedFunction::Script, &server);
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n";
    desk.tree.write("cm.yaml", &format!("{}---\n{secret}", super::app(&[])[1].1));
    let asked = desk.run(&["trust", "add", "c"]);
    assert_eq!(asked.status, Some(1), "{}", asked.err);
    assert!(asked.err.contains("--yes"), "{}", asked.err);
    let text = script("good");
    for part in [
        "stamp.star   ",
        &format!("{} bytes, not pinned by the catalog: this decision pins it", text.len()),
        &format!("sha256:{}", sha256_hex(&text)),
        "def stamp(list):",
        "2 objects, 1 Secret in .",
        "network      none",
        "self-declared, not verified",
        "never trusted",
    ] {
        assert!(asked.out.contains(part), "{part}: {}", asked.out);
    }
    assert!(desk.run(&["trust", "list"]).built().is_empty(), "nothing was decided");
    desk.run(&["trust", "add", "c", "--yes"]).built();
    assert_eq!(desk.run(&["trust", "diff", "c"]).status, Some(0));
    desk.tree.write("c/stamp.star", &script("evil"));
    let view = desk.run(&["view", "catalog", "c"]).built();
    assert!(view.contains("not trusted"), "{view}");
    let diff = desk.run(&["trust", "diff", "c"]);
    assert_eq!(diff.status, Some(1), "{}", diff.out);
    for part in ["content of stamp.star", "    -     item", "\"evil \" +", "    +     item"] {
        assert!(diff.out.contains(part), "{part}: {}", diff.out);
    }
}

/// The catalog is the same, and a script that it pins is not.
#[test]
fn changed_pinned_script_is_a_difference() {
    let desk = desk(
        &["c/catalog.yaml"],
        &[("c/catalog.yaml", &pinned_script(&script("good"))), ("c/stamp.star", &script("good"))],
    );
    desk.run(&["trust", "add", "c", "--yes"]).built();
    assert_eq!(desk.run(&["trust", "diff", "c"]).status, Some(0));
    desk.tree.write("c/stamp.star", &script("evil"));
    let diff = desk.run(&["trust", "diff", "c"]);
    assert_eq!(diff.status, Some(1), "{}", diff.out);
}
