//! Signatures in registries and OCI layouts.

use kzui::engine::load::Digest;
use rcgen::KeyPair;
use serde_json::{Value, json};

use super::super::server::{Page, Server};
use super::super::{Desk, catalog, desk, make_executable, sha256_hex};
use super::signer::{KeylessSigning, Sigstore, detached_signature, simple_signing};
use super::{ISSUER, JANE};

use crate::support::messages;
const CATALOG: &str = "application/vnd.cncf.kubernetes.krm-func-catalog.layer.v1+yaml";
const SIMPLE_SIGNING: &str = "application/vnd.dev.cosign.simplesigning.v1+json";
const BUNDLE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";

/// A manifest with one layer and the additional fields `more`.
fn manifest(media: &str, layer: &str, annotations: &Value, more: &Value) -> String {
    let mut manifest = json!({
        "schemaVersion": 2,
        "layers": [{
            "mediaType": media,
            "digest": Digest::compute(layer.as_bytes()).to_string(),
            "size": layer.len(),
            "annotations": annotations,
        }],
    });
    let fields = manifest.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    manifest.to_string()
}

fn digest(text: &str) -> String {
    Digest::compute(text.as_bytes()).to_string()
}

/// An artifact of a catalog with its signatures.
struct Artifact {
    manifest: String,
    catalog: String,
    /// Tag, manifest and layer of each signature.
    signatures: Vec<(String, String, String)>,
}

impl Artifact {
    fn new() -> Self {
        let runtime = format!(
            "{{container: {{image: '127.0.0.1:1/x:v1', sha256: {}}}}}",
            sha256_hex("image")
        );
        let catalog = catalog("v1", &runtime);
        let manifest = manifest(CATALOG, &catalog, &json!({}), &json!({}));
        Self { manifest, catalog, signatures: Vec::new() }
    }

    fn digest(&self) -> String {
        digest(&self.manifest)
    }

    /// Adds a signature under cosign's tag.
    fn add_tagged_signature(&mut self, payload: &str, annotations: &Value) {
        let tag = self.digest().replace(':', "-") + ".sig";
        let manifest = manifest(SIMPLE_SIGNING, payload, annotations, &json!({}));
        self.signatures.push((tag, manifest, payload.to_owned()));
    }

    /// Adds a bundle that refers to the artifact.
    fn add_referring_bundle(&mut self, bundle: &Value) {
        let layer = bundle.to_string();
        let more = json!({"artifactType": BUNDLE, "subject": {"digest": self.digest()}});
        let manifest = manifest(BUNDLE, &layer, &json!({}), &more);
        self.signatures.push((String::new(), manifest, layer));
    }

    /// Writes an OCI layout into `lay`.
    fn write(&self, desk: &Desk) {
        let blob =
            |text: &str| desk.tree.write(&format!("lay/blobs/sha256/{}", sha256_hex(text)), text);
        let name = |tag: &str| json!({"org.opencontainers.image.ref.name": tag});
        blob(&self.manifest);
        blob(&self.catalog);
        let mut list = vec![json!({"digest": self.digest(), "annotations": name("v1")})];
        for (tag, manifest, layer) in &self.signatures {
            blob(manifest);
            blob(layer);
            let named = if tag.is_empty() { json!({}) } else { name(tag) };
            list.push(json!({"digest": digest(manifest), "annotations": named}));
        }
        desk.tree.write("lay/index.json", &json!({"manifests": list}).to_string());
    }

    /// Publishes the artifact and its signatures in the repository `fns/catalog`.
    fn publish(&self, server: &Server) {
        let put = |path: String, text: &str| {
            server.put(&format!("/v2/fns/catalog/{path}"), Page::ok(text));
        };
        let manifest = |tag: &str, text: &str| {
            put(format!("manifests/{tag}"), text);
            put(format!("manifests/{}", digest(text)), text);
        };
        manifest("v1", &self.manifest);
        put(format!("blobs/{}", digest(&self.catalog)), &self.catalog);
        let mut list = Vec::new();
        for (tag, text, layer) in &self.signatures {
            manifest(tag, text);
            put(format!("blobs/{}", digest(layer)), layer);
            if tag.is_empty() {
                list.push(json!({"digest": digest(text), "artifactType": BUNDLE}));
            }
        }
        let index = json!({"manifests": list}).to_string();
        put(format!("referrers/{}", self.digest()), &index);
    }
}

fn shown(desk: &Desk, reference: &str, more: &[&str]) -> String {
    let run = desk.run(&[&["view", "catalog", reference], more].concat()).built();
    let mut lines = run.lines().filter_map(|line| line.trim_start().strip_prefix("signature"));
    lines.next().expect("a signature").trim().to_owned()
}

/// A desk with the public files of a key and of a root, and the two signers.
fn signers(key: &KeyPair, sigstore: &Sigstore) -> (Desk, [String; 2]) {
    let desk = desk(&[], &[]);
    desk.tree.write("key.pub", &key.public_key_pem());
    desk.tree.write("root.json", &sigstore.root());
    let keyless = format!("identity={JANE},issuer={ISSUER},root=root.json");
    (desk, ["key.pub".to_owned(), keyless].map(|it| format!("--require-signature={it}")))
}

