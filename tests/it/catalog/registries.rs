//! Registries with passwords, and malicious ones: on this machine, with the real program.

use super::server::{Page, Server, manifest};
use super::{Desk, STAMP, catalog, desk, make_executable, script, sha256_hex};
use crate::support::messages;
use kzui::engine::load::Digest;

const CATALOG: &str = "application/vnd.cncf.kubernetes.krm-func-catalog.layer.v1+yaml";
const PASSWORD: &str = "dXNlcjpwYXNz";

/// A catalog of this registry in a tree, and a user with these container settings.
fn user(server: &Server, tag: &str, settings: &str) -> Desk {
    let desk = desk(&[&catalog_reference(server, tag)], &[]);
    desk.home.write(".docker/config.json", settings);
    desk
}

fn catalog_reference(server: &Server, tag: &str) -> String {
    format!("oci://{}/fns/catalog:{tag}", server.authority)
}

/// Docker's settings with the credentials for the registry.
fn docker_settings(server: &Server) -> String {
    format!("{{\"auths\": {{\"{}\": {{\"auth\": \"{PASSWORD}\"}}}}}}", server.authority)
}

fn build(desk: &Desk, server: &Server, tag: &str) -> crate::support::Answer {
    desk.run(&["build", &format!("--trusted-catalog={}", catalog_reference(server, tag))])
}

/// Publishes a script and a catalog with it on the same server; returns the text of the catalog.
fn publish_script_and_catalog(server: &Server) -> String {
    let script = script("mark");
    server.put("/stamp.star", Page::ok(script.clone()));
    let runtime = format!(
        "{{starlark: {{uri: '{}', sha256: {}}}}}",
        server.url("/stamp.star"),
        sha256_hex(&script)
    );
    let text = catalog("v1", &runtime);
    server.publish("fns/catalog", "v1", CATALOG, text.as_bytes());
    text
}

#[test]
fn password_is_sent_to_its_registry_only() {
    if !crate::support::has_starlark() {
        return;
    }
    let (server, elsewhere) = (Server::start(), Server::start());
    let text = publish_script_and_catalog(&server);
    server.challenge("Basic realm=\"fns\"");
    let blob = format!("/v2/fns/catalog/blobs/{}", Digest::compute(text.as_bytes()));
    server.put(&blob, Page::redirect(&elsewhere.url("/kept")));
    elsewhere.put("/kept", Page::ok(text));
    let known = user(&server, "v1", &docker_settings(&server));
    assert!(build(&known, &server, "v1").built().contains("stamp: mark mark"));
    let given = server.authorizations();
    assert!(!given.is_empty(), "the registry was given nothing");
    assert!(
        given
            .iter()
            .all(|it| it.starts_with("/v2/") && it.ends_with(&format!(" Basic {PASSWORD}"))),
        "{given:?}"
    );
    assert_eq!(elsewhere.requests(), ["/kept"]);
    assert_eq!(
        elsewhere.authorizations(),
        [] as [&str; 0],
        "another server was given the password"
    );

    // A registry without credentials of its own does not get those of another registry.
    elsewhere.publish("fns/catalog", "v1", CATALOG, b"x");
    elsewhere.challenge("Basic realm=\"fns\"");
    let unknown = user(&elsewhere, "v1", &docker_settings(&server));
    let refused = build(&unknown, &elsewhere, "v1").refused();
    assert!(refused.contains(" 401"), "{refused}");
    assert_eq!(elsewhere.authorizations(), [] as [&str; 0]);
}

#[test]
fn password_comes_only_from_the_configured_helper() {
    if !crate::support::has_starlark() {
        return;
    }
    let server = Server::start();
    publish_script_and_catalog(&server);
    server.challenge("Basic realm=\"fns\"");
    let named = |helper: &str| {
        let settings = format!("{{\"credHelpers\": {{\"{}\": \"{helper}\"}}}}", server.authority);
        let desk = user(&server, "v1", &settings);
        let script = "#!/bin/sh\ncat > \"$HOME/asked\"\necho '{\"Username\": \"user\", \"Secret\": \"pass\"}'\n";
        for path in ["bin/docker-credential-safe", "bin/other"] {
            desk.home.write(path, script);
            make_executable(&desk.home.path(path));
        }
        desk
    };
    let safe = named("safe");
    assert!(build(&safe, &server, "v1").built().contains("stamp: mark mark"));
    assert_eq!(safe.home.read("asked"), server.authority.as_bytes());
    for helper in ["../other", "safe;other", "", "safe other"] {
        let odd = named(helper);
        build(&odd, &server, "v1").refused();
        assert!(!odd.home.path("asked").exists(), "{helper:?} was started");
    }
}

