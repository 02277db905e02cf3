//! Drafts when the workbench is left, when their files change, and when their file is new.

use std::path::PathBuf;

use kzui::tui::{Message, WorkbenchConfig};

use crate::support::{Disk, Key, Terminal, Tree, Workbench, check_screen, messages};

const FILE: &str = "/demo/overlays/dev/kustomization.yaml";
const OFF: &str = "#- ../../components/ldap";
const ON: &str = "- ../../components/ldap";

/// The demo with `ldap` switched on in the draft.
fn workbench_with_draft() -> Workbench {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gc j space");
    bench
}

#[test]
fn written_files_are_counted() {
    let map = |name: &str| format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n");
    let files = [
        ("top/kustomization.yaml", "resources:\n- a.yaml\n- ../b\n".to_owned()),
        ("top/a.yaml", map("a")),
        ("b/kustomization.yaml", "resources:\n- b.yaml\n".to_owned()),
        ("b/b.yaml", map("b")),
    ];
    let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
    let mut bench = Workbench::of_files(&files, "top", (120, 36));
    bench.keys("1 g g j j space j j j space : w enter Y");
    assert!(bench.text().contains(messages::WROTE_2_FILES), "{}", bench.text());
}

/// A question that is too small to show its diff is not answered by keys.
#[test]
fn a_write_is_confirmed_only_where_its_diff_is_shown() {
    let mut bench = workbench_with_draft();
    let before = bench.disk.text(FILE);
    bench.keys(": w enter");
    // In these sizes only a dialog has a frame.
    for (columns, rows) in [(19, 36), (120, 7), (1, 1)] {
        bench.resize(columns, rows);
        assert!(!bench.text().contains('═'), "{}", bench.text());
        bench.keys("y Y t j q n d enter");
        assert_eq!(bench.disk.text(FILE), before, "{columns}x{rows}");
    }
    bench.resize(20, 8);
    assert!(bench.text().contains('═'), "{}", bench.text());
    let is_shown = (0..9).any(|_| bench.keys("j").text().contains('−'));
    assert!(is_shown, "{}", bench.text());
    bench.keys("y");
    assert_ne!(bench.disk.text(FILE), before);
    let mut bench = workbench_with_draft();
    bench.keys(": w enter");
    bench.resize(10, 10);
    bench.keys("ctrl-z esc y");
    assert_eq!((bench.asked.join(" ").as_str(), bench.disk.text(FILE)), ("suspend", before));
}

fn workbench_with_offered_draft(kept: &Workbench) -> Workbench {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.send(Message::KeptDraft(Box::new(kept.kept.clone())));
    bench
}

#[test]
fn a_draft_is_kept_when_the_workbench_is_left_and_offered_the_next_time() {
    let mut bench = workbench_with_draft();
    bench.keys("q");
    assert_eq!(bench.asked, ["quit"]);
    assert_eq!(bench.kept.files.len(), 1);
    let mut next = workbench_with_offered_draft(&bench);
    let text = next.text();
    assert!(
        text.contains(&format!(
            "{} {} (overlays/dev/kustomization.yaml)",
            messages::RESTORE_DRAFT,
            messages::FROM_LAST_TIME
        )),
        "{text}"
    );
    assert!(text.contains("− #- ../../components/ldap"), "what it changes is shown: {text}");
    assert!(!text.contains('●'), "{text}");
    next.keys("y");
    assert!(
        next.text().contains("●1") && next.text().contains(messages::DRAFT_RESTORED),
        "{}",
        next.text()
    );
    next.keys("z");
    assert!(next.kept.is_empty() && !next.text().contains('●'), "{}", next.text());
    let mut next = workbench_with_offered_draft(&bench);
    next.kept.clone_from(&bench.kept);
    next.keys("n");
    assert!(next.kept.is_empty(), "it is thrown away");
    let mut next = workbench_with_offered_draft(&bench);
    next.kept.clone_from(&bench.kept);
    next.keys("ctrl-z ctrl-c gc j j space");
    assert_eq!(next.asked, ["suspend"], "these keys mean the same over a question");
    assert_eq!(next.others, [bench.kept.clone()], "nobody decided: it stays as it was");
    assert_ne!(next.kept, bench.kept, "and what is drafted now is kept as well");
    bench.keys(":q! enter");
    assert!(bench.kept.is_empty(), "thrown away");
}

