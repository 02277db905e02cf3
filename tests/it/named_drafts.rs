//! Several drafts of one tree: with names, over several sessions, compared with each other.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use kzui::tui::Message;

use crate::support::{Tree, Workbench, check_screen, line_with, messages, program};

const FILE: &str = "/demo/overlays/dev/kustomization.yaml";

fn opened() -> Workbench {
    Workbench::of_demo("components", "overlays/dev", (120, 36))
}

/// The first line: the open target, and the draft.
fn title(bench: &Workbench) -> String {
    let text = bench.text();
    let line = text.lines().next().unwrap();
    let (name, places) = line.split_once("0 Repository").unwrap();
    let edits = places.split_once("Change").unwrap().1.trim_matches([' ', '▌']);
    format!("{} {edits}", name.trim()).trim().to_owned()
}

/// A draft from an earlier session has its single edits, so that they are undone and redone one by
/// one.
#[test]
fn edits_are_taken_back_one_by_one_in_the_next_session_too() {
    let mut bench = opened();
    bench.keys("gc j space j space k k space z q");
    assert!(title(&bench).ends_with("●2"), "{}", bench.text());
    let mut next = opened();
    next.send(Message::KeptDraft(Box::new(bench.kept.clone())));
    next.kept = bench.kept.clone();
    next.keys("y");
    assert!(title(&next).ends_with("●2"), "{}", next.text());
    next.keys("Z");
    let text = next.text();
    let redone = line_with(&text, messages::REDONE);
    assert!(redone.contains(&format!("{} ", messages::SWITCH_OFF)), "{text}");
    assert!(redone.contains("components/external_db"), "{text}");
    next.keys("z z");
    let text = next.text();
    let undone = line_with(&text, messages::UNDONE);
    assert!(undone.contains(&format!("{} ", messages::SWITCH_OFF)), "{text}");
    assert!(undone.contains("components/recaptcha"), "{text}");
    assert!(title(&next).ends_with("●1"), "{}", next.text());
    next.keys("z");
    assert!(!next.text().contains('●') && next.kept.is_empty(), "{}", next.text());
    next.keys("z");
    assert!(next.text().contains(messages::NOTHING_TO_UNDO), "{}", next.text());
}

#[test]
fn switching_drafts_keeps_every_draft() {
    let mut bench = opened();
    bench.keys("gc j space");
    bench.keys(":").type_text("draft small").keys("enter");
    assert_eq!(title(&bench), "kzui overlays/dev [small]");
    assert!(bench.text().contains("`small`"), "{}", bench.text());
    bench.keys("gc gg space j space");
    assert_eq!(title(&bench), "kzui overlays/dev [small] ●2");
    bench.keys(":").type_text("draft -").keys("enter");
    assert_eq!(title(&bench), "kzui overlays/dev ●1");
    assert!(
        bench.text().contains(&format!("{}: output:", messages::DRAFT_WITHOUT_NAME)),
        "{}",
        bench.text()
    );
    // Each draft has its own edits.
    bench.keys("z z");
    assert_eq!(title(&bench), "kzui overlays/dev");
    bench.keys("Z");
    bench.keys(":").type_text("draft-copy large").keys("enter");
    assert_eq!(title(&bench), "kzui overlays/dev [large] ●1");
    bench.keys(":").type_text("draft-rename small").keys("enter");
    assert!(bench.text().contains(messages::NAME_EXISTS), "{}", bench.text());
    bench.keys(":").type_text("draft-rename huge").keys("enter");
    assert_eq!(title(&bench), "kzui overlays/dev [huge] ●1");
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        bench.resize(columns, rows);
        bench.keys(":draft enter");
        check_screen(&format!("drafts-{columns}x{rows}"), &bench.screen());
        bench.keys("esc");
    }
    bench.resize(120, 36);
    // Deleting asks first, and the current draft is not deleted.
    bench.keys(":draft enter d");
    assert!(bench.text().contains(messages::DRAFT_OPEN), "{}", bench.text());
    // The list stays open.
    bench.keys("j d j");
    assert!(bench.others.iter().any(|kept| kept.name.as_deref() == Some("small")));
    bench.keys("k d d");
    assert!(bench.others.iter().all(|kept| kept.name.as_deref() != Some("small")));
    assert!(bench.text().contains("`small`"), "{}", bench.text());
    bench.keys(":").type_text("draft a:b").keys("enter");
    assert!(bench.text().contains(messages::NAME_ONE_WORD), "{}", bench.text());
    assert_eq!(bench.disk.text(FILE), opened().disk.text(FILE), "nothing was written");
}

