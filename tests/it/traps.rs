//! A repository with a program in every setting from which git would run one: no command runs any,
//! and the work tree, the index and the object store do not change.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::compare::{DEPLOYMENT, commit, read_all_files, repository};
use crate::support::{Tree, kzui_in};

/// Hooks that reading, listing, refreshing or checking out would set off.
const HOOKS: [&str; 9] = [
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "fsmonitor-watchman",
    "pre-auto-gc",
    "post-rewrite",
    "pre-commit",
    "sendemail-validate",
    "proc-receive",
];

/// Makes hooks, filters and settings of the repository run a script that records each call.
fn set_up_traps(tree: &Tree, elsewhere: &Path) {
    let trap = elsewhere.join("trap.sh");
    let script =
        format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", elsewhere.join("sprung").display());
    fs_err::write(&trap, script).unwrap();
    fs_err::set_permissions(&trap, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (trap, top) = (trap.display(), tree.root());
    let more = format!(
        "[core]\n\tfsmonitor = {trap}\n\tsshCommand = {trap}\n[diff]\n\texternal = {trap}\n\
         [filter \"x\"]\n\tclean = {trap}\n\tsmudge = {trap}\n\trequired = true\n"
    );
    fs_err::write(elsewhere.join("more"), &more).unwrap();
    let config = format!(
        "[core]\n\trepositoryformatversion = 1\n\tfsmonitor = {trap}\n\tuseBuiltinFSMonitor = true\n\thooksPath = {hooks}\n\t\
         pager = {trap}\n\teditor = {trap}\n\taskPass = {trap}\n\tsshCommand = {trap}\n\tgitProxy = {trap}\n\t\
         alternateRefsCommand = {trap}\n\tattributesFile = {top}/.gitattributes\n\tuntrackedCache = true\n\tsplitIndex = true\n\
         [include]\n\tpath = {more}\n[includeIf \"gitdir:{top}/\"]\n\tpath = {more}\n[includeIf \"onbranch:main\"]\n\tpath = {more}\n\
         [filter \"x\"]\n\tsmudge = {trap}\n\tclean = {trap}\n\tprocess = {trap}\n\trequired = true\n\
         [diff]\n\texternal = {trap}\n[diff \"x\"]\n\ttextconv = {trap}\n\tcommand = {trap}\n\tcachetextconv = true\n\
         [merge \"x\"]\n\tdriver = {trap}\n[pager]\n\tlog = {trap}\n\tblame = {trap}\n\tdiff = {trap}\n[log]\n\tshowSignature = true\n\
         [gpg]\n\tprogram = {trap}\n[gpg \"ssh\"]\n\tprogram = {trap}\n[credential]\n\thelper = !{trap}\n\
         [alias]\n\tls-tree = !{trap}\n\tcat-file = !{trap}\n\trev-parse = !{trap}\n[gc]\n\tauto = 1\n[maintenance]\n\tauto = true\n\
         [submodule]\n\trecurse = true\n[submodule \"sub\"]\n\tactive = true\n\turl = ext::{trap}\n\tupdate = !{trap}\n\
         [extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n\turl = ext::{trap}\n\tuploadpack = {trap}\n\
         [uploadpack]\n\tpackObjectsHook = {trap}\n[protocol]\n\tallow = always\n[trace2]\n\teventTarget = {elsewhere}/trace\n",
        hooks = elsewhere.join("hooks").display(),
        top = top.display(),
        more = elsewhere.join("more").display(),
        elsewhere = elsewhere.display(),
    );
    fs_err::write(tree.path(".git/config"), config).unwrap();
    fs_err::create_dir_all(elsewhere.join("hooks")).unwrap();
    for hook in HOOKS {
        fs_err::copy(elsewhere.join("trap.sh"), elsewhere.join("hooks").join(hook)).unwrap();
        fs_err::copy(elsewhere.join("trap.sh"), tree.path(".git/hooks").join(hook)).unwrap();
    }
    fs_err::create_dir_all(tree.path(".git/info")).unwrap();
    fs_err::write(
        tree.path(".git/info/attributes"),
        "* filter=x diff=x merge=x\n*.yaml text eol=crlf working-tree-encoding=UTF-16\n",
    )
    .unwrap();
    // A repository within this one, with its own configuration.
    fs_err::create_dir_all(tree.path("sub/.git/objects")).unwrap();
    fs_err::write(tree.path("sub/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs_err::write(tree.path("sub/.git/config"), more).unwrap();
    fs_err::write(tree.path("sub/kustomization.yaml"), "namePrefix: a-\n").unwrap();
}

/// Every file of `.git` with its time: a file that was written again with the same bytes counts as
/// changed.
fn git_file_times(top: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let files = walkdir::WalkDir::new(top.join(".git")).into_iter().flatten();
    files
        .map(|entry| (entry.path().to_owned(), entry.metadata().unwrap().modified().unwrap()))
        .collect()
}

#[test]
fn no_command_runs_repository_settings_or_writes_to_git() {
    let tree = repository();
    tree.write(".gitattributes", "* filter=x diff=x merge=x ident\n");
    tree.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ../none\n");
    tree.write("base/deployment.yaml", &DEPLOYMENT.replace("web:1", "web:2"));
    commit(&tree, "Raise the version");
    tree.write("base/deployment.yaml", &DEPLOYMENT.replace("web:1", "web:3"));
    let elsewhere = tempfile::tempdir().unwrap();
    set_up_traps(&tree, elsewhere.path());
    let (before, then) = (read_all_files(&tree.root()), git_file_times(&tree.root()));
    for arguments in [
        &["diff", "HEAD~1", "HEAD"][..],
        &["diff", "HEAD"],
        &["diff", "main~1...main", "--format", "json"],
        &["diff", "main:dev", "prod"],
        &["why-differ", "HEAD~1:dev", "dev", "Deployment/dev-web"],
        &["where", "base/deployment.yaml"],
        &["where", "--unused"],
        &["graph"],
        &["grep", "web:3"],
        &["check", "--changed", "HEAD~1"],
        &["check"],
        &["blame", "dev", "--commits"],
        &["build", "dev"],
        &["components"],
    ] {
        let answer = kzui_in(&tree.root(), arguments);
        let is_answered = answer.status.is_some_and(|status| status < 2);
        assert!(is_answered, "{arguments:?}: {} {}", answer.out, answer.err);
        let sprung = fs_err::read_to_string(elsewhere.path().join("sprung")).unwrap_or_default();
        assert_eq!(sprung, "", "{arguments:?} ran something");
        assert!(!elsewhere.path().join("trace").exists(), "{arguments:?} was traced");
        assert_eq!(git_file_times(&tree.root()), then, "{arguments:?} wrote into the repository");
    }
    assert_eq!(read_all_files(&tree.root()), before);
}