#[test]
fn stored_draft_is_rebased_or_reports_a_conflict() {
    let bench = workbench_with_draft();
    let before = bench.disk.text(FILE);
    let mut next = workbench_with_offered_draft(&bench);
    next.disk.put(FILE, &format!("# new\n{before}"));
    next.keys("y");
    assert!(next.text().contains(messages::DRAFT_REBASED), "{}", next.text());
    next.keys(":w enter y");
    assert_eq!(next.disk.text(FILE), format!("# new\n{}", before.replace(OFF, ON)));
    let mut next = workbench_with_offered_draft(&bench);
    next.disk.put(FILE, &before.replace(OFF, "- ../../components/other"));
    next.keys("y :w enter");
    assert!(next.text().contains(messages::CHANGE_ON_DISK), "{}", next.text());
}

#[test]
fn quit_is_refused_if_the_draft_cannot_be_stored() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.cannot_keep = Some("read-only".to_owned());
    bench.keys("gc j space q");
    assert_eq!(bench.asked, Vec::<String>::new());
    assert!(bench.text().contains(messages::ONE_EDIT_NOT_WRITTEN), "{}", bench.text());
    bench.keys(":q! enter");
    assert_eq!(bench.asked, ["quit"]);
}

/// A draft and a change on disk at the same position of a file.
fn bench_with_conflict() -> (Workbench, String) {
    let mut bench = workbench_with_draft();
    let theirs = bench.disk.text(FILE).replace(OFF, "- ../../components/external_db # again");
    bench.disk.put(FILE, &theirs);
    bench.send(Message::FilesChanged(vec![(PathBuf::from(FILE), Some(theirs.as_bytes().into()))]));
    assert!(bench.text().contains(messages::WRITE_ASKS), "{}", bench.text());
    (bench, theirs)
}

#[test]
fn a_conflict_shows_both_sides_and_asks_whose_text_counts() {
    let (mut bench, theirs) = bench_with_conflict();
    bench.keys(":w enter");
    let text = bench.text();
    for part in [
        messages::CONFLICTS_WITH_FILE,
        messages::CHANGE_ON_DISK,
        "+ - ../../components/external_db # again",
        messages::CHANGE_OF_DRAFT,
        messages::D_KEEPS_DRAFT,
        messages::F_KEEPS_FILE,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    bench.keys("esc");
    assert_eq!(bench.disk.text(FILE), theirs);
    bench.keys(":w enter d");
    assert!(
        bench.text().contains(&messages::write_question("overlays/dev/kustomization.yaml")),
        "{}",
        bench.text()
    );
    assert_eq!(bench.disk.text(FILE), theirs, "shown before it is written");
    bench.keys("y");
    assert!(bench.disk.text(FILE).contains(&format!("\n{ON}\n")), "{}", bench.disk.text(FILE));
    let (mut bench, theirs) = bench_with_conflict();
    bench.keys(":w enter f");
    assert_eq!(bench.disk.text(FILE), theirs);
    assert!(!bench.text().contains('●'), "{}", bench.text());
    bench.resize(80, 24);
}

#[test]
fn unseen_disk_change_is_a_conflict_on_write() {
    let mut bench = workbench_with_draft();
    let theirs = "# somebody else was here\n";
    bench.disk.put(FILE, theirs);
    bench.keys(":w enter y");
    assert_eq!(bench.disk.text(FILE), theirs);
    assert!(bench.text().contains(messages::CHANGE_ON_DISK), "{}", bench.text());
}

#[test]
fn missing_file_of_an_entry_is_created_and_undone() {
    let files = [("kustomization.yaml", "resources:\n- new.yaml\n")];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("1 /").type_text("new.yaml").keys("enter E");
    assert!(bench.text().contains("new.yaml (new)"), "{}", bench.text());
    bench.type_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}").keys("esc :w enter");
    assert!(bench.text().contains("write"), "{}", bench.text());
    bench.keys("y");
    assert!(bench.disk.text("/demo/new.yaml").starts_with("{apiVersion"));
    bench.keys("z :w enter");
    assert!(
        bench.text().contains("remove") && bench.text().contains("(removed)"),
        "{}",
        bench.text()
    );
    bench.keys("Y");
    assert!(
        !bench.disk.has_file("/demo/new.yaml") && bench.text().contains("removed"),
        "{}",
        bench.text()
    );
}

