//! `--require-signature`: the signer of a catalog, an artifact or an image.

mod registry;
mod signer;

use crate::support::messages;
use rcgen::{ExtendedKeyUsagePurpose, KeyPair, PKCS_ECDSA_P384_SHA384, PKCS_ED25519};
use serde_json::{Value, json};

use super::{Desk, STAMP, catalog, desk, make_executable, script, sha256_hex};
use signer::{ISSUER, JANE, KeylessSigning, Sigstore, base64, detached_signature};

/// A desk with a catalog `c`, whose script has a digest, and the text of the catalog.
fn signed_desk() -> (Desk, String) {
    let pinned =
        format!("{{starlark: {{path: stamp.star, sha256: {}}}}}", sha256_hex(script("one")));
    let text = catalog("v1", &pinned);
    let files = [("c/catalog.yaml", text.as_str()), ("c/stamp.star", &script("one"))];
    (desk(&["c/catalog.yaml"], &files), text)
}

/// The signature of the catalog, as `kzui view` prints it.
fn signature(desk: &Desk, signer: &str) -> String {
    let shown = desk.run(&["view", "catalog", "c", "--require-signature", signer]).built();
    let mut lines = shown.lines().filter_map(|line| line.trim_start().strip_prefix("signature"));
    lines.next().expect("a signature").trim().to_owned()
}

/// Asserts that the catalog is trusted, and runs, only if the signature verifies.
fn assert_trusted_only_if_valid(desk: &Desk, signer: &str, is_valid: bool) {
    let trusted = ["trust", "add", "c", "--yes", "--require-signature", signer];
    let added = desk.run(&trusted);
    assert_eq!(added.status, Some(i32::from(!is_valid)), "{}{}", added.out, added.err);
    let build = ["build", "--trusted-catalog=c", "--require-signature", signer];
    if is_valid {
        if crate::support::has_starlark() {
            assert!(desk.run(&build).built().contains("stamp: one mark"));
        }
        return;
    }
    assert!(added.err.contains("signature required for 'c'"), "{}", added.err);
    let refused = desk.run(&build).refused();
    assert!(refused.contains("signature required for catalog 'c/catalog.yaml'"), "{refused}");
    assert!(!desk.home.path(".local/share/kzui/trust.yaml").exists());
}

#[test]
fn catalog_runs_only_with_a_signature_of_the_required_key() {
    let ed25519 = KeyPair::generate_for(&PKCS_ED25519).unwrap();
    let p384 = KeyPair::generate_for(&PKCS_ECDSA_P384_SHA384).unwrap();
    for key in [KeyPair::generate().unwrap(), ed25519, p384] {
        let (desk, text) = signed_desk();
        desk.tree.write("key.pub", &key.public_key_pem());
        assert_eq!(signature(&desk, "key.pub"), "not signed");
        assert_trusted_only_if_valid(&desk, "key.pub", false);
        let wrong = [
            detached_signature(&key, b"other content"),
            detached_signature(&KeyPair::generate().unwrap(), text.as_bytes()),
            String::new(),
            base64([0; 70]),
            "-----BEGIN PUBLIC KEY-----".to_owned(),
        ];
        for wrong in wrong {
            desk.tree.write("c/catalog.yaml.sig", &wrong);
            let shown = signature(&desk, "key.pub");
            assert!(shown.starts_with("signature does not verify: catalog.yaml.sig:"), "{shown}");
            assert_trusted_only_if_valid(&desk, "key.pub", false);
        }
        desk.tree.write("c/catalog.yaml.sig", &detached_signature(&key, text.as_bytes()));
        assert!(signature(&desk, "key.pub").starts_with("signed by key sha256:"));
        assert_trusted_only_if_valid(&desk, "key.pub", true);
        // The catalog has one byte more than the signed content.
        desk.tree.write("c/catalog.yaml", &(text + "#"));
        fs_err::remove_dir_all(desk.home.path(".local/share/kzui")).unwrap();
        assert_trusted_only_if_valid(&desk, "key.pub", false);
    }
}

#[test]
fn signature_of_a_key_in_a_bundle_counts() {
    let key = KeyPair::generate().unwrap();
    let (desk, text) = signed_desk();
    desk.tree.write("key.pub", &key.public_key_pem());
    let bundle = json!({
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": {"publicKey": {"hint": "x"}, "tlogEntries": []},
        "messageSignature": {"signature": detached_signature(&key, text.as_bytes()).trim()},
    });
    desk.tree.write("c/catalog.yaml.sigstore.json", &bundle.to_string());
    assert_trusted_only_if_valid(&desk, "key=key.pub", true);
    // A key does not replace a certificate.
    let sigstore = Sigstore::new();
    let shown = signature(&desk, &signer_with_root_files(&desk, &sigstore));
    assert!(shown.contains(messages::NO_CERTIFICATE), "{shown}");
}

