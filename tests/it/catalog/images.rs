//! The images of a catalog in a review: what they run, from a registry on this machine.

use kzui::engine::load::Digest;
use serde_json::{Value, json};

use super::server::{Page, Server};
use super::{Desk, catalog, desk, platform};
use crate::support::Answer;

/// An image in a registry, as the texts of its documents.
struct Image {
    config: String,
    layers: Vec<(String, u64)>,
}

impl Image {
    fn new(user: &str, entrypoint: &[&str], layers: &[(&str, u64)]) -> Self {
        let (os, architecture) = platform();
        let settings = json!({"User": user, "Entrypoint": entrypoint, "Cmd": ["--all"]});
        let config = json!({"os": os, "architecture": architecture, "config": settings});
        let layers = layers.iter().map(|(text, size)| (digest(text), *size)).collect();
        Self { config: config.to_string(), layers }
    }

    fn manifest(&self) -> String {
        let layers = self.layers.iter();
        let layers: Vec<Value> =
            layers.map(|(digest, size)| json!({"digest": digest, "size": size})).collect();
        json!({"config": {"digest": digest(&self.config)}, "layers": layers}).to_string()
    }

    /// Publishes the image; returns the digest of its manifest.
    fn publish(&self, server: &Server) -> String {
        put(server, "blobs", &digest(&self.config), &self.config);
        publish_manifest(server, &self.manifest())
    }
}

fn digest(text: &str) -> String {
    Digest::compute(text.as_bytes()).to_string()
}

fn put(server: &Server, what: &str, digest: &str, text: &str) {
    server.put(&format!("/v2/fns/stamp/{what}/{digest}"), Page::ok(text));
}

fn publish_manifest(server: &Server, text: &str) -> String {
    let digest = digest(text);
    put(server, "manifests", &digest, text);
    digest
}

/// Publishes a list with a manifest for each of these processors; returns its digest.
fn publish_list(server: &Server, entries: &[(&str, &str)]) -> String {
    let entry = |(architecture, digest): &(&str, &str)| json!({"digest": digest, "platform": {"os": "linux", "architecture": architecture}});
    let entries: Vec<Value> = entries.iter().map(entry).collect();
    publish_manifest(server, &json!({"manifests": entries}).to_string())
}

/// Writes a catalog whose function runs this image.
fn write_catalog(desk: &Desk, server: &Server, digest: &str) {
    let digest = digest.trim_start_matches("sha256:");
    let image = format!("{}/fns/stamp:v1", server.authority);
    let runtime = format!("{{container: {{image: '{image}', sha256: {digest}}}}}");
    desk.tree.write("catalog.yaml", &catalog("v1", &runtime));
}

fn user(server: &Server, digest: &str) -> Desk {
    let desk = desk(&["catalog.yaml"], &[]);
    write_catalog(&desk, server, digest);
    desk
}

fn trust(desk: &Desk, flags: &[&str]) -> Answer {
    desk.run(&[&["trust", "add", "catalog.yaml"], flags].concat())
}

/// The value of a field of the review.
fn field<'t>(review: &'t str, name: &str) -> &'t str {
    let line = review.lines().find(|line| line.trim_start().starts_with(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("no {name} in {review}")).trim_start()[name.len()..].trim()
}

#[test]
fn review_shows_what_an_image_runs() {
    let server = Server::start();
    let image = Image::new("", &["/stamp", "a b"], &[("one", 10), ("two", 20)]).publish(&server);
    let desk = user(&server, &image);
    let review = trust(&desk, &["--yes"]).built();
    assert!(field(&review, "user").starts_with("root (the image sets no user)"), "{review}");
    assert_eq!(field(&review, "entrypoint"), "[\"/stamp\",\"a b\"]");
    assert_eq!(field(&review, "command"), "[\"--all\"]");
    assert_eq!(field(&review, "layers"), "2 layers, 30 bytes");

    // The manifest and the configuration are in the cache.
    let asked = server.requests();
    let viewed = desk.run(&["view", "catalog", "catalog.yaml", "--offline"]).built();
    assert_eq!(field(&viewed, "layers"), "2 layers, 30 bytes");
    let document = desk.run(&["view", "catalog", "catalog.yaml", "-o", "json"]).built();
    let document: Value = serde_json::from_str(&document).unwrap();
    let container = &document["spec"]["krmFunctions"][0]["versions"][0]["runtime"]["container"];
    assert_eq!(container["contents"]["entrypoint"], json!(["/stamp", "a b"]));
    assert_eq!(container["contents"]["user"], "");
    assert_eq!(container["contents"]["layers"][1]["size"], 20);
    assert_eq!(container["contents"]["notKnown"], Value::Null);
    assert_eq!(server.requests(), asked);
}

