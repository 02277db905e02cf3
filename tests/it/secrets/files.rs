//! Files with values of Secrets: as many lines as before, without a value.

use crate::linear::talk;
use crate::support::{Tree, kzui_in};

const KEY: &str = "-----BEGIN KEY-----\nAAAAAAAAAAAAAAAA1\nBBBBBBBBBBBBBBB2\n-----END KEY-----\n";
const PARTS: [&str; 2] = ["AAAAAAAAAAAAAAAA1", "BBBBBBBBBBBBBBB2"];
const LAYER: &str = "secretGenerator:\n- name: tls\n  files: [tls.key]\nconfigMapGenerator:\n- name: bundle\n  files: [bundle.pem]\ngeneratorOptions: {disableNameSuffixHash: true}\n";

/// Two targets with a private key of several lines, and a copy of it in a plain file.
fn tree_with_key() -> Tree {
    let bundle = |version: &str| format!("# first\n{KEY}# two\n# version {version}\n# last\n");
    let (old, new) = (bundle("a"), bundle("b"));
    Tree::new(&[
        ("a/kustomization.yaml", LAYER),
        ("a/tls.key", KEY),
        ("a/bundle.pem", &old),
        ("b/kustomization.yaml", LAYER),
        ("b/tls.key", KEY),
        ("b/bundle.pem", &new),
    ])
}

#[test]
fn edit_below_a_value_of_several_lines_is_named() {
    let tree = tree_with_key();
    for format in ["text", "json", "markdown"] {
        let answer = kzui_in(&tree.root(), &["diff", "a", "b", "--format", format]);
        assert_eq!(answer.status, Some(1), "{format}: {}", answer.err);
        assert!(answer.out.contains("# version b"), "{format}: {}", answer.out);
        assert!(!PARTS.iter().any(|part| answer.out.contains(part)), "{format}: {}", answer.out);
    }
}

#[test]
fn masked_file_has_the_lines_of_the_file() {
    let (tree, home) = (tree_with_key(), tempfile::tempdir().unwrap());
    let said = talk(
        &tree.root(),
        home.path(),
        "a",
        "text bundle.pem\nchange bundle.pem:7 # version c\nwrite\ny\nquit!\n",
    );
    assert!(said.contains("7: # version a\n"), "{said}");
    let written = fs_err::read_to_string(tree.path("a/bundle.pem")).unwrap();
    assert_eq!(written, format!("# first\n{KEY}# two\n# version c\n# last\n"), "{said}");
}
