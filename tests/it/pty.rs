//! The workbench in a real terminal: its use on the demo from opening to writing, and the state of
//! the terminal afterwards.
#![cfg(unix)]

use crate::pipeline::{CATALOG, STAMPED};
use crate::support::{Key, Terminal, Tree, kzui_in, messages};

const OVERLAY: &str = "overlays/dev/kustomization.yaml";
const OFF: &str = "#- ../../components/ldap\n";
const ON: &str = "- ../../components/ldap\n";

/// Opens the workbench on a copy of the Components demo, on its dev overlay.
fn open(tree: &Tree, columns: u16, rows: u16) -> Terminal {
    let mut terminal = Terminal::start(&[&tree.path("overlays/dev")], columns, rows);
    terminal.wait_for_text("external_db");
    terminal
}

/// Puts the selection on the `ldap` component of the Components screen.
fn go_to_ldap(terminal: &mut Terminal) {
    terminal.type_text("gc");
    terminal.wait_for("the Components screen", |screen| {
        screen.contains("external_db") && screen.contains("recaptcha")
    });
    terminal.type_text("/ldap");
    terminal.press(Key::Enter);
    terminal.wait_for_text("ldap");
}

/// Enters `:w` and confirms the displayed diff.
fn write(terminal: &mut Terminal, sign: &str) {
    terminal.type_text(":w");
    terminal.press(Key::Enter);
    terminal.wait_for("the file's diff", |screen| {
        screen.contains(sign) && screen.contains("../../components/ldap")
    });
    terminal.type_text("y");
}

fn quit(terminal: &mut Terminal) {
    terminal.press(Key::Escape);
    terminal.type_text(":q");
    terminal.press(Key::Enter);
}

fn replace_once(before: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(before.to_vec()).unwrap();
    assert_eq!(text.matches(from).count(), 1, "the demo has the line once");
    text.replace(from, to).into_bytes()
}

#[test]
fn a_component_is_switched_on_written_undone_and_written_back() {
    let tree = Tree::of_demo("components");
    let before = tree.read(OVERLAY);
    let built_before = kzui_in(&tree.root(), &["build", "overlays/dev"]).built();
    let mut terminal = open(&tree, 120, 36);

    go_to_ldap(&mut terminal);
    terminal.type_text(" ");
    terminal.wait_for_text("●");
    assert_eq!(tree.read(OVERLAY), before, "a toggle is a draft");
    terminal.type_text("gs");
    terminal.wait_for("ldap's generator among the steps", |screen| screen.contains("ldappass"));

    write(&mut terminal, "+");
    let on = replace_once(&before, OFF, ON);
    terminal.wait_until("the file to be written", || tree.read(OVERLAY) == on);
    let built = kzui_in(&tree.root(), &["build", "overlays/dev"]).built();
    assert!(built.contains("name: ldappass-4g862b65kt\n"), "{built}");

    terminal.wait_until_gone("●");
    terminal.type_text("z");
    terminal.wait_for_text("●");
    write(&mut terminal, "-");
    terminal.wait_until("the file to be as it was", || tree.read(OVERLAY) == before);
    assert_eq!(kzui_in(&tree.root(), &["build", "overlays/dev"]).built(), built_before);

    quit(&mut terminal);
    assert!(terminal.wait_for_end().success());
    terminal.assert_restored();
}

#[test]
fn a_draft_that_is_thrown_away_leaves_the_file_alone() {
    let tree = Tree::of_demo("components");
    let before = tree.read(OVERLAY);
    let mut terminal = open(&tree, 120, 36);
    go_to_ldap(&mut terminal);
    terminal.type_text(" ");
    terminal.wait_for_text("●");
    terminal.type_text("z");
    terminal.wait_until_gone("●");
    quit(&mut terminal);
    assert!(terminal.wait_for_end().success());
    assert_eq!(tree.read(OVERLAY), before);
    terminal.assert_restored();
}

#[test]
fn every_screen_opens_at_every_size() {
    let tree = Tree::of_demo("shop");
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        let path = tree.path("overlays/production");
        let mut terminal = Terminal::start(&[&path], columns, rows);
        terminal.wait_for_text("production");
        let mut seen = Vec::new();
        for screen in ["gs", "gd", "gr", "gc", "1"] {
            terminal.type_text(screen);
            let before = seen.last().cloned().unwrap_or_default();
            let text =
                terminal.wait_for("another screen", |text| *text != before && !text.is_empty());
            assert!(!text.contains("panicked"), "{text}");
            seen.push(text);
        }
        quit(&mut terminal);
        assert!(terminal.wait_for_end().success());
        terminal.assert_restored();
    }
}