#[cfg(unix)]
#[test]
fn line_mode_keeps_the_draft_and_reports_disk_changes() {
    let tree = Tree::of_demo("components");
    let home = tempfile::tempdir().unwrap();
    let state = home.path().display().to_string();
    let path = tree.path("overlays/dev");
    let variables = [("KZUI_LINEAR", "1"), ("XDG_STATE_HOME", state.as_str())];
    let mut terminal = Terminal::start_with(&[&path], 120, 60, &variables);
    let text = {
        terminal.type_text("tree");
        terminal.press(Key::Enter);
        terminal.wait_for_text("components/ldap. Off")
    };
    let row = text.lines().find(|line| line.contains("components/ldap. Off")).unwrap();
    terminal.type_text(&format!("toggle {}", row.split('.').next().unwrap()));
    terminal.press(Key::Enter);
    terminal.wait_for_text("Not written.");
    let file = tree.path("overlays/dev/kustomization.yaml");
    let before = fs_err::read_to_string(&file).unwrap();
    fs_err::write(&file, format!("{before}namePrefix: outside-\n")).unwrap();
    terminal.wait_for_text(&format!("{} {}", messages::FILES_CHANGED, messages::BUILD_OK));
    terminal.type_text("quit");
    terminal.press(Key::Enter);
    assert!(terminal.wait_for_end().success());
    assert!(
        terminal.last_bytes().contains(messages::DRAFT_KEPT_AND_OFFERED),
        "{}",
        terminal.last_bytes()
    );
    let mut terminal = Terminal::start_with(&[&path], 120, 60, &variables);
    terminal.wait_for_text("y (restore), n (discard)");
    terminal.type_text("y");
    terminal.press(Key::Enter);
    terminal.wait_for_text(messages::NOT_WRITTEN_LINEAR);
    terminal.type_text("quit!");
    terminal.press(Key::Enter);
    assert!(terminal.wait_for_end().success());
    assert!(fs_err::read_to_string(&file).unwrap().contains(OFF), "nothing was written");
    assert_eq!(
        walkdir::WalkDir::new(home.path())
            .into_iter()
            .filter(|entry| entry.as_ref().unwrap().file_type().is_file())
            .count(),
        0
    );
}

#[test]
fn discarded_draft_is_restored() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gc j space j space");
    let with = bench.text();
    assert!(with.contains("2 Change ●2"), "{with}");
    bench.keys(":discard enter");
    assert!(!bench.text().contains('●'), "{}", bench.text());
    bench.keys("space");
    assert!(bench.text().contains("●1"), "an edit after that counts alone: {}", bench.text());
    bench.keys("z z");
    assert!(bench.text().contains("2 Change ●2"), "{}", bench.text());
    bench.keys("Z");
    assert!(!bench.text().contains('●'), "{}", bench.text());
    bench.keys("z z z");
    assert!(!bench.text().contains('●'), "{}", bench.text());
}

#[test]
fn edit_shows_its_effect_on_output() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("/").type_text("external_db").keys("enter space");
    let text = bench.text();
    assert!(text.contains("output: −1 Secret ~"), "{text}");
    assert!(text.contains(messages::EFFECT_OF_DRAFT), "{text}");
    assert!(!text.contains(messages::NO_CHANGE_BY_DRAFT), "{text}");
    bench.keys("z");
    assert!(bench.text().contains("+1 Secret"), "{}", bench.text());
}

#[test]
fn write_message_stays_after_slow_build() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.hold_builds();
    bench.keys("gc j space :w enter y");
    assert!(bench.text().contains("wrote "), "{}", bench.text());
    bench.run_held_builds();
    assert!(bench.text().contains("wrote "), "{}", bench.text());
}

#[test]
fn undo_of_a_failing_draft_restores_the_step() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    let step = |bench: &Workbench| {
        let text = bench.text();
        let line = text.lines().find_map(|line| line.strip_prefix(" step ")).unwrap();
        line.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(step(&bench), "14/17", "{}", bench.text());
    bench.keys("/").type_text("../../base").keys("enter");
    let before = step(&bench);
    assert_ne!(before, "14/17", "time goes along in the tree: {}", bench.text());
    bench.keys("space");
    assert!(bench.text().contains(messages::BUILD_FAILED_KEY), "{}", bench.text());
    bench.keys("z");
    assert_eq!(step(&bench), before, "{}", bench.text());
}

#[test]
fn editor_shows_the_step_of_its_file() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.keys("/").type_text("orders-memory").keys("enter E");
    let text = bench.text();
    assert!(text.contains("Deployment orders  +"), "the diff of its own step: {text}");
    assert!(text.contains(messages::KEEP_DRAFT) && !text.contains("␣ toggle"), "{text}");
    // From a problem: the step of the displayed line, not the first one of the file.
    bench.keys("esc gp G E");
    let text = bench.text();
    assert!(text.contains("step 73/80") && text.contains("app.kubernetes.io/instance"), "{text}");
    bench.resize(80, 24);
    assert!(bench.text().contains("ctrl-r redo"), "{}", bench.text());
}