/// The answers to these lines; the state of the user is kept in `home`.
fn talk(dir: &Path, home: &Path, lines: &str) -> String {
    let mut command = program(home);
    command.args(["--linear", "overlays/dev"]).current_dir(dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut talk = command.spawn().unwrap();
    talk.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = talk.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn drafts_are_named_listed_and_compared_in_lines_and_by_commands() {
    let (tree, home) = (Tree::of_demo("components"), tempfile::tempdir().unwrap());
    let dir = tree.root();
    let before = tree.read("overlays/dev/kustomization.yaml");
    let said = talk(
        &dir,
        home.path(),
        "component 2\ndraft small\ncomponent 1\ncomponent 3\ndraft copy both\ncomponent 2\nquit\n",
    );
    assert!(said.contains("`small`") && said.contains("`both`"), "{said}");
    // The draft of the last session is offered first; the others are unchanged.
    let said = talk(
        &dir,
        home.path(),
        "y\nundo\nundo\nredo\nredo\ndraft\ncompare draft:small draft\ndraft -\ndraft\nquit\n",
    );
    assert!(said.contains("`both`"), "{said}");
    let mut undone = said.lines().filter(|line| line.contains(messages::UNDONE));
    for (switch, component) in
        [(messages::SWITCH_ON, "components/ldap"), (messages::SWITCH_OFF, "components/recaptcha")]
    {
        let line = undone.next().unwrap();
        assert!(line.contains(switch) && line.contains(component), "{said}");
    }
    assert!(said.contains(&format!("small. {} ", messages::TWO_EDITS_OF)), "{said}");
    assert!(said.contains(&format!("both, {}. 3 edits", messages::OPEN_HERE)), "{said}");
    assert!(said.contains("ldappass"), "what they differ in: {said}");
    let unnamed =
        format!("{}, {}. {} ", messages::WITHOUT_NAME, messages::OPEN_HERE, messages::ONE_EDIT_OF);
    assert!(said.contains(&unnamed), "{said}");
    // The commands list and compare the same drafts, from the folder of the target.
    let kzui = |words: &[&str]| {
        let mut command = program(home.path());
        command.args(words).current_dir(dir.join("overlays/dev"));
        let output = command.output().unwrap();
        format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    };
    let differ = kzui(&["diff", "draft:small", "draft:both"]);
    assert!(differ.contains("ldappass") && !differ.contains("error"), "{differ}");
    let alone = kzui(&["diff", "draft:small"]);
    assert!(alone.contains("dbpass"), "against the files: {alone}");
    let none = kzui(&["diff", "draft:none"]);
    assert!(none.contains("draft:none"), "{none}");
    let listed = kzui(&["drafts"]);
    assert!(listed.contains("small") && listed.contains("3 edits"), "{listed}");
    let said = talk(&dir, home.path(), "esc\ndraft delete small\ndraft delete none\ndraft\nquit\n");
    assert!(said.contains(&format!("{} `small`", messages::DELETED_DRAFT)), "{said}");
    assert!(said.contains(&format!("{} `none`", messages::NO_DRAFT)), "{said}");
    assert_eq!(tree.read("overlays/dev/kustomization.yaml"), before, "nothing was written");
}

/// Each workbench has its own draft, and a draft that is open in one is refused in the other.
#[test]
fn two_workbenches_have_a_draft_each_and_none_takes_the_other_ones() {
    let (tree, home) = (Tree::of_demo("components"), tempfile::tempdir().unwrap());
    let start = || {
        let mut command = program(home.path());
        command.args(["--linear", "overlays/dev"]).current_dir(tree.root());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut first = start();
    let mut lines = first.stdin.take().unwrap();
    lines.write_all(b"draft small\ncomponent 2\n").unwrap();
    // The file of the draft exists after the edit.
    let drafts = home.path().join(".local/state/kzui/drafts");
    let is_kept = || {
        let entries = std::fs::read_dir(&drafts).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            text.contains("\"small\"") && text.contains("components/ldap")
        })
    };
    let begun = std::time::Instant::now();
    while !is_kept() {
        assert!(begun.elapsed().as_secs() < 20, "it is not kept in {}", drafts.display());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let said = talk(&tree.root(), home.path(), "draft\ndraft small\ncomponent 3\nquit\n");
    assert!(said.contains(messages::DRAFT_HELD), "{said}");
    assert!(said.contains(&format!("`small` {}", messages::OPEN_IN_ANOTHER_WORKBENCH)), "{said}");
    lines.write_all(b"draft\nquit\n").unwrap();
    drop(lines);
    let said = String::from_utf8(first.wait_with_output().unwrap().stdout).unwrap();
    let small = format!("small, {}. {} ", messages::OPEN_HERE, messages::ONE_EDIT_OF);
    assert!(said.contains(&small), "{said}");
    let unnamed = format!("{}. {} ", messages::WITHOUT_NAME, messages::ONE_EDIT_OF);
    assert!(said.contains(&unnamed), "the other one's: {said}");
}

/// `draft` in a comparison means the open draft, not the stored draft of another session.
#[test]
fn draft_of_a_comparison_is_the_open_one() {
    let (tree, home) = (Tree::of_demo("components"), tempfile::tempdir().unwrap());
    talk(&tree.root(), home.path(), "component 2\nquit\n");
    // A workbench with `--read-only` stores no draft.
    let mut command = program(home.path());
    command.args(["--linear", "--read-only", "overlays/dev"]).current_dir(tree.root());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut talk = command.spawn().unwrap();
    let lines = b"compare overlays/dev draft\ncomponent 3\ncompare overlays/dev draft\nquit\n";
    talk.stdin.take().unwrap().write_all(lines).unwrap();
    let said = String::from_utf8(talk.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains(messages::NO_DRAFT_YET), "{said}");
    assert!(!said.contains("ldappass") && said.contains("recaptcha-7mtmh7kh5b"), "{said}");
}

#[test]
fn a_read_only_workbench_takes_no_draft() {
    let mut bench = Workbench::read_only("components", "overlays/dev", (120, 36));
    bench.keys(":").type_text("draft small").keys("enter");
    assert!(bench.text().contains("read-only"), "{}", bench.text());
    assert_eq!(title(&bench), "kzui overlays/dev read-only");
}