#[test]
fn resized_terminal_is_redrawn() {
    let tree = Tree::of_demo("components");
    let mut terminal = open(&tree, 120, 36);
    terminal.resize(80, 24);
    terminal.wait_for("the tree at the new size", |screen| {
        screen.contains("external_db") && screen.lines().all(|line| line.chars().count() <= 80)
    });
    terminal.resize(60, 8);
    terminal.wait_for("something at a size that is too small", |screen| !screen.trim().is_empty());
    terminal.resize(200, 60);
    terminal.wait_for_text("ldap");
    quit(&mut terminal);
    assert!(terminal.wait_for_end().success());
    terminal.assert_restored();
}

#[test]
fn an_edit_from_outside_is_seen() {
    let tree = Tree::of_demo("components");
    let mut terminal = open(&tree, 120, 36);
    terminal.type_text("gs");
    terminal.wait_for("the steps", |screen| screen.contains("dbpass"));
    let edited = replace_once(&tree.read(OVERLAY), OFF, ON);
    fs_err::write(tree.path(OVERLAY), edited).unwrap();
    terminal.wait_for("the new steps", |screen| screen.contains("ldappass"));
    quit(&mut terminal);
    assert!(terminal.wait_for_end().success());
}

/// A file that changed on disk under a draft is never overwritten blindly: both sides keep their
/// change.
#[test]
fn a_write_never_loses_what_another_program_wrote() {
    let tree = Tree::of_demo("components");
    let mut terminal = open(&tree, 120, 36);
    go_to_ldap(&mut terminal);
    terminal.type_text(" ");
    terminal.wait_for_text("●");
    let mut outside = tree.read(OVERLAY);
    outside.extend_from_slice(b"\nnamePrefix: outside-\n");
    fs_err::write(tree.path(OVERLAY), &outside).unwrap();
    terminal.type_text("1");
    terminal.wait_for("the outside edit", |screen| screen.contains("outside-"));
    terminal.type_text(":w");
    terminal.press(Key::Enter);
    terminal.wait_for_text("../../components/ldap");
    terminal.type_text("y");
    terminal.wait_until("both changes in the file", || {
        tree.read(OVERLAY) == replace_once(&outside, OFF, ON)
    });
    quit(&mut terminal);
    assert!(terminal.wait_for_end().success());
}

#[test]
fn a_build_that_fails_still_shows_its_tree() {
    let tree = Tree::of_demo("components");
    let text = String::from_utf8(tree.read(OVERLAY)).unwrap();
    tree.write(OVERLAY, &format!("{text}- ../../components/absent\n"));
    let mut terminal = Terminal::start(&[&tree.path("overlays/dev")], 120, 36);
    terminal.wait_for("the tree", |screen| screen.contains("external_db"));
    terminal.wait_for_text("absent");
    quit(&mut terminal);
    assert!(terminal.wait_for_end().success());
    terminal.assert_restored();
}

#[test]
fn control_characters_of_the_input_never_reach_the_terminal() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [a.yaml]\n"),
        (
            "a.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loud}\ndata: {bell: \"\\e]0;owned\\a\\e[31mred\"}\n",
        ),
    ]);
    let mut terminal = Terminal::start(&[&tree.root()], 120, 36);
    terminal.wait_for_text("loud");
    terminal.type_text("gr");
    terminal.wait_for_text("bell");
    quit(&mut terminal);
    terminal.wait_for_end();
    let bytes = terminal.last_bytes();
    assert!(!bytes.contains("\u{1b}]0;owned"), "the title was set by the input");
    assert!(!bytes.contains("\u{1b}[31mred"), "a colour came from the input");
}

#[test]
fn a_termination_signal_restores_the_terminal() {
    let tree = Tree::of_demo("components");
    let ending = ["QUIT", "ABRT", "ALRM", "USR1", "USR2", "VTALRM", "XCPU", "XFSZ", "PROF"];
    for signal in ["TERM", "HUP", "INT"].into_iter().chain(ending) {
        let mut terminal = open(&tree, 80, 24);
        terminal.signal(signal);
        terminal.wait_for_end();
        terminal.assert_restored();
    }
}

#[test]
fn a_stopped_workbench_gives_the_terminal_back_and_takes_it_again() {
    let tree = Tree::of_demo("components");
    let mut terminal = open(&tree, 80, 24);
    terminal.stop();
    terminal.wait_until_gone("external_db");
    terminal.signal("CONT");
    terminal.wait_for_text("external_db");
    // The program cannot react to SIGSTOP; the shell has used the terminal since.
    terminal.signal("STOP");
    terminal.signal("CONT");
    terminal.type_text("gs");
    terminal.wait_for_text("14 of 17");
    terminal.signal("TERM");
    terminal.wait_for_end();
    terminal.assert_restored();
}