/// The files of a root, and the signer Jane with this root.
fn signer_with_root_files(desk: &Desk, sigstore: &Sigstore) -> String {
    desk.tree.write("ca.pem", &sigstore.ca());
    desk.tree.write("log.pub", &sigstore.log_key());
    format!("identity={JANE},issuer={ISSUER},ca=ca.pem,log=log.pub")
}

#[test]
fn keyless_signature_leads_to_the_given_root() {
    let sigstore = Sigstore::new();
    let (desk, text) = signed_desk();
    let signer = signer_with_root_files(&desk, &sigstore);
    desk.tree.write("root.json", &sigstore.root());
    let by_root = format!("identity={JANE},issuer={ISSUER},root=root.json");
    let signing = KeylessSigning::default();
    for (ending, bundle) in [
        (".sigstore.json", sigstore.bundle(text.as_bytes(), &signing)),
        (".bundle", sigstore.older_bundle(text.as_bytes(), &signing)),
        (
            ".sigstore",
            sigstore.statement(&sha256_hex(&text), "https://sigstore.dev/cosign/sign/v1", &signing),
        ),
    ] {
        let file = format!("c/catalog.yaml{ending}");
        desk.tree.write(&file, &bundle.to_string());
        for signer in [&signer, &by_root] {
            assert_eq!(signature(&desk, signer), format!("signed by {JANE} ({ISSUER})"));
            assert_trusted_only_if_valid(&desk, signer, true);
        }
        fs_err::remove_file(desk.tree.path(&file)).unwrap();
    }
    let workflow = "https://git.example.com/org/repo/.github/workflows/sign.yaml@refs/heads/main";
    let signing = KeylessSigning { identity: workflow, ..KeylessSigning::default() };
    let bundle = sigstore.bundle(text.as_bytes(), &signing);
    desk.tree.write("c/catalog.yaml.bundle", &bundle.to_string());
    fs_err::remove_dir_all(desk.home.path(".local/share/kzui")).unwrap();
    assert_trusted_only_if_valid(&desk, &signer.replace(JANE, workflow), true);
}

/// The bundle with another value at a JSON pointer.
fn with_changed_field(mut bundle: Value, pointer: &str, value: Value) -> Value {
    *bundle.pointer_mut(pointer).expect(pointer) = value;
    bundle
}

/// A wrong signature: its defect, the bundle, and the reason of the refusal.
type WrongBundle = (&'static str, Value, &'static str);

/// Signatures by other people, at other times, or with other parts.
fn wrong_signatures(sigstore: &Sigstore, content: &[u8]) -> Vec<WrongBundle> {
    let right = KeylessSigning::default();
    let bundle = |signing: KeylessSigning| sigstore.bundle(content, &signing);
    let by = |identity| bundle(KeylessSigning { identity, ..right.clone() });
    let confirmed_by = |issuer| bundle(KeylessSigning { issuer, ..right.clone() });
    let usage = ExtendedKeyUsagePurpose::ServerAuth;
    vec![
        ("other content", sigstore.bundle(b"other", &right), "the log entry is about another"),
        ("expired", bundle(KeylessSigning::days_later(2)), "it was not valid at that time"),
        ("not valid yet", bundle(KeylessSigning::days_earlier(2)), "it was not valid at that time"),
        ("other identity", by("mallory@example.com"), "names mallory@example.com"),
        (
            "other issuer",
            confirmed_by("https://evil.example.com"),
            "(https://evil.example.com), not jane@example.com",
        ),
        ("other log", Sigstore::new().bundle(content, &right), "is not one of the given logs"),
        (
            "other purpose",
            bundle(KeylessSigning { usage, ..right.clone() }),
            "does not verify at 2026-01-01T12:00:00Z",
        ),
        (
            "other key",
            bundle(KeylessSigning { own_key: false, ..right.clone() }),
            "not made with the key of its certificate",
        ),
        (
            "other time in the entry",
            bundle(KeylessSigning { promised_time: signer::NOON + 1, ..right.clone() }),
            "not signed by the log",
        ),
        (
            "entry of other content",
            bundle(KeylessSigning { logged: Some(b"other"), ..right.clone() }),
            "the log entry is about another signature",
        ),
    ]
}