#[test]
fn write_of_earlier_session_is_reverted_from_the_log() {
    const FILE: &str = "/demo/overlays/dev/kustomization.yaml";
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    let before = bench.disk.text(FILE);
    bench.keys(":log enter");
    assert!(bench.text().contains(messages::NO_WRITES), "{}", bench.text());
    bench.keys("gc j space :w enter y");
    let between = bench.disk.text(FILE);
    bench.keys("gc k space :w enter y");
    let after = bench.disk.text(FILE);
    assert!(before != between && between != after);

    // Another session on the same files.
    let operations = std::mem::take(&mut bench.operations);
    let disk = Disk::default();
    for (path, bytes) in bench.disk.all_files() {
        disk.insert(path, bytes);
    }
    let mut bench = Workbench::new(disk, "overlays/dev", (120, 36), WorkbenchConfig::default());
    bench.operations = operations;
    bench.keys(":log enter");
    check_screen("log", &bench.screen());
    bench.keys("enter");
    assert!(bench.text().contains(messages::REVERT_WRITE), "{}", bench.text());
    bench.keys("esc j enter");
    check_screen("log-restore", &bench.screen());
    bench.keys("y");
    assert_eq!(bench.disk.text(FILE), after, "a draft is no write");
    bench.keys(":w enter y");
    assert_eq!(bench.disk.text(FILE), before);
    // No write is lost: the earlier one can be reverted as well.
    assert_eq!(bench.operations.len(), 3);
    bench.keys(":log enter enter y :w enter y");
    assert_eq!(bench.disk.text(FILE), after);
    bench.keys(":log enter j j enter");
    assert!(
        bench.text().contains(&format!("{} 2 later ones", messages::THIS_WRITE_AND_LATER_ONES)),
        "{}",
        bench.text()
    );
}

/// The same through the files of a real user: two processes, one log.
#[cfg(unix)]
#[test]
fn write_is_reverted_by_the_next_process() {
    let tree = Tree::of_demo("components");
    let home = tempfile::tempdir().unwrap();
    let state = home.path().display().to_string();
    let (path, file) = (tree.path("overlays/dev"), tree.path("overlays/dev/kustomization.yaml"));
    let variables = [("XDG_STATE_HOME", state.as_str())];
    let before = fs_err::read_to_string(&file).unwrap();
    let mut terminal = Terminal::start_with(&[&path], 120, 36, &variables);
    terminal.wait_for_text("external_db");
    terminal.type_text("gc");
    terminal.wait_for_text("recaptcha");
    terminal.type_text("j ");
    terminal.wait_for_text("●1");
    terminal.type_text(":w");
    terminal.press(Key::Enter);
    terminal.wait_for_text("write overlays/dev/kustomization.yaml?");
    terminal.type_text("y");
    terminal.wait_until("the write", || fs_err::read_to_string(&file).unwrap() != before);
    terminal.wait_for_text("wrote");
    terminal.type_text(":q");
    terminal.press(Key::Enter);
    assert!(terminal.wait_for_end().success());

    let mut terminal = Terminal::start_with(&[&path], 120, 36, &variables);
    terminal.wait_for_text("external_db");
    terminal.type_text(":log");
    terminal.press(Key::Enter);
    terminal.wait_for_text(&format!("{} components/ldap", messages::SWITCH_ON));
    terminal.press(Key::Enter);
    terminal.wait_for_text(messages::REVERT_WRITE);
    terminal.type_text("y");
    terminal.wait_for_text("●1");
    terminal.type_text(":wq");
    terminal.press(Key::Enter);
    terminal.wait_for_text("write overlays/dev/kustomization.yaml?");
    terminal.type_text("y");
    assert!(terminal.wait_for_end().success());
    assert_eq!(fs_err::read_to_string(&file).unwrap(), before);
}

#[test]
fn edits_that_are_left_out_are_counted_kept_and_named() {
    let mut bench = workbench_with_draft();
    bench.keys("2 space");
    let text = bench.text();
    assert!(text.contains("2 Change ☐1"), "{text}");
    assert!(text.contains("no change: each edit is left out"), "{text}");
    assert!(text.contains("(space includes it again)"), "{text}");
    bench.keys("z");
    assert!(bench.text().contains("space in Change includes an edit"), "{}", bench.text());
    bench.keys("q");
    assert_eq!(bench.kept.left_out.len(), 1);
    let mut next = workbench_with_offered_draft(&bench);
    assert!(next.text().contains("(1 edit left out)?"), "{}", next.text());
    next.keys("x");
    assert!(next.text().contains("y: restore"), "{}", next.text());
    next.keys("y 2");
    assert!(next.text().contains("2 Change ☐1"), "{}", next.text());
}

#[test]
fn targets_are_the_rows_after_t_in_the_write_question() {
    let mut bench = workbench_with_draft();
    bench.keys(":w enter t");
    let text = bench.text();
    assert!(text.contains("▶ Targets  the files → the draft"), "{text}");
}
