//! The consequence of a draft: the same for the workbench, for `kzui diff draft:` and for every
//! target that the draft affects.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::compare::{DEPLOYMENT, commit, git, repository};
use crate::support::{Answer, Tree, program};

/// The answers of linear mode for a target to these lines; the state of the user is kept in `home`.
fn talk(tree: &Tree, home: &Path, target: &str, lines: &str) -> String {
    let mut command = program(home);
    command.args(["--linear", target]).current_dir(tree.root());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut talk = command.spawn().unwrap();
    talk.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    String::from_utf8(talk.wait_with_output().unwrap().stdout).unwrap()
}

/// `kzui diff` with these words in a folder of the tree.
fn diff(tree: &Tree, home: &Path, folder: &str, words: &[&str]) -> Answer {
    let mut command = program(home);
    command.arg("diff").args(words).current_dir(tree.path(folder));
    Answer::of(&command.output().unwrap())
}

/// The result in the first line: `4 targets: 2 the same, 2 differ`.
fn result(text: &str) -> &str {
    let line = text.lines().find(|line| line.contains(" → ")).unwrap_or_else(|| panic!("{text}"));
    line.split_once(" → ").unwrap().1.split_once(": ").unwrap().1.trim_end_matches('.')
}

#[test]
fn draft_alone_is_compared_in_all_targets_that_it_affects() {
    let (tree, home) = (repository(), tempfile::tempdir().unwrap());
    let edit = "change base/deployment.yaml:17         image: example.com/web:2\n";
    let lines = format!("draft small\n{edit}reach\nquit\n");
    let said = talk(&tree, home.path(), "dev", &lines);
    let in_workbench = result(&said);
    assert_eq!(in_workbench, "4 targets: 2 the same, 2 differ", "{said}");
    for folder in ["", "dev", "base"] {
        let folder_has_draft = folder != "base";
        let alone = diff(&tree, home.path(), folder, &["draft:small"]);
        if !folder_has_draft {
            assert_eq!(alone.status, Some(2), "{}", alone.out);
            assert!(alone.err.contains("draft:small"), "{}", alone.err);
            continue;
        }
        assert_eq!((alone.status, result(&alone.out)), (Some(1), in_workbench), "{folder}");
        assert!(alone.out.starts_with("the files → draft:small: "), "{}", alone.out);
        assert!(alone.out.contains("base/deployment.yaml:17  image: "), "{}", alone.out);
    }
    let none = diff(&tree, home.path(), "", &["draft:none"]);
    assert_eq!(none.status, Some(2));
    assert!(none.err.contains("draft:small of dev"), "{}", none.err);
}

/// Beside another side, the draft is built for the targets of that side, and edits of files that
/// only the draft changes are causes.
#[test]
fn draft_takes_the_target_of_the_other_side() {
    let (tree, home) = (repository(), tempfile::tempdir().unwrap());
    let edit = "change base/deployment.yaml:17         image: example.com/web:2\n";
    talk(&tree, home.path(), "dev", &format!("draft small\n{edit}quit\n"));
    let sides: [(&str, &[&str], &str); 5] = [
        ("", &["dev", "draft:small"], "1 target: 0 the same, 1 differs"),
        ("", &["HEAD:dev", "draft:small"], "1 target: 0 the same, 1 differs"),
        ("dev", &["HEAD", "draft:small"], "1 target: 0 the same, 1 differs"),
        ("", &["HEAD", "draft:small"], "4 targets: 2 the same, 2 differ"),
        ("", &["draft:small", "prod"], "1 target: 1 the same, 0 differ"),
    ];
    for (folder, words, expected) in sides {
        let answer = diff(&tree, home.path(), folder, words);
        assert_eq!(result(&answer.out), expected, "{words:?}: {}{}", answer.out, answer.err);
        let has_cause = answer.out.contains("base/deployment.yaml:17  image: ");
        assert_eq!(has_cause, answer.status == Some(1), "{words:?}: {}", answer.out);
    }
}

