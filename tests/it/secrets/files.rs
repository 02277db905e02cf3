//! Files with values of Secrets: as many lines as before, without a value.

use crate::linear::run_line_mode;
use crate::support::{Tree, Workbench, kzui_in};

const PRIVATE_KEY: &str =
    "-----BEGIN KEY-----\nAAAAAAAAAAAAAAAA1\nBBBBBBBBBBBBBBB2\n-----END KEY-----\n";
const KEY_LINES: [&str; 2] = ["AAAAAAAAAAAAAAAA1", "BBBBBBBBBBBBBBB2"];
/// A kustomization with the key in a Secret, and its copy in a `ConfigMap`.
const LAYER: &str = "secretGenerator:\n- name: tls\n  files: [tls.key]\nconfigMapGenerator:\n- name: bundle\n  files: [bundle.pem]\ngeneratorOptions: {disableNameSuffixHash: true}\n";

/// Two targets with a private key of several lines, and a copy of it in a plain file.
fn tree_with_key() -> Tree {
    let bundle =
        |version: &str| format!("# first\n{PRIVATE_KEY}# two\n# version {version}\n# last\n");
    let (old, new) = (bundle("a"), bundle("b"));
    Tree::new(&[
        ("a/kustomization.yaml", LAYER),
        ("a/tls.key", PRIVATE_KEY),
        ("a/bundle.pem", &old),
        ("b/kustomization.yaml", LAYER),
        ("b/tls.key", PRIVATE_KEY),
        ("b/bundle.pem", &new),
    ])
}

#[test]
fn edit_after_a_multiline_value_is_named() {
    let tree = tree_with_key();
    for format in ["text", "json", "markdown"] {
        let answer = kzui_in(&tree.root(), &["diff", "a", "b", "--format", format]);
        assert_eq!(answer.status, Some(1), "{format}: {}", answer.err);
        assert!(answer.out.contains("# version b"), "{format}: {}", answer.out);
        assert!(
            !KEY_LINES.iter().any(|part| answer.out.contains(part)),
            "{format}: {}",
            answer.out
        );
    }
}

#[test]
fn masked_file_has_the_lines_of_the_file() {
    let (tree, home) = (tree_with_key(), tempfile::tempdir().unwrap());
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "a",
        "text bundle.pem\nchange bundle.pem:7 # version c\nwrite\ny\nquit!\n",
    );
    assert!(said.contains("7: # version a\n"), "{said}");
    let written = fs_err::read_to_string(tree.path("a/bundle.pem")).unwrap();
    assert_eq!(written, format!("# first\n{PRIVATE_KEY}# two\n# version c\n# last\n"), "{said}");
}

#[test]
fn blame_masks_every_line_of_a_copied_value() {
    let tree = tree_with_key();
    for run in ["blame a", "blame a --json", "why a ConfigMap/bundle data", "trace a --diff"] {
        let answer = kzui_in(&tree.root(), &run.split(' ').collect::<Vec<_>>());
        let shown = KEY_LINES.iter().find(|part| answer.out.contains(**part));
        assert_eq!(shown, None, "{run}: {}", answer.out);
    }
}

#[test]
fn matrix_masks_values_of_components_that_are_off() {
    let component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n";
    let tree = Tree::new(&[
        (
            "app/kustomization.yaml",
            "resources: [map.yaml]\ncomponents:\n- ../on\n#- ../off\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: map-swordfish-12}\n    data: {a: b}\n",
        ),
        ("app/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n"),
        ("on/kustomization.yaml", component),
        ("off/kustomization.yaml", &format!("{component}resources: [secret.yaml]\n")),
        (
            "off/secret.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: off}\nstringData: {off: swordfish-12}\n",
        ),
    ]);
    for run in ["matrix app --all", "matrix app --all --json"] {
        let answer = kzui_in(&tree.root(), &run.split(' ').collect::<Vec<_>>());
        assert!(answer.out.contains("map-<secret "), "{run}: {}{}", answer.out, answer.err);
        assert!(!answer.out.contains("swordfish"), "{run}: {}", answer.out);
    }
}