/// Bundles with missing or exchanged parts.
fn wrong_bundles(sigstore: &Sigstore, text: &str) -> Vec<WrongBundle> {
    let right = KeylessSigning::default();
    let bundle = || sigstore.bundle(text.as_bytes(), &right);
    let of_other = |pointer: &str, other: &Sigstore| {
        let other = other.bundle(text.as_bytes(), &right);
        with_changed_field(bundle(), pointer, other.pointer(pointer).expect(pointer).clone())
    };
    let statement = |hex: &str, predicate: &str| sigstore.statement(hex, predicate, &right);
    let entries = "/verificationMaterial/tlogEntries";
    let promise = format!("{entries}/0/inclusionPromise");
    let certificate = "/verificationMaterial/certificate";
    let cut = json!({"rawBytes": base64([0x30, 0x82, 0xff])});
    vec![
        (
            "no entry",
            with_changed_field(bundle(), entries, json!([])),
            "no entry of a transparency log",
        ),
        ("no promise", with_changed_field(bundle(), &promise, json!({})), "no signed time"),
        ("other promise", of_other(&promise, &Sigstore::new()), "not signed by the log"),
        (
            "other certificate",
            of_other(certificate, sigstore),
            "the log entry is about another signature",
        ),
        (
            "cut certificate",
            with_changed_field(bundle(), certificate, cut),
            "malformed certificate",
        ),
        (
            "unknown version",
            with_changed_field(bundle(), "/mediaType", json!("x")),
            "malformed bundle",
        ),
        ("no bundle", json!({}), "malformed bundle"),
        (
            "statement of something else",
            statement(&sha256_hex(text), "https://spdx.dev/Document"),
            "a statement of type \"https://spdx.dev/Document\"",
        ),
        (
            "statement about other content",
            statement(&sha256_hex("x"), "https://sigstore.dev/cosign/sign/v1"),
            "the content has sha256:",
        ),
    ]
}

#[test]
fn wrong_keyless_signature_is_refused() {
    let sigstore = Sigstore::new();
    let (desk, text) = signed_desk();
    let signer = signer_with_root_files(&desk, &sigstore);
    let mut cases = wrong_signatures(&sigstore, text.as_bytes());
    cases.extend(wrong_bundles(&sigstore, &text));
    for (case, bundle, reason) in cases {
        desk.tree.write("c/catalog.yaml.sigstore.json", &bundle.to_string());
        let shown = signature(&desk, &signer);
        assert!(shown.starts_with(messages::SIGNATURE_INVALID), "{case}: {shown}");
        assert!(shown.contains(reason), "{case}: {shown}");
        assert_trusted_only_if_valid(&desk, &signer, false);
    }
}

/// The right signature, with a root that does not lead to it.
#[test]
fn root_counts_only_while_it_is_valid() {
    let sigstore = Sigstore::new();
    let (desk, text) = signed_desk();
    let signer = signer_with_root_files(&desk, &sigstore);
    let bundle = sigstore.bundle(text.as_bytes(), &KeylessSigning::default());
    desk.tree.write("c/catalog.yaml.sigstore.json", &bundle.to_string());
    assert_trusted_only_if_valid(&desk, &signer, true);
    fs_err::remove_dir_all(desk.home.path(".local/share/kzui")).unwrap();
    for (root, reason) in [
        (Sigstore::new(), "no given certificate authority issued it"),
        (
            Sigstore::valid_until(2025),
            "no given certificate authority was valid at 2026-01-01T12:00:00Z",
        ),
    ] {
        desk.tree.write("ca.pem", &root.ca());
        let shown = signature(&desk, &signer);
        assert!(shown.contains(reason), "{shown}");
        assert_trusted_only_if_valid(&desk, &signer, false);
    }
    // The key of the log was in use until a day before.
    desk.tree.write("root.json", &sigstore.root().replace("2026-06-01", "2025-12-31"));
    let shown = signature(&desk, &format!("identity={JANE},issuer={ISSUER},root=root.json"));
    assert!(shown.contains(messages::LOG_KEY_NOT_IN_USE), "{shown}");
}