const SIGN_PREDICATE_TYPE: &str = "https://sigstore.dev/cosign/sign/v1";

#[test]
fn signature_of_an_artifact_is_found_in_a_layout_and_in_a_registry() {
    let (key, sigstore) = (KeyPair::generate().unwrap(), Sigstore::new());
    let (desk, [by_key, keyless]) = signers(&key, &sigstore);
    let server = Server::start();
    let remote = format!("oci://{}/fns/catalog:v1", server.authority);
    let right = KeylessSigning::default();
    let by_jane = format!("signed by {JANE} ({ISSUER})");
    let annotated = |payload: &str| json!({"dev.cosignproject.cosign/signature": detached_signature(&key, payload.as_bytes()).trim()});
    let own = simple_signing(&Artifact::new().digest());
    let other = simple_signing(&digest("x"));
    let mut cases: Vec<(Artifact, &String, &str)> = Vec::new();
    let mut add = |signer, expected, sign: &dyn Fn(&mut Artifact)| {
        let mut artifact = Artifact::new();
        sign(&mut artifact);
        cases.push((artifact, signer, expected));
    };
    add(&by_key, "not signed", &|_| {});
    add(&by_key, "signed by key sha256:", &|it| it.add_tagged_signature(&own, &annotated(&own)));
    add(&by_key, "covers \"sha256:", &|it| it.add_tagged_signature(&other, &annotated(&other)));
    add(&by_key, "not made with key", &|it| it.add_tagged_signature(&own, &annotated(&other)));
    add(&keyless, &by_jane, &|it| {
        it.add_tagged_signature(&own, &sigstore.annotations(&own, &right));
    });
    add(&keyless, &by_jane, &|it| {
        it.add_referring_bundle(&sigstore.statement(&it.digest(), SIGN_PREDICATE_TYPE, &right));
    });
    add(&keyless, "was not valid at that time", &|it| {
        it.add_tagged_signature(&own, &sigstore.annotations(&own, &KeylessSigning::days_later(2)));
    });
    add(&keyless, "the content has", &|it| {
        it.add_referring_bundle(&sigstore.statement(&digest("x"), SIGN_PREDICATE_TYPE, &right));
    });
    add(&keyless, "a statement of type", &|it| {
        it.add_referring_bundle(&sigstore.statement(
            &it.digest(),
            "https://spdx.dev/Document",
            &right,
        ));
    });
    // A signature of a file is not one of an artifact.
    add(&keyless, "covers a file, not a manifest", &|it| {
        it.add_referring_bundle(&sigstore.bundle(it.catalog.as_bytes(), &right));
    });
    for (artifact, signer, expected) in &cases {
        artifact.write(&desk);
        artifact.publish(&server);
        for reference in ["oci-layout:lay:v1", &remote] {
            let shown = shown(&desk, reference, &[signer]);
            assert!(shown.contains(expected), "{reference}: expected {expected}: {shown}");
            let is_valid = expected.starts_with("signed by");
            let added = desk.run(&["trust", "add", reference, "--yes", signer]);
            assert_eq!(added.status, Some(i32::from(!is_valid)), "{reference} {}", added.err);
        }
        fs_err::remove_dir_all(desk.tree.path("lay")).unwrap();
        // A change of the signer would need another agreement.
        let _ = fs_err::remove_dir_all(desk.home.path(".local/share/kzui"));
        // An earlier case may have published this tag.
        let tag = artifact.digest().replace(':', "-") + ".sig";
        server.put(
            &format!("/v2/fns/catalog/manifests/{tag}"),
            Page { status: 404, ..Page::default() },
        );
    }
}

/// An offline command verifies the signatures of the last fetch.
#[test]
fn signatures_of_a_registry_are_kept() {
    let (key, sigstore) = (KeyPair::generate().unwrap(), Sigstore::new());
    let (desk, [by_key, _]) = signers(&key, &sigstore);
    let server = Server::start();
    let remote = format!("oci://{}/fns/catalog:v1", server.authority);
    let mut artifact = Artifact::new();
    let payload = simple_signing(&artifact.digest());
    let signature = detached_signature(&key, payload.as_bytes());
    artifact.add_tagged_signature(
        &payload,
        &json!({"dev.cosignproject.cosign/signature": signature.trim()}),
    );
    artifact.publish(&server);
    assert!(shown(&desk, &remote, &[&by_key]).starts_with(messages::SIGNED_BY_KEY));
    let asked = server.requests().len();
    assert!(shown(&desk, &remote, &[&by_key, "--offline"]).starts_with(messages::SIGNED_BY_KEY));
    assert_eq!(server.requests().len(), asked);
}