#[test]
fn review_of_a_changed_image_shows_changed_layers_user_and_entrypoint() {
    let server = Server::start();
    let old = Image::new("65534", &["/stamp"], &[("base", 10), ("old", 20)]).publish(&server);
    let desk = user(&server, &old);
    trust(&desk, &["--yes"]).built();
    let new = Image::new("", &["/other"], &[("base", 10), ("new", 30)]).publish(&server);
    write_catalog(&desk, &server, &new);
    let review = trust(&desk, &["--yes"]).built();
    assert!(review.contains("user: 65534 → root (the image sets no user)"), "{review}");
    assert!(review.contains("entrypoint: [\"/stamp\"] → [\"/other\"]"), "{review}");
    assert!(review.contains("layers: 1 new, 1 removed, 1 the same"), "{review}");
    for (sign, layer) in [("-", "old"), ("+", "new"), (" ", "base")] {
        assert!(review.contains(&format!("    {sign} {}   ", digest(layer))), "{review}");
    }

    // Without the cache, the layers of the trusted image are not known.
    let newest = Image::new("", &["/other"], &[("base", 10)]).publish(&server);
    write_catalog(&desk, &server, &newest);
    let cache = desk.home.path(".cache/kzui");
    assert!(cache.exists());
    fs_err::remove_dir_all(cache).unwrap();
    let review = desk.run(&["trust", "diff", "catalog.yaml"]).out;
    let expected = format!("not known: the trusted image {new} is not in the cache");
    assert!(review.contains(&expected), "{review}");
}

#[test]
fn list_of_manifests_is_followed_for_this_machine() {
    let server = Server::start();
    let own = Image::new("me", &["/own"], &[("own", 1)]).publish(&server);
    let other = Image::new("other", &["/other"], &[("other", 2)]).publish(&server);
    let processor = platform().1;
    let list = publish_list(&server, &[("s390x", &other), (processor, &own)]);
    let review = trust(&user(&server, &list), &["--yes"]).built();
    assert!(field(&review, "user").starts_with("me"), "{review}");
    let chosen = format!("linux/{processor}, chosen from a list of 2");
    assert_eq!(field(&review, "platform"), chosen);

    let foreign = publish_list(&server, &[("s390x", &other)]);
    let review = trust(&user(&server, &foreign), &["--yes"]).built();
    let expected = format!("the list has no manifest for linux/{processor}, only: linux/s390x");
    assert!(field(&review, "contents").ends_with(&expected), "{review}");
    let twice = publish_list(&server, &[(processor, &own), (processor, &other)]);
    let review = trust(&user(&server, &twice), &["--yes"]).built();
    let expected = format!("the list has 2 manifests for linux/{processor}");
    assert!(field(&review, "contents").ends_with(&expected), "{review}");
}

#[test]
fn contents_of_another_digest_are_not_shown() {
    let server = Server::start();
    let image = Image::new("me", &["/stamp"], &[("one", 1)]);
    let pinned = image.publish(&server);
    put(&server, "blobs", &digest(&image.config), "{\"config\": {\"User\": \"evil\"}}");
    let desk = user(&server, &pinned);
    let review = trust(&desk, &["--yes"]).built();
    assert!(field(&review, "contents").contains("sha256 mismatch for the configuration"));
    assert!(!review.contains("evil"), "{review}");
    put(&server, "manifests", &pinned, "{\"layers\": []}");
    let review = trust(&desk, &["--yes"]).built();
    assert!(field(&review, "contents").contains("sha256 mismatch for the manifest"), "{review}");
}

#[test]
fn image_is_read_only_where_the_command_may_fetch() {
    let server = Server::start();
    let image = Image::new("me", &["/stamp"], &[("one", 1)]).publish(&server);
    let desk = user(&server, &image);
    let review = trust(&desk, &["--yes", "--offline"]).built();
    let expected = "not known: the image is not fetched; `kzui view catalog catalog.yaml` reads \
                    its manifest";
    assert_eq!(field(&review, "contents"), expected);
    desk.run(&["catalog", "lint", "catalog.yaml"]);
    desk.run(&["check"]);
    assert_eq!(server.requests(), [] as [&str; 0]);

    // Nothing is shown of an image without a digest, and no registry is asked for it.
    let runtime = format!("{{container: {{image: '{}/fns/stamp:v1'}}}}", server.authority);
    desk.tree.write("catalog.yaml", &catalog("v1", &runtime));
    let review = trust(&desk, &["--yes"]).built();
    assert!(!review.contains("entrypoint") && !review.contains("contents"), "{review}");
    assert_eq!(server.requests(), [] as [&str; 0]);
}
