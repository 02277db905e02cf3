//! State, cache and settings count only if the user owns them and others cannot write them; a clone
//! only unchanged.

use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use kzui::engine::evaluate::NoCancel;
use kzui::engine::load::{GitTarget, NotFetchedCause, Remote, RemoteError};
use kzui::host::{Cache, Fetcher, Network};

use crate::support::{Answer, Tree, kzui_in, messages, program};

/// The id of a user that does not exist.
const OTHER_USER_ID: u32 = 65_534;

/// True for root, the only user that can give files to another one. As any other user the test is
/// skipped with a note.
fn can_give_away() -> bool {
    let scratch = tempfile::NamedTempFile::new().unwrap();
    let can = chown(scratch.path(), Some(OTHER_USER_ID), None).is_ok();
    if !can {
        eprintln!("skipped: only root can give a file to another user");
    }
    can
}

fn set_mode(path: &Path, mode: u32) {
    fs_err::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn talk(home: &Path, tree: &Tree, lines: &str) -> Answer {
    let mut child = program(home)
        .args(["--linear", "."])
        .current_dir(tree.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    Answer::of(&child.wait_with_output().unwrap())
}

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n";

fn pod_tree() -> Tree {
    Tree::new(&[
        ("kustomization.yaml", "resources: [pod.yaml]\nnamePrefix: a-\n"),
        ("pod.yaml", POD),
    ])
}

/// A record of a write that was cut short, planted for a file of the user.
fn plant_write_record(home: &Path, victim: &Path) -> std::path::PathBuf {
    let folder = home.join(".local/state/kzui/writes");
    fs_err::create_dir_all(&folder).unwrap();
    let beside = victim.with_file_name(".kzui-1-1-0");
    let digest = |text: &str| kzui::engine::load::Digest::compute(text.as_bytes()).hex();
    let record = serde_json::json!({"files": [{
        "target": victim, "beside": beside, "base": null, "new": digest("precious"),
    }]});
    fs_err::write(folder.join("x.begun"), record.to_string()).unwrap();
    for folder in [home.join(".local/state/kzui"), folder.clone()] {
        set_mode(&folder, 0o700);
    }
    set_mode(&folder.join("x.begun"), 0o600);
    folder
}

/// A write record that others can write is not used to restore files.
#[test]
fn a_journal_that_others_can_write_takes_nothing_back() {
    for (place, mode) in [("", 0o777), ("", 0o770), ("x.begun", 0o666), ("..", 0o777)] {
        let (home, tree) = (tempfile::tempdir().unwrap(), pod_tree());
        tree.write("precious.txt", "precious");
        let folder = plant_write_record(home.path(), &tree.path("precious.txt"));
        set_mode(&folder.join(place), mode);
        let answer = talk(home.path(), &tree, "quit!\n");
        assert_eq!(tree.read("precious.txt"), b"precious", "{place} {mode:o}: {}", answer.err);
        let told = format!("{}{}", answer.out, answer.err);
        assert!(
            told.contains(messages::WRITABLE_BY_OTHER_USERS) && told.contains("chmod go-w"),
            "{told}"
        );
    }
    let (home, tree) = (tempfile::tempdir().unwrap(), pod_tree());
    tree.write("precious.txt", "precious");
    plant_write_record(home.path(), &tree.path("precious.txt"));
    talk(home.path(), &tree, "quit!\n");
    assert!(!tree.path("precious.txt").exists(), "the record works where it is the user's own");
}

#[test]
fn journal_of_another_user_is_ignored() {
    if !can_give_away() {
        return;
    }
    for place in ["", "x.begun", ".."] {
        let (home, tree) = (tempfile::tempdir().unwrap(), pod_tree());
        tree.write("precious.txt", "precious");
        let folder = plant_write_record(home.path(), &tree.path("precious.txt"));
        chown(folder.join(place), Some(OTHER_USER_ID), None).unwrap();
        let answer = talk(home.path(), &tree, "quit!\n");
        assert_eq!(tree.read("precious.txt"), b"precious", "{place}");
        let told = format!("{}{}", answer.out, answer.err);
        assert!(
            told.contains(&format!("{} 65534)", messages::BELONGS_TO_ANOTHER_USER_UID)),
            "{told}"
        );
    }
}

/// The drafts in a state folder.
fn drafts(home: &Path) -> Vec<std::path::PathBuf> {
    let folder = home.join(".local/state/kzui/drafts");
    let entries = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|end| end == "json")).collect()
}

#[test]
fn a_draft_that_others_can_write_is_not_offered() {
    let (home, tree) = (tempfile::tempdir().unwrap(), pod_tree());
    talk(home.path(), &tree, "tree\ntoggle 4\nquit\n");
    let kept = drafts(home.path());
    assert_eq!(kept.len(), 1);
    let listed = |what: &str| {
        let answer = program(home.path()).args(["drafts", "."]).current_dir(tree.root()).output();
        let answer = Answer::of(&answer.unwrap());
        (answer.out.contains("kustomization.yaml"), format!("{what}: {}{}", answer.out, answer.err))
    };
    assert!(listed("own").0, "{}", listed("own").1);
    set_mode(&kept[0], 0o666);
    let (is_listed, told) = listed("0666");
    assert!(!is_listed && told.contains("chmod go-w"), "{told}");
    set_mode(&kept[0], 0o600);
    if can_give_away() {
        chown(&kept[0], Some(OTHER_USER_ID), None).unwrap();
        let (is_listed, told) = listed("another's");
        assert!(!is_listed && told.contains(messages::BELONGS_TO_ANOTHER_USER), "{told}");
    }
}