/// Forty stops in a row, each continued at once, leave a usable workbench.
#[test]
fn a_storm_of_stops_leaves_a_workbench_that_goes_on() {
    let tree = Tree::of_demo("components");
    let mut terminal = open(&tree, 80, 24);
    for _ in 0..40 {
        terminal.signal("TSTP");
        terminal.signal("CONT");
    }
    terminal.type_text("gs");
    terminal.wait_awake_for("14 of 17");
    terminal.signal("TERM");
    terminal.wait_for_end();
    terminal.assert_restored();
}

/// The key, not a signal: in raw mode it is a byte.
#[test]
fn ctrl_z_suspends_in_a_shell_and_fg_draws_again() {
    let tree = Tree::of_demo("components");
    let program = format!("{} overlays/dev", env!("CARGO_BIN_EXE_kzui"));
    for line in [program.clone(), format!("sh -c '{program}; :'")] {
        let mut shell = Terminal::start_shell(&tree.root(), 80, 24);
        shell.wait_for_text("shell> ");
        shell.type_text(&format!("{line}\r"));
        shell.wait_for_text("external_db");
        for overlay in ["", "?"] {
            shell.type_text(overlay);
            shell.type_text("\u{1a}");
            shell.wait_for_text("Stopped");
            // The terminal belongs to the shell: it echoes input, and accepts lines.
            shell.type_text("echo $((40 + 2)) of 42\r");
            shell.wait_for_text("42 of 42");
            shell.type_text("clear; fg\r");
            let back = if overlay.is_empty() { "external_db" } else { "Help" };
            shell.wait_for(back, |screen| screen.contains(back) && !screen.contains("shell> "));
        }
        shell.press(Key::Escape);
        shell.wait_until_gone("Help");
        shell.type_text("gs");
        shell.wait_for_text("14 of 17");
        quit(&mut shell);
        shell.wait_for_text("shell> ");
        shell.type_text("exit\r");
        shell.wait_for_end();
        shell.assert_restored();
    }
}

/// Without a shell that could continue it, the program does not stop.
#[test]
fn ctrl_z_without_a_shell_does_not_stop_the_workbench() {
    let tree = Tree::of_demo("components");
    let mut terminal = open(&tree, 80, 24);
    terminal.type_text("\u{1a}");
    terminal.wait_for_text(messages::NO_SHELL);
    quit(&mut terminal);
    assert!(terminal.wait_for_end().success());
    terminal.assert_restored();
}

/// A script that leads the session has no shell that could continue the script and the workbench.
#[test]
fn ctrl_z_in_a_script_session_stops_nothing() {
    let tree = Tree::of_demo("components");
    let script = format!("{} overlays/dev; exit 3", env!("CARGO_BIN_EXE_kzui"));
    let mut terminal = Terminal::start_script(&tree.root(), &script, 80, 24);
    terminal.wait_for_text("external_db");
    terminal.type_text("\u{1a}");
    terminal.type_text("gs");
    terminal.wait_for_text("14 of 17");
    quit(&mut terminal);
    assert_eq!(terminal.wait_for_end().exit_code(), 3);
    terminal.assert_restored();
}

/// A request to end the workbench also ends the editor in its terminal.
#[test]
fn a_workbench_whose_editor_is_open_ends_when_it_is_asked_to() {
    let tree = Tree::of_demo("components");
    tree.write("wait.sh", "trap 'exit 0' TERM\necho editing\nwhile :; do sleep 0.1; done\n");
    let editor = format!("sh {}", tree.path("wait.sh").display());
    let path = tree.path("overlays/dev");
    for signal in ["TERM", "HUP"] {
        let mut terminal = Terminal::start_with(&[&path], 80, 24, &[("EDITOR", &editor)]);
        terminal.wait_for_text("external_db");
        terminal.type_text("e");
        terminal.wait_for_text("editing");
        // Keys that are typed in the editor must not reach the workbench.
        terminal.signal("INT");
        terminal.signal(signal);
        terminal.wait_for_end();
        terminal.assert_restored();
    }
}

