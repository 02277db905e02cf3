//! The settings of a `.kzui.toml` for the targets of its folders apply in commands with many
//! targets, from any working directory.

use crate::support::{Tree, kzui_in};

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - image: example.com/web:1\n    \
     name: web\n  volumes:\n  - image:\n      reference: example.com/data:1\n    name: data\n";
const IMAGES_KUSTOMIZATION: &str =
    "resources:\n- pod.yaml\nimages:\n- name: example.com/data\n  newTag: \"2\"\n";

/// Two targets with an image volume, which `images` reaches from v5.7.0 on; one of them is built by
/// an older release.
fn tree() -> Tree {
    let tree = Tree::new(&[
        (".kzui.toml", "[folders]\n\"old\" = { like = \"v5.6.0\" }\n"),
        ("old/kustomization.yaml", IMAGES_KUSTOMIZATION),
        ("old/pod.yaml", POD),
        ("new/kustomization.yaml", IMAGES_KUSTOMIZATION),
        ("new/pod.yaml", POD),
    ]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    tree
}

#[test]
fn grep_builds_targets_with_their_folder_profiles() {
    let found = |arguments: &[&str]| {
        let answer = kzui_in(&tree().root(), &[&["grep"], arguments].concat());
        let mut lines: Vec<String> = answer.out.lines().map(str::to_owned).collect();
        lines.retain(|line| line.contains("reference"));
        lines.join("\n")
    };
    let here = found(&["example.com/data:2"]);
    assert!(here.contains("new") && !here.contains("old"), "{here}");
    let said = found(&["example.com/data:2", "--like", "v5.8.1"]);
    assert!(said.contains("new") && said.contains("old"), "{said}");
}

#[test]
fn comparison_builds_sides_with_their_folder_profiles() {
    let tree = tree();
    for folder in [tree.root(), tree.path("new")] {
        let (old, new) = (tree.path("old"), tree.path("new"));
        let sides = [old.to_string_lossy().into_owned(), new.to_string_lossy().into_owned()];
        let answer = kzui_in(&folder, &["diff", &sides[0], &sides[1]]);
        assert_eq!(answer.status, Some(1), "{}{}", answer.out, answer.err);
        assert!(answer.out.contains("example.com/data:2"), "{}", answer.out);
        let answer = kzui_in(&folder, &["diff", "--like", "latest", &sides[0], &sides[1]]);
        assert_eq!(answer.status, Some(0), "{}{}", answer.out, answer.err);
    }
}

#[test]
fn forbidden_repository_setting_fails_its_targets() {
    let tree = tree();
    tree.write(".kzui.toml", "enable_exec = true\n");
    let answer = kzui_in(&tree.root(), &["check", "new"]);
    assert!(
        answer.out.contains("unknown field") || answer.err.contains("unknown field"),
        "{}{}",
        answer.out,
        answer.err
    );
    assert_ne!(answer.status, Some(0));
}

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

#[test]
fn repository_setting_allows_files_within_the_repository() {
    let tree = Tree::new(&[
        ("apps/a/kustomization.yaml", "resources: [../../shared/map.yaml]\n"),
        ("apps/b/kustomization.yaml", "resources: [../../shared/map.yaml]\n"),
        ("shared/map.yaml", MAP),
    ]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    let answer = kzui_in(&tree.root(), &["check"]);
    assert_eq!(answer.status, Some(1));
    let line = "`load_restrictor = \"LoadRestrictionsNone\"` in .kzui.toml";
    assert!(answer.out.contains(line), "{}", answer.out);
    tree.write(
        ".kzui.toml",
        "[folders]\n\"apps/a\" = { load_restrictor = \"LoadRestrictionsNone\" }\n",
    );
    assert_eq!(kzui_in(&tree.root(), &["build", "apps/a"]).status, Some(0));
    assert_eq!(kzui_in(&tree.root(), &["build", "apps/a", "--like", "v5.6.0"]).status, Some(0));
    assert_eq!(kzui_in(&tree.root(), &["build", "apps/b"]).status, Some(1), "another folder");
    tree.write(".kzui.toml", "load_restrictor = \"LoadRestrictionsNone\"\n");
    let answer = kzui_in(&tree.root(), &["check"]);
    assert_eq!(answer.status, Some(0), "{}", answer.out);
    tree.write(".kzui.toml", "load_restrictor = \"none\"\n");
    let answer = kzui_in(&tree.root(), &["build", "apps/a"]);
    assert!(answer.err.contains(".kzui.toml:1: "), "{}", answer.err);
    assert!(answer.err.contains("`none`"), "{}", answer.err);
}

#[test]
fn files_outside_the_repository_stay_closed() {
    let outside = Tree::new(&[("map.yaml", MAP)]);
    for like in ["", "like = \"flux-2.8\"\n"] {
        let tree = Tree::new(&[("app/kustomization.yaml", "")]);
        tree.write(".git/HEAD", "ref: refs/heads/main\n");
        let setting =
            if like.is_empty() { "load_restrictor = \"LoadRestrictionsNone\"\n" } else { like };
        tree.write(".kzui.toml", setting);
        let entry = outside.path("map.yaml").display().to_string();
        tree.write("app/kustomization.yaml", &format!("resources: [\"{entry}\"]\n"));
        let answer = kzui_in(&tree.root(), &["build", "app"]);
        assert_eq!((answer.status, &*answer.out), (Some(1), ""), "{setting}");
    }
}

#[test]
fn load_restrictions_are_those_of_the_imitated_program() {
    let tree = Tree::new(&[
        ("app/kustomization.yaml", "resources: [../shared/map.yaml]\n"),
        ("shared/map.yaml", MAP),
    ]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(kzui_in(&tree.root(), &["build", "app", "--like", "flux-2.8"]).status, Some(0));
    assert_eq!(kzui_in(&tree.root(), &["build", "app", "--like", "argocd-3.5"]).status, Some(1));
    let answer =
        kzui_in(&tree.root(), &["compat", "app", "--from", "flux-2.8", "--to", "argocd-3.5"]);
    assert_eq!(answer.status, Some(1));
    assert!(answer.out.contains("files-of-repository"), "{}", answer.out);
}