#[test]
fn token_server_and_answer_are_checked() {
    if !crate::support::has_starlark() {
        return;
    }
    let token = |answer: &str| {
        let server = Server::start();
        publish_script_and_catalog(&server);
        server.challenge(&format!("Bearer realm=\"{}\",service=\"s\"", server.url("/token")));
        let path = "/token?service=s&scope=repository%3Afns%2Fcatalog%3Apull";
        server.put(path, Page::ok(answer));
        build(&user(&server, "v1", "{}"), &server, "v1")
    };
    assert!(token("{\"access_token\": \"t\"}").built().contains("stamp: mark mark"));
    for (answer, expected) in [
        ("no JSON", messages::NO_TOKEN),
        ("{\"token\": 7}", messages::NO_TOKEN),
        // Injects another header after the end of the line.
        ("{\"token\": \"t\\r\\nX-Other: 1\"}", "Get "),
        (&format!("{{\"token\": \"{}\"}}", "t".repeat(5 << 20)), messages::LARGER_THAN_4_MIB),
    ] {
        let refused = token(answer).refused();
        assert!(refused.contains(expected), "expected {expected:?} in {refused}");
    }
    for realm in [
        "http://auth.example.com/token",
        "file:///etc/passwd",
        "https://user:secret@auth.example.com/t",
        "",
    ] {
        let server = Server::start();
        publish_script_and_catalog(&server);
        server.challenge(&format!("Bearer realm=\"{realm}\",service=\"s\""));
        let refused =
            build(&user(&server, "v1", &docker_settings(&server)), &server, "v1").refused();
        assert!(refused.contains(&format!("{} {realm:?}", messages::ASKS_FOR_TOKEN)), "{refused}");
        assert_eq!(server.authorizations(), [] as [&str; 0]);
    }
}

#[test]
fn inconsistent_registry_replies_are_refused() {
    let server = Server::start();
    let text = catalog("v1", STAMP);
    let (honest, _) = manifest(CATALOG, text.as_bytes());
    let honest = String::from_utf8(honest).unwrap();
    let put = |tag: &str, manifest: &str| {
        server.put(&format!("/v2/fns/catalog/manifests/{tag}"), Page::ok(manifest));
    };
    let blob = Digest::compute(text.as_bytes());
    server.put(&format!("/v2/fns/catalog/blobs/{blob}"), Page::ok(text.clone()));
    let size = |size: &str| {
        honest.replace(&format!("\"size\": {}", text.len()), &format!("\"size\": {size}"))
    };
    let other = Digest::compute(b"other");
    server.put(&format!("/v2/fns/catalog/blobs/{other}"), Page::ok("not that"));
    server.put(&format!("/v2/fns/catalog/manifests/{other}"), Page::ok(honest.clone()));
    let index = |digest: &str| format!("{{\"manifests\": [{{\"digest\": \"{digest}\"}}]}}");
    let layer = format!(
        "{{\"mediaType\": \"{CATALOG}\", \"digest\": \"{blob}\", \"size\": {}}}",
        text.len()
    );
    let table = [
        ("too-small", size("1"), format!("the layer has {} bytes, expected 1", text.len())),
        ("too-large", size("99999999999999"), "more than".to_owned()),
        ("negative", size("-1"), "the layer has no size".to_owned()),
        ("no-size", size("null"), "the layer has no size".to_owned()),
        (
            "another-blob",
            honest.replace(&blob.to_string(), &other.to_string()),
            "sha256 mismatch for".to_owned(),
        ),
        (
            "another-hash",
            honest.replace("sha256:", "sha512:"),
            "the layer has no sha256 digest".to_owned(),
        ),
        ("two", format!("{{\"layers\": [{layer}, {layer}]}}"), "2 layers of type".to_owned()),
        ("none", "{\"layers\": []}".to_owned(), "no layer of type".to_owned()),
        ("text", "<html>".to_owned(), "the manifest: ".to_owned()),
        ("deep", "[".repeat(100_000), "the manifest: ".to_owned()),
        ("index", index(&other.to_string()), "sha256 mismatch for".to_owned()),
        (
            "odd-index",
            index("sha256:../../x"),
            "the index has 1 manifests, expected one".to_owned(),
        ),
        ("long", " ".repeat(5 << 20), "larger than 4 MiB".to_owned()),
    ];
    for (tag, manifest, expected) in table {
        put(tag, &manifest);
        let refused = build(&user(&server, tag, "{}"), &server, tag).refused();
        assert!(refused.contains(&expected), "{tag}: expected {expected:?} in {refused}");
    }
}