#[test]
fn without_colour_no_colour_is_used() {
    let tree = Tree::of_demo("components");
    let path = tree.path("overlays/dev");
    let mut terminal = Terminal::start_with(&[&path], 120, 36, &[("NO_COLOR", "1")]);
    terminal.wait_for_text("ldap");
    quit(&mut terminal);
    terminal.wait_for_end();
    let bytes = terminal.last_bytes();
    let coloured =
        regex::Regex::new("\u{1b}\\[(?:[0-9;]*;)?(?:3[0-7]|4[0-7]|9[0-7]|38|48)(?:;[0-9;]*)?m");
    assert_eq!(coloured.unwrap().find(&bytes).map(|found| found.as_str().to_owned()), None);
}

#[test]
fn a_catalog_is_reviewed_and_trusted_and_asks_again_when_it_wants_more() {
    if !crate::support::has_starlark() {
        return;
    }
    let files: Vec<(&str, &str)> = STAMPED.to_vec();
    let tree = Tree::new(&files);
    tree.write(
        "app/kustomization.yaml",
        "catalogs: [../shelf/catalog.yaml]\nresources: [app.yaml]\ntransformers: [stamp.yaml]\n",
    );
    let mut terminal = Terminal::start(&[&tree.path("app")], 120, 36);
    terminal.wait_for_text("app.yaml");
    terminal.type_text("gf");
    terminal.wait_for_text("Functions  0 run  1 pending");
    terminal.type_text("gk");
    terminal.wait_for_text(messages::NEVER_TRUSTED);
    terminal.type_text("T");
    terminal.wait_for_text(messages::TRUST_CATALOG);
    terminal.type_text("d");
    terminal.wait_for_text("trusted: ");
    terminal.type_text("gf");
    terminal.wait_for_text(messages::RUN_KEY);
    terminal.type_text("R");
    terminal.wait_for_text("Functions  1 run");

    let runtime = "{container: {image: 'x:v2', requireNetwork: true}}";
    tree.write("shelf/catalog.yaml", &CATALOG.replace("{starlark: {path: stamp.star}}", runtime));
    terminal.type_text("7R");
    let screen = terminal.wait_for("the wider permission first", |screen| {
        screen.contains(messages::NETWORK_REQUESTED)
    });
    let at = |text: &str| screen.find(text).expect("it is shown");
    assert!(at("network: no") < at("runtime: starlark"), "{screen}");
    terminal.type_text("T");
    terminal.wait_for_text(messages::TYPE_NAME);
    terminal.press(Key::Escape);
    terminal.wait_for_text(messages::NOT_TRUSTED);
    quit(&mut terminal);
    assert!(terminal.wait_for_end().success());
    terminal.assert_restored();
}

/// The line mode in a real terminal: answers are appended lines, and an edit is undone, redone and
/// written.
#[test]
fn line_by_line_nothing_is_drawn_over() {
    let tree = Tree::of_demo("components");
    let before = tree.read(OVERLAY);
    let path = tree.path("overlays/dev");
    let linear = [("KZUI_LINEAR", "1")];
    let mut terminal = Terminal::start_with(&[&path], 120, 60, &linear);
    let mut say = |line: &str, wanted: &str| {
        terminal.type_text(line);
        terminal.press(Key::Enter);
        terminal.wait_for_text(wanted)
    };
    say("steps 2-3", "Step 3 of 17.");
    let tree_text = say("tree", "components/ldap. Off");
    let row = tree_text.lines().find(|line| line.contains("components/ldap. Off")).unwrap();
    let number = row.split('.').next().unwrap().to_owned();
    say(&format!("toggle {number}"), messages::NOT_WRITTEN_LINEAR);
    say("undo", "No draft.");
    say("redo", messages::COMPARED_WITH_FILES);
    say("write", messages::TYPE_Y_OR_N);
    assert_eq!(tree.read(OVERLAY), before);
    say("y", "wrote ");
    assert_eq!(tree.read(OVERLAY), replace_once(&before, OFF, ON));
    say("why 1", messages::NO_PROBLEM_WITH_STEP);
    say("diff 3", "Step 3 of ");
    say("problems", "1. Note KZ");
    say("resources", "Deployment/example");
    let text = say("resource deployment/example", "name: example   Step ");
    assert!(text.contains(", base/deployment.yaml:"), "{text}");
    say("nonsense", &format!("{} nonsense", messages::UNKNOWN_COMMAND));
    terminal.type_text("quit");
    terminal.press(Key::Enter);
    assert!(terminal.wait_for_end().success());
    let bytes = terminal.last_bytes();
    assert!(!bytes.contains('\u{1b}'), "{bytes:?}");
    let boxes = bytes.chars().find(|c| ('\u{2500}'..='\u{28ff}').contains(c));
    assert_eq!(boxes, None, "{bytes}");
}
