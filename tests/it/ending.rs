//! A signal ends a command at once, wherever it is, and with it all that it started.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Tree, program_with_bin};

const SIGNALS: [(&str, i32); 4] = [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3)];

const FUNCTION: &str = "apiVersion: x/v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: 'exec: {path: ./f.sh}'\n";

/// Starts a build with temporary files in the tree's folder `tmp`.
fn start(tree: &Tree, arguments: &[&str]) -> Child {
    fs_err::create_dir_all(tree.path("tmp")).unwrap();
    let mut command = program_with_bin(&tree.root());
    command.args(arguments).env("TMPDIR", tree.path("tmp")).current_dir(tree.root());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal to a process, and returns the signal that ended it.
fn send_signal_and_wait(child: &mut Child, signal: &str) -> Option<i32> {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
    child.wait().unwrap().signal()
}

fn is_gone(process: &str) -> bool {
    let status = Path::new("/proc").join(process.trim()).join("status");
    fs_err::read_to_string(status).map_or(true, |text| text.contains("State:\tZ"))
}

/// The function and its child ignore every signal that can be ignored.
#[test]
fn an_interrupted_build_leaves_no_process_and_no_file() {
    for (name, number) in SIGNALS {
        let tree = Tree::new(&[
            ("kustomization.yaml", "transformers: [fn.yaml]\n"),
            ("fn.yaml", FUNCTION),
            (
                "f.sh",
                "#!/bin/sh\ntrap '' TERM INT HUP QUIT\nsleep 600 & echo $! >child; wait; wait\n",
            ),
        ]);
        let mode = std::fs::Permissions::from_mode(0o755);
        fs_err::set_permissions(tree.path("f.sh"), mode).unwrap();
        let mut build = start(&tree, &["build", "--enable-alpha-plugins", "--enable-exec", "."]);
        let child = tree.path("child");
        wait_until("the function does not start", || {
            fs_err::read(&child).is_ok_and(|text| !text.is_empty())
        });
        assert_eq!(send_signal_and_wait(&mut build, name), Some(number), "{name}");
        let process = String::from_utf8(tree.read("child")).unwrap();
        wait_until("what it started is still there", || is_gone(&process));
        assert_eq!(fs_err::read_dir(tree.path("tmp")).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn a_read_that_never_returns_ends_with_the_signal() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    for command in [&["build", "."][..], &["trace", "--fetch", "."]] {
        let tree = Tree::new(&[(
            "kustomization.yaml",
            &*format!("resources: ['http://{address}/r.yaml']\n"),
        )]);
        let mut build = start(&tree, command);
        // The build waits for the answer to its request.
        let (connection, _) = silent.accept().unwrap();
        assert_eq!(send_signal_and_wait(&mut build, "TERM"), Some(15), "{command:?}");
        drop(connection);
    }
}

/// The children of a process.
fn children(process: u32) -> Vec<String> {
    let mut found = Vec::new();
    let threads = fs_err::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    for thread in threads {
        let text = fs_err::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().map(str::to_owned));
    }
    found
}

/// A repository, and a git that never ends.
fn repository_with_hanging_git() -> Tree {
    let tree = Tree::new(&[
        ("kustomization.yaml", "namePrefix: a-\n"),
        ("bin/git", "#!/bin/sh\nexec sleep 600\n"),
    ]);
    let mode = std::fs::Permissions::from_mode(0o755);
    fs_err::set_permissions(tree.path("bin/git"), mode).unwrap();
    let git = Command::new("git").args(["init", "-q"]).current_dir(tree.root()).status().unwrap();
    assert!(git.success());
    tree
}

#[test]
fn git_ends_with_a_signal_and_leaves_no_folder() {
    for (name, number) in SIGNALS {
        let tree = repository_with_hanging_git();
        let mut check = start(&tree, &["check", "."]);
        wait_until("git does not start", || !children(check.id()).is_empty());
        let git = children(check.id());
        assert_eq!(send_signal_and_wait(&mut check, name), Some(number), "{name}");
        wait_until("git is still there", || git.iter().all(|process| is_gone(process)));
        assert_eq!(fs_err::read_dir(tree.path("tmp")).unwrap().count(), 0, "{name}");
    }
}

/// This signal cannot be handled: the system itself ends the child processes of kzui.
#[cfg(target_os = "linux")]
#[test]
fn killed_process_leaves_no_program_running() {
    let tree = repository_with_hanging_git();
    tree.write("function/fn.yaml", FUNCTION);
    tree.write("function/f.sh", "#!/bin/sh\nexec sleep 600\n");
    let mode = std::fs::Permissions::from_mode(0o755);
    fs_err::set_permissions(tree.path("function/f.sh"), mode).unwrap();
    tree.write("function/kustomization.yaml", "transformers: [fn.yaml]\n");
    let build = ["build", "--enable-alpha-plugins", "--enable-exec", "function"];
    for command in [&["check", "."][..], &build] {
        let mut kzui = start(&tree, command);
        wait_until("no program starts", || !children(kzui.id()).is_empty());
        let started = children(kzui.id());
        assert_eq!(send_signal_and_wait(&mut kzui, "KILL"), Some(9), "{command:?}");
        wait_until("a program is still there", || started.iter().all(|it| is_gone(it)));
    }
}

/// Folders of a killed process are removed by the next process that makes such a folder. A start
/// that needs none does not read the system's temporary folder.
#[test]
fn folders_of_a_killed_process_are_removed_when_the_next_folder_is_made() {
    let tree =
        Tree::new(&[("kustomization.yaml", "namePrefix: a-\nconfigMapGenerator: [{name: b}]\n")]);
    let git = Command::new("git").args(["init", "-q"]).current_dir(tree.root()).status().unwrap();
    assert!(git.success());
    let mut gone = Command::new("true").spawn().unwrap();
    let left = format!("tmp/kzui-{}-abcdef/secret", gone.id());
    gone.wait().unwrap();
    tree.write(&left, "x");
    assert!(start(&tree, &["build", "."]).wait().unwrap().success());
    assert_eq!(fs_err::read_dir(tree.path("tmp")).unwrap().count(), 1, "a build needs no folder");
    assert!(start(&tree, &["check", "."]).wait().unwrap().success());
    assert_eq!(fs_err::read_dir(tree.path("tmp")).unwrap().count(), 0);
}