#[test]
fn names_equal_to_short_secret_values_are_shown() {
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [shop]\nnamespace: shop\nsecretGenerator:\n- name: s\n  literals: [db=shop, user=postgres]\nimages:\n- name: postgres\n  newTag: \"15\"\n",
        ),
        ("shop/kustomization.yaml", "resources: [all.yaml]\n"),
        (
            "shop/all.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: c}\nspec: {containers: [{name: c, image: postgres}]}\n",
        ),
    ]);
    for run in ["trace .", "trace . --json", "why . Pod/c spec.containers --json"] {
        let answer = kzui_in(&tree.root(), &run.split(' ').collect::<Vec<_>>());
        assert!(answer.out.contains("postgres"), "{run}: {}", answer.out);
        // A field whose value equals a Secret's value is masked.
        let mut labels = answer.out.lines().filter(|line| !line.contains("image: <secret "));
        assert!(labels.all(|line| !line.contains("<secret")), "{run}: {}", answer.out);
    }
    let home = tempfile::tempdir().unwrap();
    let said = run_line_mode(&tree.root(), home.path(), ".", "tree\nquit!\n");
    assert!(said.contains("images postgres") || said.contains(" postgres"), "{said}");
    assert!(said.contains(" shop") && !said.contains("<secret"), "{said}");
}

#[test]
fn message_of_a_target_does_not_depend_on_other_targets() {
    let tree = Tree::new(&[
        (
            "a/kustomization.yaml",
            "resources: [d.yaml]\nimages:\n- {name: postgres, newTag: \"2\"}\n",
        ),
        (
            "a/d.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: d}\nspec: {containers: [{name: x, image: nginx}]}\n",
        ),
        (
            "b/kustomization.yaml",
            "secretGenerator:\n- name: s\n  literals: [POSTGRES_USER=postgres]\n",
        ),
    ]);
    let check = |arguments: &[&str]| kzui_in(&tree.root(), &[&["check"], arguments].concat());
    let alone = check(&["a", "--write-baseline", "known.json"]);
    assert!(alone.out.contains("postgres"), "{}", alone.out);
    let all = check(&["--baseline", "known.json", "--fail-on", "note", "--notes"]);
    assert_eq!(all.status, Some(0), "{}", all.out);
}

/// A function that prints the values of its input.
#[cfg(unix)]
#[test]
fn messages_of_functions_are_masked() {
    use std::os::unix::fs::PermissionsExt as _;
    let script = "#!/bin/sh\necho \"read function-secret\" >&2\ncat\nprintf 'results:\\n- {message: found function-secret, severity: warning}\\n'\n";
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [s.yaml]\ntransformers: [t.yaml]\n"),
        (
            "s.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {x: function-secret}\n",
        ),
        (
            "t.yaml",
            "apiVersion: x/v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./run.sh}\n",
        ),
        ("run.sh", script),
    ]);
    let executable = std::fs::Permissions::from_mode(0o755);
    fs_err::set_permissions(tree.path("run.sh"), executable).unwrap();
    let flags = ["--enable-alpha-plugins", "--enable-exec"];
    for run in ["trace .", "trace . --diff", "trace . --json", "check", "why . Secret/s", "blame ."]
    {
        let arguments: Vec<&str> = run.split(' ').chain(flags).collect();
        let answer = kzui_in(&tree.root(), &arguments);
        let all = format!("{}{}", answer.out, answer.err);
        assert!(!all.contains("function-secret"), "{run}: {all}");
        assert!(!run.starts_with("trace") || all.contains("read <secret "), "{run}: {all}");
    }
    let built = kzui_in(&tree.root(), &[&["build", "."][..], &flags].concat());
    assert!(built.err.contains("read function-secret"), "{}", built.err);
}

#[test]
fn problems_show_values_on_request() {
    let files = [
        (
            "kustomization.yaml",
            "resources: [s.yaml]\nimages:\n- {name: swordfish-12, newTag: \"2\"}\n",
        ),
        (
            "s.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: swordfish-12}\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (160, 40));
    bench.keys("gp");
    assert!(bench.text().contains("<secret "), "{}", bench.text());
    bench.keys("V");
    assert!(bench.text().contains("swordfish-12"), "{}", bench.text());
    bench.keys("V");
    assert!(!bench.text().contains("swordfish-12"), "{}", bench.text());
}
