//! `kzui mv`: references are rewritten, and no output changes.

use crate::support::{Answer, Tree, kzui_in};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";

/// A base with a patch in a folder of its own, two overlays, and a Flux object that deploys one.
fn tree() -> Tree {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources:\n- web.yaml\n- ../shared/map.yaml # shared\n"),
        ("base/web.yaml", WEB),
        ("shared/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n"),
        (
            "prod/kustomization.yaml",
            "# the production\nresources: [\"../base/\"] # the base\nnamePrefix: base\nconfigMapGenerator:\n- name: c\n  files: [k=../shared/map.yaml]\n",
        ),
        ("dev/kustomization.yaml", "bases:\n- ../base\n"),
        (
            "clusters/dev.yaml",
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: dev}\nspec:\n  path: ./dev\n  sourceRef: {kind: GitRepository, name: flux-system}\n",
        ),
    ]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    tree
}

fn run_mv(tree: &Tree, arguments: &[&str]) -> Answer {
    kzui_in(&tree.root(), &[&["mv"], arguments].concat())
}

fn text(tree: &Tree, path: &str) -> String {
    String::from_utf8(tree.read(path)).unwrap()
}

fn output(tree: &Tree, target: &str) -> String {
    kzui_in(&tree.root(), &["build", target, "--load-restrictor", "LoadRestrictionsNone"]).built()
}

#[test]
fn a_base_moves_with_every_reference_and_no_output_changes() {
    let tree = tree();
    let before = (output(&tree, "prod"), output(&tree, "dev"));
    let flags = ["--load-restrictor", "LoadRestrictionsNone"];
    let shown = run_mv(&tree, &[&["base", "lib/web"][..], &flags].concat());
    assert_eq!(shown.status, Some(0), "{}{}", shown.out, shown.err);
    assert!(
        shown.out.ends_with("base to lib/web: 2 files, 3 references, 2 of 2 outputs identical\n"),
        "{}",
        shown.out
    );
    assert!(tree.root().join("base/web.yaml").exists(), "shown only");
    let written = run_mv(&tree, &[&["base", "lib/web", "--write"][..], &flags].concat());
    assert_eq!(written.status, Some(0), "{}{}", written.out, written.err);
    assert_eq!((output(&tree, "prod"), output(&tree, "dev")), before);
    assert!(!tree.root().join("base/web.yaml").exists());
    assert_eq!(
        text(&tree, "lib/web/kustomization.yaml"),
        "resources:\n- web.yaml\n- ../../shared/map.yaml # shared\n"
    );
    let prod = text(&tree, "prod/kustomization.yaml");
    assert!(prod.contains("resources: [\"../lib/web/\"] # the base\nnamePrefix: base\n"), "{prod}");
    assert_eq!(text(&tree, "dev/kustomization.yaml"), "bases:\n- ../lib/web\n");
}

#[test]
fn a_deployed_folder_moves_with_its_object_and_a_file_with_its_keys() {
    let tree = tree();
    let flags = ["--load-restrictor", "LoadRestrictionsNone", "--write"];
    let moved = run_mv(&tree, &[&["dev", "envs/dev"][..], &flags].concat());
    assert_eq!(moved.status, Some(0), "{}{}", moved.out, moved.err);
    assert!(text(&tree, "clusters/dev.yaml").contains("  path: ./envs/dev\n"));
    assert_eq!(text(&tree, "envs/dev/kustomization.yaml"), "bases:\n- ../../base\n");
    let moved = run_mv(&tree, &[&["shared/map.yaml", "shared/config.yaml"][..], &flags].concat());
    assert_eq!(moved.status, Some(0), "{}{}", moved.out, moved.err);
    assert!(text(&tree, "prod/kustomization.yaml").contains("files: [k=../shared/config.yaml]"));
    assert!(text(&tree, "base/kustomization.yaml").contains("- ../shared/config.yaml # shared\n"));
}

#[test]
fn a_move_that_changes_an_output_or_has_no_place_is_refused() {
    let tree = tree();
    // Without a key, the name of the file is the key in the output.
    let generator = "configMapGenerator:\n- name: c\n  files: [data.txt]\n";
    tree.write("gen/kustomization.yaml", generator);
    tree.write("gen/data.txt", "x\n");
    let refused = run_mv(&tree, &["gen/data.txt", "gen/other.txt", "--write"]);
    assert_eq!(refused.status, Some(1), "{}", refused.out);
    assert!(refused.err.contains("gen: its output would change"), "{}", refused.err);
    assert!(tree.root().join("gen/data.txt").exists());
    for (from, to, words) in [
        ("base", "base/inner", "base/inner is inside of base"),
        ("base/kustomization.yaml", "x.yaml", "is a kustomization file: move its folder"),
    ] {
        let refused = run_mv(&tree, &[from, to]);
        assert_eq!(refused.status, Some(1), "{}", refused.out);
        assert!(refused.err.contains(words), "{}", refused.err);
    }
    assert_eq!(run_mv(&tree, &["absent", "x"]).status, Some(2));
}

/// A kustomization file that cannot be read may refer to the folder.
#[test]
fn a_move_beside_a_kustomization_file_that_cannot_be_read_is_refused() {
    let tree = tree();
    tree.write("dev/kustomization.yaml", "base: x\nbases:\n- ../base\n");
    let flags = ["--load-restrictor", "LoadRestrictionsNone"];
    let refused = run_mv(&tree, &[&["base", "lib/web", "--write"][..], &flags].concat());
    assert_ne!(refused.status, Some(0), "{}", refused.out);
    assert!(refused.err.contains("dev/kustomization.yaml:1"), "{}", refused.err);
    assert!(tree.path("base/web.yaml").exists());
}
