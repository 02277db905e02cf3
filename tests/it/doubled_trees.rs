//! Kustomizations of which each lists the one before twice: a few files that expand without end.

use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Answer, Key, Terminal, Tree, messages, program};

/// The time limit of a command on a loaded machine, after which it counts as endless.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(60);

/// The fields that list kustomizations, each with the kind of the listed ones.
const FIELDS: [(&str, &str); 3] = [
    ("resources", "Kustomization"),
    ("components", "Component"),
    ("transformers", "Kustomization"),
];

/// A tree in which each kustomization lists the previous one twice. Its root is in a folder, so
/// that the others are no targets of it.
pub(crate) fn doubling_tree(field: &str, kind: &str, levels: usize) -> Tree {
    let tree = Tree::new(&[]);
    let head = match kind {
        "Component" => "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
        _ => "",
    };
    tree.write("top/kustomization.yaml", &format!("{field}: [../l{levels}]\n"));
    tree.write("l0/kustomization.yaml", &format!("{head}namePrefix: a\n"));
    for level in 1..=levels {
        let below = format!("../l{}", level - 1);
        let text = format!("{head}{field}: [{below}, {below}]\n");
        tree.write(&format!("l{level}/kustomization.yaml"), &text);
    }
    tree
}

/// The output of a command; fails if it does not end.
fn answer(mut child: Child, what: &str) -> Answer {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > COMMAND_TIMEOUT {
            child.kill().unwrap();
            panic!("{what} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Answer::of(&child.wait_with_output().unwrap())
}

#[test]
fn every_command_ends_on_a_doubled_tree() {
    for (field, kind) in FIELDS {
        let tree = doubling_tree(field, kind, 24);
        for command in ["build", "trace", "check", "order", "matrix", "components"] {
            let mut started = program(&tree.root());
            started.args([command, "top"]).current_dir(tree.root());
            let files = [Stdio::null(), Stdio::null()];
            let [out, err] = files;
            if command == "build" {
                let child = started.stderr(Stdio::piped()).stdout(out).spawn().unwrap();
                let said = answer(child, command).err;
                assert!(said.contains(" 16384 "), "{field}: {said}");
            } else {
                answer(started.stdout(out).stderr(err).spawn().unwrap(), command);
            }
        }
    }
}

#[test]
fn the_workbench_answers_keys_on_a_doubled_tree() {
    for (field, kind) in FIELDS {
        for levels in [11, 24] {
            let tree = doubling_tree(field, kind, levels);
            let mut terminal = Terminal::start(&[&tree.path("top")], 120, 36);
            let is_built =
                |screen: &str| screen.contains(" 16384") || screen.contains("0 resources");
            terminal.wait_for("the build", is_built);
            terminal.type_text("1");
            terminal.wait_for_text(&format!("../l{levels}"));
            for keys in ["jjj", "gs", "gp", "gc", "1", "gg", "j"] {
                terminal.type_text(keys);
            }
            terminal.type_text("?");
            terminal.wait_for_text("Help");
            terminal.press(Key::Escape);
            terminal.wait_until_gone("Help");
            terminal.type_text(":q!");
            terminal.press(Key::Enter);
            terminal.wait_for_end();
            terminal.assert_restored();
        }
    }
}

#[test]
fn line_mode_reports_the_limit_of_a_doubling_tree() {
    for (field, kind) in FIELDS {
        let tree = doubling_tree(field, kind, 24);
        let mut command = program(&tree.root());
        command.args(["--linear", "top"]).current_dir(tree.root());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            std::io::Read::read_to_end(&mut out, &mut text).unwrap();
            String::from_utf8_lossy(&text).into_owned()
        });
        child.stdin.take().unwrap().write_all(b"tree\nproblems\nquit!\n").unwrap();
        answer(child, "--linear");
        let text = reader.join().unwrap();
        assert!(
            text.contains(&format!("{} 16384 kustomizations", messages::NOT_SHOWN_BEYOND_LIMIT)),
            "{field}"
        );
    }
}