/// A layout with one catalog needs no tag, although signatures are in it too.
#[test]
fn signatures_do_not_make_a_layout_ambiguous() {
    let (key, sigstore) = (KeyPair::generate().unwrap(), Sigstore::new());
    let (desk, [by_key, _]) = signers(&key, &sigstore);
    let mut artifact = Artifact::new();
    let payload = simple_signing(&artifact.digest());
    let signature = detached_signature(&key, payload.as_bytes());
    artifact.add_tagged_signature(
        &payload,
        &json!({"dev.cosignproject.cosign/signature": signature.trim()}),
    );
    artifact.write(&desk);
    assert!(shown(&desk, "oci-layout:lay", &[&by_key]).starts_with(messages::SIGNED_BY_KEY));
}

#[test]
fn signature_beside_a_url_is_fetched_once_and_kept() {
    let (key, sigstore) = (KeyPair::generate().unwrap(), Sigstore::new());
    let (desk, [by_key, _]) = signers(&key, &sigstore);
    let server = Server::start();
    let text = Artifact::new().catalog;
    server.put("/c.yaml", Page::ok(text.clone()));
    let url = server.url("/c.yaml");
    // Without a required signer no signature is fetched.
    assert!(shown(&desk, &url, &[]).starts_with("not verified"));
    assert_eq!(server.requests(), ["/c.yaml"]);
    assert_eq!(shown(&desk, &url, &[&by_key]), "not signed");
    server.put("/c.yaml.sig", Page::ok(detached_signature(&key, text.as_bytes())));
    assert!(shown(&desk, &url, &[&by_key]).starts_with(messages::SIGNED_BY_KEY));
    assert!(shown(&desk, &url, &[&by_key, "--offline"]).starts_with(messages::SIGNED_BY_KEY));
    server.put("/c.yaml.sig", Page { status: 500, ..Page::default() });
    assert!(shown(&desk, &url, &[&by_key]).starts_with("not known: Get "));
    assert_eq!(desk.run(&["trust", "add", &url, "--yes", &by_key]).status, Some(1));
}

/// An image in the tree itself runs only if it is pinned and signed.
#[test]
fn image_of_the_tree_runs_only_with_a_signature() {
    let (key, sigstore) = (KeyPair::generate().unwrap(), Sigstore::new());
    let (desk, [by_key, _]) = signers(&key, &sigstore);
    let server = Server::start();
    let mut image = Artifact::new();
    image.publish(&server);
    let ran = desk.tree.path("ran");
    desk.tree.write("bin/docker", &format!("#!/bin/sh\ntouch {}\ncat\n", ran.display()));
    make_executable(&desk.tree.path("bin/docker"));
    let path = format!("{}:/usr/bin:/bin", desk.tree.path("bin").display());
    let name = format!("{}/fns/catalog:v1@{}", server.authority, image.digest());
    desk.tree.write(
        "stamp.yaml",
        &format!(
            "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata:\n  name: s\n  annotations:\n    config.kubernetes.io/function: |\n      container: {{image: '{name}'}}\n"
        ),
    );
    let build = ["build", "--enable-alpha-plugins", &by_key];
    let refused = desk.run_with(&build, &[("PATH", &path)]).refused();
    assert!(
        refused.contains(&format!("signature required for image '{name}': not signed")),
        "{refused}"
    );
    assert!(!ran.exists());
    let payload = simple_signing(&image.digest());
    let signature = detached_signature(&key, payload.as_bytes());
    image.add_tagged_signature(
        &payload,
        &json!({"dev.cosignproject.cosign/signature": signature.trim()}),
    );
    image.publish(&server);
    desk.run_with(&build, &[("PATH", &path)]).built();
    assert!(ran.exists());
}

/// The review shows the signature of each image that a catalog pins.
#[test]
fn review_shows_the_signature_of_an_image() {
    let (key, sigstore) = (KeyPair::generate().unwrap(), Sigstore::new());
    let (desk, [by_key, _]) = signers(&key, &sigstore);
    let server = Server::start();
    let mut image = Artifact::new();
    let payload = simple_signing(&image.digest());
    let signature = detached_signature(&key, payload.as_bytes());
    image.publish(&server);
    let name = format!("{}/fns/catalog", server.authority);
    let hex = image.digest().replace("sha256:", "");
    let text = catalog("v1", &format!("{{container: {{image: '{name}', sha256: {hex}}}}}"));
    desk.tree.write("c/catalog.yaml", &text);
    desk.tree.write("c/catalog.yaml.sig", &detached_signature(&key, text.as_bytes()));
    let review = || desk.run(&["trust", "add", "c", "--yes", &by_key]).built();
    let signatures = |review: &str| {
        let lines = review.lines().filter(|line| line.trim_start().starts_with("signature "));
        lines.map(|line| line.trim()["signature".len()..].trim().to_owned()).collect::<Vec<_>>()
    };
    let found = signatures(&review());
    assert!(found[0].starts_with(messages::SIGNED_BY_KEY) && found[1] == "not signed", "{found:?}");
    image.add_tagged_signature(
        &payload,
        &json!({"dev.cosignproject.cosign/signature": signature.trim()}),
    );
    image.publish(&server);
    let found = signatures(&review());
    assert!(found.len() == 2 && found.iter().all(|it| it.starts_with("signed by")), "{found:?}");
}
