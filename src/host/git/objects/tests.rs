//! Tests with small repositories, some of them hostile.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::engine::load::{FileKind, Files as _};
use crate::host::git::objects::*;
use crate::repository::{CommitTree as _, Commits as _, Listing as _};

fn run_git(top: &Path, arguments: &[&str]) {
    let ended = Command::new("git")
        .current_dir(top)
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
        .args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

fn write(top: &Path, path: &str, text: &str) {
    std::fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
    std::fs::write(top.join(path), text).unwrap();
}

/// Two commits on main; in the work tree the second file has uncommitted changes.
fn repository() -> (tempfile::TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let top = scratch.path().canonicalize().unwrap();
    run_git(&top, &["init", "-q", "-b", "main"]);
    write(&top, "base/a.yaml", "a: 1\n");
    write(&top, "base/sub/b.yaml", "b: 1\n");
    std::os::unix::fs::symlink("base/sub", top.join("link")).unwrap();
    run_git(&top, &["add", "-A"]);
    run_git(&top, &["commit", "-q", "-m", "First"]);
    write(&top, "base/a.yaml", "a: 2\n");
    run_git(&top, &["commit", "-q", "-a", "-m", "Second"]);
    write(&top, "base/sub/b.yaml", "b: not committed\n");
    (scratch, top)
}

#[test]
fn commit_files_have_work_tree_paths() {
    let (_scratch, top) = repository();
    let objects = Arc::new(GitObjects::around(&top.join("base")).unwrap());
    let tree = |name: &str| objects.tree(&objects.commit(name).unwrap()).unwrap();
    let (old, new) = (tree("HEAD~1"), tree("main"));
    let text = |tree: &GitTree, path: &str| {
        tree.read(&top.join(path)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    assert_eq!(text(&old, "base/a.yaml").unwrap(), "a: 1\n");
    assert_eq!(text(&new, "base/a.yaml").unwrap(), "a: 2\n");
    assert_eq!(text(&new, "link/b.yaml").unwrap(), "b: 1\n");
    assert_eq!(
        new.resolve(&top.join("link/../x/../b.yaml")).unwrap_err().to_string(),
        new.resolve(&top.join("b.yaml")).unwrap_err().to_string()
    );
    let resolved = new.resolve(&top.join("link")).unwrap();
    assert_eq!(resolved, (top.join("base/sub"), FileKind::Directory));
    assert_eq!(new.list(&top.join("base")).unwrap(), ["a.yaml", "sub"]);
    assert_eq!(old.changed(&new), [top.join("base/a.yaml")]);
    assert!(new.differs_on_disk(&top.join("base/sub/b.yaml")));
    assert!(!new.differs_on_disk(&top.join("base/a.yaml")));
    assert_eq!(new.files_below(&top).unwrap().len(), 3);
    assert!(objects.commit("none").is_err() && objects.commit("--all").is_err());
}

#[test]
fn blame_returns_the_commit_of_a_line() {
    let (_scratch, top) = repository();
    let git = GitCommits::around(&top).unwrap();
    let (old, new) = (git.resolve_commit("HEAD~1").unwrap(), git.resolve_commit("HEAD").unwrap());
    let (one, other) = (top.join("base/a.yaml"), top.join("base/sub/b.yaml"));
    let commits = git.commits_touching(&old, &new, &one).unwrap();
    assert_eq!(commits[0].subject, "Second");
    assert_eq!(commits[0].author, "Ada");
    let blamed = git.writers(&old, &new, &one).unwrap();
    assert_eq!(blamed.get(&1), Some(&new));
    assert!(git.writers(&old, &new, &other).unwrap().is_empty());
}

#[test]
fn temporary_folder_is_removed_when_the_repository_is_dropped() {
    let (_scratch, top) = repository();
    let objects = GitObjects::around(&top).unwrap();
    let own = objects.own.path().to_owned();
    let id = objects.run(&["rev-parse", "main:base/a.yaml"]).unwrap();
    assert!(objects.blob(String::from_utf8_lossy(&id).trim()).is_ok() && own.exists());
    drop(objects);
    assert!(!own.exists());
}

#[test]
fn branches_and_tags_are_listed() {
    let (_scratch, top) = repository();
    run_git(&top, &["branch", "feature/x"]);
    run_git(&top, &["tag", "v1"]);
    run_git(&top, &["update-ref", "refs/remotes/origin/next", "HEAD"]);
    run_git(&top, &["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/next"]);
    let mut names = GitObjects::around(&top).unwrap().references().unwrap();
    names.sort();
    assert_eq!(names, ["feature/x", "main", "origin/next", "v1"]);
}