/// Every folder and file of kzui is readable and writable by the user only, so that it is trusted
/// the next time.
#[test]
fn kept_files_are_private_with_any_umask() {
    let (home, tree) = (tempfile::tempdir().unwrap(), pod_tree());
    let script =
        "umask 000; printf 'tree\\ntoggle 4\\nwrite\\ny\\ntoggle 4\\nquit\\n' | \"$0\" --linear .";
    let mut shell = Command::new("sh");
    let kzui = program(home.path());
    shell.arg("-c").arg(script).arg(kzui.get_program()).current_dir(tree.root());
    shell.env("HOME", home.path()).env_remove("XDG_STATE_HOME");
    let answer = Answer::of(&shell.output().unwrap());
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    for entry in walkdir::WalkDir::new(home.path().join(".local/state/kzui")) {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", entry.path().display());
    }
}

const IMAGE: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {volumes: [{name: data, image: {reference: \"example.com/data:1\"}}]}\n";

/// A tree with settings in its parent folder: of an older release, without image volumes.
fn with_settings_above() -> Tree {
    let tree = Tree::new(&[
        (".kzui.toml", "like = \"v5.6.0\"\n"),
        (
            "mine/kustomization.yaml",
            "resources: [pod.yaml]\nimages: [{name: example.com/data, newTag: \"2\"}]\n",
        ),
        ("mine/pod.yaml", IMAGE),
    ]);
    set_mode(&tree.path(".kzui.toml"), 0o644);
    tree
}

/// Whether a build used the settings, and its standard error.
fn settings_use_and_errors(tree: &Tree) -> (bool, String) {
    let answer = kzui_in(&tree.path("mine"), &["build", "."]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    (answer.out.contains("example.com/data:1"), answer.err)
}

#[test]
fn settings_above_a_tree_that_others_can_write_do_not_count() {
    let tree = with_settings_above();
    assert!(settings_use_and_errors(&tree).0);
    set_mode(&tree.path(".kzui.toml"), 0o666);
    let (used, told) = settings_use_and_errors(&tree);
    assert!(!used && told.matches("chmod go-w").count() == 1, "{told}");
    let checked = kzui_in(&tree.path("mine"), &["check", "."]);
    assert_eq!(checked.err.matches("chmod go-w").count(), 1, "{}", checked.err);
    // In a git work tree it is a file of the tree like all others.
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    let (used, told) = settings_use_and_errors(&tree);
    assert!(used && told.is_empty(), "{told}");
}

#[test]
fn settings_of_another_user_above_a_tree_do_not_count() {
    if !can_give_away() {
        return;
    }
    let tree = with_settings_above();
    chown(tree.path(".kzui.toml"), Some(OTHER_USER_ID), None).unwrap();
    let (used, told) = settings_use_and_errors(&tree);
    assert!(
        !used && told.contains(&format!("{} 65534)", messages::BELONGS_TO_ANOTHER_USER_UID)),
        "{told}"
    );
    // A repository that another user planted around it makes no difference.
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    chown(tree.path(".git"), Some(OTHER_USER_ID), None).unwrap();
    assert!(!settings_use_and_errors(&tree).0);
    // A checkout by another user, as in a container, belongs to that user with all its files.
    for path in ["mine", "mine/kustomization.yaml", "mine/pod.yaml"] {
        chown(tree.path(path), Some(OTHER_USER_ID), None).unwrap();
    }
    let (used, told) = settings_use_and_errors(&tree);
    assert!(used && told.is_empty(), "{told}");
}

#[test]
fn settings_of_the_user_that_others_can_write_do_not_count() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/kzui");
    fs_err::create_dir_all(&folder).unwrap();
    set_mode(&folder, 0o755);
    fs_err::write(folder.join("config.toml"), "like = \"none\"\n").unwrap();
    let tree = pod_tree();
    let run = |mode: u32| {
        set_mode(&folder.join("config.toml"), mode);
        let answer = program(home.path()).args(["build", "."]).current_dir(tree.root()).output();
        Answer::of(&answer.unwrap())
    };
    assert!(run(0o644).err.contains("`none`") || run(0o644).err.contains("\"none\""));
    let answer = run(0o646);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    assert!(answer.err.contains("chmod go-w"), "{}", answer.err);
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let output = Command::new("git").args(who).args(arguments).current_dir(directory).output();
    let output = output.expect("git is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository, and its commit as the target of a fetch.
fn origin() -> (Tree, GitTarget) {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [pod.yaml]\n"),
        ("base/pod.yaml", POD),
    ]);
    tree.commit("v1");
    let commit = git(&tree.root(), &["rev-parse", "HEAD"]);
    let target = format!("file://{}//base?ref={commit}", tree.root().display());
    (tree, GitTarget::parse(&target).unwrap())
}

fn remote(network: Network, cache: &Path) -> Fetcher {
    Fetcher::new(network, Cache::at(cache), Arc::new(NoCancel))
}

#[test]
fn a_clone_that_was_changed_is_not_used_and_is_fetched_again() {
    /// Changes the clone in this folder.
    type Change = fn(&Path);
    let (_origin, target) = origin();
    let changes: [Change; 5] = [
        |tree| fs_err::write(tree.join("base/pod.yaml"), "apiVersion: v2\n").unwrap(),
        |tree| fs_err::remove_file(tree.join("base/pod.yaml")).unwrap(),
        |tree| fs_err::write(tree.join("base/more.yaml"), "").unwrap(),
        |tree| {
            fs_err::remove_file(tree.join("base/pod.yaml")).unwrap();
            std::os::unix::fs::symlink("/etc/passwd", tree.join("base/pod.yaml")).unwrap();
        },
        |tree| fs_err::write(tree.join(".git/config"), "[core]\n").unwrap(),
    ];
    for (number, change) in changes.iter().enumerate() {
        let cache = tempfile::tempdir().unwrap();
        let tree = remote(Network::Online, cache.path()).fetch_git(&target).unwrap();
        assert_eq!(remote(Network::Offline, cache.path()).fetch_git(&target).as_ref(), Ok(&tree));
        change(&tree);
        for network in [Network::Offline, Network::Unasked] {
            let refused = remote(network, cache.path());
            assert!(
                matches!(
                    refused.fetch_git(&target),
                    Err(RemoteError::NotAllowed { why: NotFetchedCause::Changed, .. })
                ),
                "{number}"
            );
            assert_eq!(refused.kept_git(&target), None, "{number}");
        }
        let again = remote(Network::Online, cache.path()).fetch_git(&target).unwrap();
        assert_eq!(again, tree, "{number}");
        assert_eq!(fs_err::read_to_string(tree.join("base/pod.yaml")).unwrap(), POD, "{number}");
        assert!(!tree.join("base/more.yaml").exists(), "{number}");
        assert_eq!(remote(Network::Offline, cache.path()).fetch_git(&target).as_ref(), Ok(&tree));
    }
}

#[test]
fn changed_clone_is_reported_by_every_command() {
    let (_origin, target) = origin();
    let home = tempfile::tempdir().unwrap();
    let base = format!("{}//base?ref={}", target.repo, target.reference);
    let tree = Tree::new(&[("kustomization.yaml", &format!("resources: [\"{base}\"]\n"))]);
    let run = |arguments: &[&str]| {
        let answer = program(home.path()).args(arguments).current_dir(tree.root()).output();
        Answer::of(&answer.unwrap())
    };
    assert_eq!(run(&["build", "."]).status, Some(0));
    assert_eq!(run(&["build", "--offline", "."]).status, Some(0));
    let found = walkdir::WalkDir::new(home.path().join(".cache/kzui/git")).into_iter().flatten();
    let pod = found.map(walkdir::DirEntry::into_path).find(|path| path.ends_with("base/pod.yaml"));
    fs_err::write(pod.unwrap(), "apiVersion: v1\nkind: Pod\nmetadata: {name: planted}\n").unwrap();
    for arguments in
        [&["build", "--offline", "."][..], &["trace", "."], &["check", "--select", "KZ190", "."]]
    {
        let answer = run(arguments);
        let told = format!("{}{}", answer.out, answer.err);
        assert!(
            !told.contains("planted") && told.contains(messages::CHANGED_SINCE_FETCHED),
            "{told}"
        );
    }
    let built = run(&["build", "."]);
    assert!(built.out.contains("name: p\n"), "{}{}", built.out, built.err);
    assert!(built.err.contains(messages::CHANGED_SINCE_FETCHED), "{}", built.err);
    assert_eq!(run(&["build", "--offline", "."]).err, "");
}

#[test]
fn a_cache_that_others_can_write_is_not_used() {
    let (_origin, target) = origin();
    let scratch = tempfile::tempdir().unwrap();
    let cache = scratch.path().join("cache");
    remote(Network::Online, &cache).fetch_git(&target).unwrap();
    let record = cache.join("clones");
    set_mode(&record, 0o777);
    for network in [Network::Offline, Network::Online] {
        let refusal = remote(network, &cache).fetch_git(&target).unwrap_err().to_string();
        assert!(refusal.contains("chmod go-w"), "{refusal}");
    }
    set_mode(&record, 0o700);
    assert!(remote(Network::Offline, &cache).fetch_git(&target).is_ok());
    if can_give_away() {
        chown(&record, Some(OTHER_USER_ID), None).unwrap();
        let refusal = remote(Network::Offline, &cache).fetch_git(&target).unwrap_err().to_string();
        assert!(refusal.contains(messages::BELONGS_TO_ANOTHER_USER), "{refusal}");
    }
}
