//! Tests with small repositories, some of them hostile.
#![cfg(unix)]

use std::collections::BTreeMap;
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

/// Sets each setting of git that can run a program to a script that creates a file.
#[test]
fn hostile_git_configuration_runs_no_program() {
    let (_scratch, top) = repository();
    let trap = top.join("trap.sh");
    let sprung = top.join("sprung");
    let script = format!("#!/bin/sh\necho sprung >> {}\ncat\n", sprung.display());
    std::fs::write(&trap, script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&trap, mode).unwrap();
    let trap = trap.display();
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = {trap}\n\thooksPath = {hooks}\n\tpager = {trap}\n\t\
         sshCommand = {trap}\n\talternateRefsCommand = {trap}\n\tattributesFile = {attributes}\n\
         [filter \"x\"]\n\tsmudge = {trap}\n\tclean = {trap}\n\tprocess = {trap}\n\trequired = true\n\
         [diff]\n\texternal = {trap}\n[diff \"x\"]\n\ttextconv = {trap}\n\tcommand = {trap}\n\
         [pager]\n\tlog = {trap}\n\tblame = {trap}\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {trap}\n\
         [alias]\n\tls-tree = !{trap}\n[include]\n\tpath = {include}\n\
         [extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n\turl = ext::{trap}\n",
        hooks = top.join("hooks").display(),
        attributes = top.join("attributes").display(),
        include = top.join("more").display(),
    );
    std::fs::write(top.join(".git/config"), &config).unwrap();
    std::fs::write(top.join("more"), format!("[core]\n\tfsmonitor = {trap}\n")).unwrap();
    std::fs::write(top.join("attributes"), "* filter=x diff=x\n").unwrap();
    std::fs::write(top.join(".git/info/attributes"), "* filter=x diff=x\n").unwrap();
    std::fs::create_dir_all(top.join("hooks")).unwrap();
    for hook in ["post-index-change", "reference-transaction", "post-checkout"] {
        std::fs::copy(top.join("trap.sh"), top.join("hooks").join(hook)).unwrap();
    }
    let before = read_all_files(&top);
    let objects = Arc::new(GitObjects::around(&top).unwrap());
    let (old, new) = (objects.commit("HEAD~1").unwrap(), objects.commit("main").unwrap());
    let tree = objects.tree(&new).unwrap();
    assert_eq!(&*tree.read(&top.join("base/a.yaml")).unwrap(), b"a: 2\n");
    assert!(tree.differs_on_disk(&top.join("base/sub/b.yaml")));
    let git = GitCommits::around(&top).unwrap();
    assert_eq!(git.commits_touching(&old, &new, &top.join("base/a.yaml")).unwrap().len(), 1);
    assert_eq!(git.writers(&old, &new, &top.join("base/a.yaml")).unwrap().len(), 1);
    assert_eq!(git.merge_base(&old, &new).unwrap(), old);
    // A missing object is not fetched from the promisor remote.
    assert!(objects.blob(&"1".repeat(40)).is_err());
    assert!(!sprung.exists(), "something ran");
    assert_eq!(read_all_files(&top), before);
}

fn read_all_files(top: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.insert(entry.path(), std::fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}

/// Replaces a file by a named pipe, which blocks a reader.
fn replace_by_pipe(path: &Path) {
    let _ = std::fs::remove_file(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn error_names_a_pipe_among_the_files_of_git() {
    let (_scratch, top) = repository();
    let object = |name: &str| {
        let id = GitObjects::around(&top).unwrap();
        let id = id.run(&["rev-parse", name]).unwrap();
        let id = String::from_utf8_lossy(&id).trim().to_owned();
        top.join(".git/objects").join(&id[..2]).join(&id[2..])
    };
    let (blob, commit) = (object("main:base/a.yaml"), object("main~1"));
    let is_special = |error: GitError, path: &Path| {
        assert_eq!(error, GitError::Special(path.to_owned()));
    };
    let ignored = top.join("base/.gitignore");
    replace_by_pipe(&ignored);
    is_special(GitObjects::around(&top).unwrap().not_ignored(&top).unwrap_err(), &ignored);
    std::fs::remove_file(&ignored).unwrap();
    replace_by_pipe(&blob);
    let objects = Arc::new(GitObjects::around(&top).unwrap());
    let tree = objects.tree("main").unwrap();
    let error = tree.read(&top.join("base/a.yaml")).unwrap_err().to_string();
    let named = GitError::Special(blob.clone()).to_string();
    assert_eq!(error, named);
    std::fs::remove_file(&blob).unwrap();
    replace_by_pipe(&commit);
    is_special(objects.run(&["rev-list", "main"]).unwrap_err(), &commit);
    std::fs::remove_file(&commit).unwrap();
    let alternates = top.join(".git/objects/info/alternates");
    replace_by_pipe(&alternates);
    is_special(GitObjects::around(&top).map(drop).unwrap_err(), &alternates);
    std::fs::remove_file(&alternates).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &alternates).unwrap();
    is_special(GitObjects::around(&top).map(drop).unwrap_err(), &alternates);
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