#[test]
fn signer_is_recorded_and_its_change_ranks_with_permissions() {
    let [jane, mallory] = [(); 2].map(|()| KeyPair::generate().unwrap());
    let (desk, text) = signed_desk();
    desk.tree.write("jane.pub", &jane.public_key_pem());
    desk.tree.write("mallory.pub", &mallory.public_key_pem());
    desk.tree.write("c/catalog.yaml.sig", &detached_signature(&jane, text.as_bytes()));
    let add = |more: &[&str]| desk.run(&[&["trust", "add", "c", "--yes"], more].concat());
    let jane_signed = ["--require-signature", "jane.pub"];
    let added = add(&[&jane_signed[..], &["--lock"]].concat()).built();
    assert!(added.contains("signature    signed by key sha256:"), "{added}");
    let lock = String::from_utf8(desk.tree.read("kzui.lock")).unwrap();
    assert!(lock.contains("  signer: \"key sha256:"), "{lock}");
    // Unchanged content has the signer of the decision.
    assert_eq!(desk.run(&["trust", "diff", "c"]).status, Some(0));

    let text = text.replace("stamps", "stamps all");
    desk.tree.write("c/catalog.yaml", &text);
    desk.tree.write("c/catalog.yaml.sig", &detached_signature(&mallory, text.as_bytes()));
    let diff = desk.run(&["trust", "diff", "c"]).out;
    let first = diff.lines().find(|line| line.starts_with("  ")).unwrap_or_default();
    assert!(first.contains("MORE") && first.contains("catalog  signer: key sha256:"), "{diff}");
    assert_eq!(add(&jane_signed).status, Some(1));
    for more in [&[][..], &["--require-signature", "mallory.pub"]] {
        let refused = add(more);
        assert_eq!(refused.status, Some(1), "{}", refused.out);
        assert!(refused.err.contains(messages::OTHER_SIGNER), "{}", refused.err);
        assert!(refused.err.contains("--widened='catalog'"), "{}", refused.err);
    }
    // A teammate without decisions is shown the signer of the lock file.
    fs_err::remove_dir_all(desk.home.path(".local/share/kzui")).unwrap();
    let refused = add(&["--require-signature", "mallory.pub"]);
    assert!(refused.err.contains(messages::OTHER_SIGNER), "{}", refused.err);
    add(&["--require-signature", "mallory.pub", "--widened", "catalog"]).built();
    assert_ne!(lock, String::from_utf8(desk.tree.read("kzui.lock")).unwrap());
    desk.tree.write("c/catalog.yaml.sig", &detached_signature(&jane, text.as_bytes()));
    assert!(add(&jane_signed).err.contains("another signer"));
}

/// The signature of a catalog covers the parts that the catalog pins, and no others.
#[test]
fn parts_without_a_digest_do_not_run_from_a_signed_catalog() {
    let key = KeyPair::generate().unwrap();
    for (runtime, part) in [
        (STAMP, "script 'stamp.star'"),
        ("{container: {image: 'r.example.com/stamp:latest'}}", "image 'r.example.com/stamp:"),
    ] {
        let (desk, _) = signed_desk();
        let text = catalog("v1", runtime);
        desk.tree.write("c/catalog.yaml", &text);
        desk.tree.write("key.pub", &key.public_key_pem());
        desk.tree.write("c/catalog.yaml.sig", &detached_signature(&key, text.as_bytes()));
        let build = ["build", "--trusted-catalog=c", "--require-signature=key.pub"];
        let refused = desk.run(&build).refused();
        let expected = format!("signature required for {part}");
        assert!(refused.contains(&expected), "{refused}");
        assert!(refused.contains(messages::NO_DIGEST_SIGNED), "{refused}");
    }
}

/// A required signer excludes programs of the tree itself, which have no signature.
#[test]
fn programs_of_the_tree_do_not_run_where_a_signer_is_required() {
    let key = KeyPair::generate().unwrap();
    let desk = desk(&[], &[]);
    desk.tree.write("key.pub", &key.public_key_pem());
    desk.tree.write("run.sh", "#!/bin/sh\ntouch ran\ncat\n");
    make_executable(&desk.tree.path("run.sh"));
    for (runtime, part) in [
        ("exec: {path: ./run.sh}", "exec function Stamp/s"),
        ("starlark: {path: run.sh}", "starlark function Stamp/s"),
        ("container: {image: 'r.example.com/x:v1'}", "image 'r.example.com/x:v1'"),
    ] {
        desk.tree.write(
            "stamp.yaml",
            &format!(
                "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata:\n  name: s\n  annotations:\n    config.kubernetes.io/function: |\n      {runtime}\n"
            ),
        );
        let flags = ["--enable-alpha-plugins", "--enable-exec", "--enable-star"];
        let build = [&["build", "--require-signature=key.pub"], &flags[..]].concat();
        let refused = desk.run(&build).refused();
        assert!(refused.contains(&format!("signature required for {part}")), "{refused}");
    }
    assert!(!desk.tree.path("ran").exists());
}

#[test]
fn signer_that_cannot_be_used_ends_the_build() {
    let (desk, _) = signed_desk();
    for (signer, reason) in [
        ("gone.pub", "--require-signature gone.pub"),
        ("c/catalog.yaml", "expected a public key in PEM form"),
        ("identity=jane@example.com,issuer=x", "ca=FILE is missing"),
    ] {
        let ran = desk.run(&["build", "--require-signature", signer]);
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        assert!(ran.err.contains(reason), "{}", ran.err);
    }
}
