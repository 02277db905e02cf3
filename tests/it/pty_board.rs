//! The Board and the Compare screen in a real terminal, over a repository.
#![cfg(unix)]

use crate::compare::{commit, git};
use crate::support::{Key, Terminal, Tree, messages};

fn quit(terminal: &mut Terminal) {
    terminal.press(Key::Escape);
    terminal.type_text(":q!");
    terminal.press(Key::Enter);
    assert!(terminal.wait_for_end().success());
    terminal.assert_restored();
}

/// The Board lists the targets, opens one, returns to its row, and reports an overlay that fails.
#[test]
fn a_repository_is_opened_gone_through_and_watched() {
    let tree = Tree::of_demo("components");
    let mut terminal = Terminal::start(&[&tree.root()], 120, 36);
    terminal.wait_for("all targets to be built", |screen| {
        screen.contains("Targets") && screen.contains("overlays") && screen.contains("3 built")
    });
    terminal.type_text("/community");
    terminal.press(Key::Enter);
    terminal.type_text("G");
    terminal.press(Key::Enter);
    terminal.wait_for("the target's tree", |screen| {
        screen.contains("▐Tree▌") && screen.contains("external_db")
    });
    terminal.type_text("0");
    terminal.wait_for("the same place", |screen| {
        screen.contains("Users  overlays/community") && screen.contains("/community")
    });
    // A write by another program is noticed: the overlay fails from now on.
    tree.write("overlays/community/kustomization.yaml", "resources: [nowhere.yaml]\n");
    terminal.wait_for_text("1 not built");
    quit(&mut terminal);
}

/// `diff --screen` opens the comparison of two targets, with its causes.
#[test]
fn two_sides_are_compared_on_a_screen() {
    let tree = Tree::of_demo("components");
    let (one, other) = (tree.path("overlays/dev"), tree.path("overlays/enterprise"));
    let (one, other) = (one.to_string_lossy().into_owned(), other.to_string_lossy().into_owned());
    let mut terminal = Terminal::start(
        &["diff".as_ref(), one.as_ref(), other.as_ref(), "--screen".as_ref()],
        120,
        36,
    );
    terminal.wait_for("the causes", |screen| screen.contains("Causes") && screen.contains("Edit"));
    terminal.type_text(",t");
    terminal.wait_for_text("Targets");
    quit(&mut terminal);
}

/// A key compares with the default branch; the result follows the files, and has links to the
/// edits.
#[test]
fn board_shows_branch_changes_of_each_target() {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [map.yaml]\n"),
        (
            "base/map.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: one}\n",
        ),
        ("dev/kustomization.yaml", "resources: [../base]\n"),
        ("other/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=1]\n"),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    git(&tree, &["checkout", "-q", "-b", "work"]);
    tree.write(
        "base/map.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: two}\n",
    );
    tree.write("new/kustomization.yaml", "resources: [../base]\n");
    commit(&tree, "Second");
    git(&tree, &["checkout", "-q", "main"]);
    // Later commits of the default branch do not count as changes of the branch.
    tree.write("other/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=2]\n");
    commit(&tree, "Third");
    git(&tree, &["checkout", "-q", "work"]);
    let mut terminal = Terminal::start(&[&tree.root()], 120, 36);
    let row = |screen: &str, name: &str| {
        let rows = screen.lines().filter(|line| line.contains(&format!("✓ {name} ")));
        rows.map(str::to_owned).next().unwrap_or_default()
    };
    terminal.wait_for("all targets to be built", |screen| screen.contains("3 built"));
    terminal.type_text("gb");
    terminal.wait_for("changes of the branch", |screen| {
        row(screen, "dev").contains("~1")
            && row(screen, "new").contains("new")
            && !row(screen, "other").contains('~')
            && screen.contains(&format!("({} main)", messages::MERGE_BASE_WITH))
    });
    // Uncommitted changes count as well.
    tree.write("other/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=3]\n");
    terminal.wait_for("the other target", |screen| row(screen, "other").contains('~'));
    terminal.type_text("gb");
    terminal.wait_for("the edits", |screen| screen.contains("a: one → two  base/map.yaml:4"));
    quit(&mut terminal);
}