#[test]
fn exit_status_of_a_draft_tells_equal_from_not_known() {
    let (tree, home) = (repository(), tempfile::tempdir().unwrap());
    tree.write(
        "far/kustomization.yaml",
        "resources:\n- https://example.com/x.yaml\nnamePrefix: a-\n",
    );
    commit(&tree, "A remote");
    let status = |target: &str, edit: &str| {
        talk(&tree, home.path(), target, &format!("draft one\n{edit}\nquit\n"));
        let answer = diff(&tree, home.path(), target, &["draft:one"]);
        talk(&tree, home.path(), target, "draft one\ndiscard\nquit\n");
        (answer.status, answer.out)
    };
    let (same, out) = status("stage", "change stage/kustomization.yaml:2 namePrefix: 'stage-'");
    assert_eq!(same, Some(0), "{out}");
    let (not_known, out) = status("far", "change far/kustomization.yaml:3 namePrefix: b-");
    assert_eq!(not_known, Some(3), "{out}");
    let (fails, out) = status("dev", "change dev/kustomization.yaml:1 resources: [../none]");
    assert_eq!(fails, Some(1), "{out}");
    assert!(out.contains("fails now"), "{out}");
}

/// A draft of a deployment object belongs to the folder that the object builds, and its effect is
/// that of the object.
#[test]
fn draft_of_a_deployment_object_is_found_by_the_object() {
    let object = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: web\nspec:\n  source:\n    \
         repoURL: https://example.com/a/b.git\n    path: app\n    kustomize:\n      namePrefix: one-\n";
    let tree = Tree::new(&[
        ("app/kustomization.yaml", "resources:\n- deployment.yaml\n"),
        ("app/deployment.yaml", DEPLOYMENT),
        ("argo/web.yaml", object),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    git(&tree, &["remote", "add", "origin", "https://example.com/a/b.git"]);
    commit(&tree, "First");
    let home = tempfile::tempdir().unwrap();
    let edit = "change argo/web.yaml:10       namePrefix: two-\n";
    let said =
        talk(&tree, home.path(), "argo/web.yaml", &format!("draft small\n{edit}reach\nquit\n"));
    let in_workbench = result(&said).to_owned();
    assert!(in_workbench.contains("1 differs"), "{said}");
    let alone = diff(&tree, home.path(), "", &["draft:small"]);
    assert_eq!((alone.status, result(&alone.out)), (Some(1), &*in_workbench), "{}", alone.err);
    assert!(alone.out.contains("argo/web.yaml#web"), "{}", alone.out);
    let beside = diff(&tree, home.path(), "", &["argo/web.yaml", "draft:small"]);
    assert_eq!(beside.status, Some(1), "{}{}", beside.out, beside.err);
    let mut listed = program(home.path());
    listed.args(["drafts", "argo/web.yaml"]).current_dir(tree.root());
    let listed = Answer::of(&listed.output().unwrap()).out;
    assert!(listed.starts_with("small "), "{listed}");
}

/// `like` applies to the effect of the draft too: the released Kustomize ignores an image with a
/// sha512 digest, its main branch does not.
#[test]
fn version_profile_of_the_session_applies_to_the_effect_of_the_draft() {
    let digest = "a".repeat(128);
    let deployment = DEPLOYMENT.replace("web:1", &format!("web@sha512:{digest}"));
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources:\n- deployment.yaml\nimages:\n- name: example.com/web\n  newTag: \"2\"\n",
        ),
        ("deployment.yaml", &deployment),
    ]);
    let home = tempfile::tempdir().unwrap();
    let edit = "change kustomization.yaml:5   newTag: \"3\"\nreach\n";
    let said = talk(&tree, home.path(), ".", &format!("{edit}like master\nreach\nquit\n"));
    let results: Vec<&str> =
        said.lines().filter(|line| line.contains("the files → the draft: ")).collect();
    let [latest, master] = results[..] else { panic!("{said}") };
    assert!(latest.contains("1 the same, 0 differ"), "{latest}");
    assert!(master.contains("1 differs"), "{master}");
}
