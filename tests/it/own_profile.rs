//! The settings of a `.kzui.toml` for the targets of its folders apply in commands with many
//! targets, from any working directory.

use crate::support::{Tree, kzui_in};

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - image: example.com/web:1\n    \
     name: web\n  volumes:\n  - image:\n      reference: example.com/data:1\n    name: data\n";
const IMAGES: &str = "resources:\n- pod.yaml\nimages:\n- name: example.com/data\n  newTag: \"2\"\n";

/// Two targets with an image volume, which `images` reaches from v5.7.0 on; one of them is built by
/// an older release.
fn tree() -> Tree {
    let tree = Tree::new(&[
        (".kzui.toml", "[folders]\n\"old\" = { like = \"v5.6.0\" }\n"),
        ("old/kustomization.yaml", IMAGES),
        ("old/pod.yaml", POD),
        ("new/kustomization.yaml", IMAGES),
        ("new/pod.yaml", POD),
    ]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    tree
}

#[test]
fn grep_builds_each_target_like_its_folder_says() {
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
fn a_comparison_builds_each_side_like_its_folder_says() {
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
fn a_file_that_says_what_it_may_not_say_fails_its_targets() {
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
