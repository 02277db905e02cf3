//! Keys that depend on the selected entry, resource or text.

use kzui::tui::Message;

use crate::support::{Workbench, line_with, messages, numbers_after};

const FILE: &str = "/demo/kustomization.yaml";

fn config_map(name: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
}

/// A workbench on this kustomization, beside the files of three `ConfigMap` objects.
fn bench_with_three_maps(kustomization: &str) -> Workbench {
    let [a, b, c] = ["a", "b", "c"].map(config_map);
    let files = [
        ("kustomization.yaml", kustomization),
        ("a.yaml", a.as_str()),
        ("b.yaml", b.as_str()),
        ("c.yaml", c.as_str()),
    ];
    Workbench::of_files(&files, "", (120, 36))
}

/// Entries that are commented out are not part of the build, so that the number of a step's entry
/// does not count them.
#[test]
fn space_toggles_entry_of_step() {
    let text = "resources:\n#- a.yaml\n- b.yaml\n#- d.yaml\n- c.yaml\n";
    for (step, off) in [("b.yaml", "#- b.yaml"), ("c.yaml", "#- c.yaml")] {
        let mut bench = bench_with_three_maps(text);
        bench.keys("gs gg");
        for _ in 0..10 {
            let is_here = |line: &str| line.contains('▶') && line.contains(step);
            if bench.text().lines().any(is_here) {
                break;
            }
            bench.keys("j");
        }
        bench.keys("space :w enter y");
        assert_eq!(bench.disk.text(FILE), text.replace(&off[1..], off), "{step}");
    }
}

#[test]
fn a_write_that_failed_does_not_end_the_workbench() {
    let mut bench = bench_with_three_maps("resources:\n- a.yaml\n- b.yaml\n");
    bench.keys("1 j j space");
    assert!(bench.text().contains('●'), "{}", bench.text());
    bench.disk.put(FILE, "resources: []\n");
    bench.keys(":wq enter y");
    assert_eq!(bench.asked, Vec::<String>::new(), "{}", bench.text());
    assert_eq!(bench.disk.text(FILE), "resources: []\n");
}

#[test]
fn kept_draft_is_offered_after_the_overlay_closes() {
    let mut left = bench_with_three_maps("resources:\n- a.yaml\n- b.yaml\n");
    left.keys("1 j j space q");
    assert_eq!(left.kept.files.len(), 1);
    let mut bench = bench_with_three_maps("resources:\n- a.yaml\n- b.yaml\n");
    bench.keys("?");
    let help = bench.text();
    bench.send(Message::KeptDraft(Box::new(left.kept.clone())));
    assert_eq!(bench.text(), help, "whoever reads the help goes on reading");
    bench.keys("esc");
    assert!(bench.text().contains(messages::FROM_LAST_TIME), "{}", bench.text());
}

/// The output of the draft is compared with the current build of the files, not with the one before
/// the write.
#[test]
fn draft_is_compared_with_written_files() {
    let mut bench = bench_with_three_maps("resources:\n- a.yaml\n- b.yaml\n- c.yaml\n");
    bench.keys("1 j j space :w enter y");
    assert_eq!(bench.disk.text(FILE), "resources:\n#- a.yaml\n- b.yaml\n- c.yaml\n");
    bench.keys("j space gd d");
    let text = bench.text();
    assert!(text.contains("ConfigMap") && !text.contains("  a "), "{text}");
}

#[test]
fn opening_a_screen_shows_all_its_panes() {
    let mut bench = bench_with_three_maps("resources:\n- a.yaml\n- b.yaml\n");
    bench.keys("gs");
    let steps = bench.text();
    bench.keys("1 + gs");
    assert_eq!(bench.text(), steps);
}

#[test]
fn tab_cycles_through_the_panes() {
    let mut bench = bench_with_three_maps("resources:\n- a.yaml\n- b.yaml\n");
    for screen in ["1", "gs", "gd", "gr", "gc", "gp"] {
        bench.keys(screen);
        // A pane may select the resource of another one: after twelve keys, a multiple of each
        // number of panes, the selections agree.
        for _ in 0..12 {
            bench.keys("tab");
        }
        let picture = bench.screen();
        let mut came_round = 0;
        for tabs in 1..=6 {
            bench.keys("tab");
            if bench.screen() == picture {
                came_round = tabs;
                break;
            }
        }
        assert!((2..=6).contains(&came_round), "screen {screen}: {came_round}");
    }
}

/// A resource that a later step creates is shown at the end of the build.
#[test]
fn a_resource_is_shown_where_it_exists() {
    let mut bench = bench_with_three_maps("resources:\n- a.yaml\n- b.yaml\n- c.yaml\n");
    bench.keys("gs gg 1 gg j j j j tab tab enter");
    let text = bench.text();
    assert!(text.contains("name: c"), "{text}");
}

#[test]
fn tab_names_are_complete_at_any_width() {
    for columns in [40, 60, 80, 120, 200] {
        let mut bench = Workbench::of_demo("components", "overlays/dev", (columns, 24));
        for screen in ["1", "gs", "gr", "0", "2"] {
            bench.keys(screen);
            let text = bench.text();
            let first = text.lines().next().unwrap();
            for name in ["Repository", "Target", "Change"] {
                assert!(first.contains(name), "{columns} {screen}: {text}");
            }
            let has_tabs = text.lines().nth(1).unwrap().contains('▐');
            assert!(has_tabs || columns < 60, "{columns} {screen}: {text}");
        }
    }
}

#[test]
fn esc_leads_from_every_screen_up_to_the_repository() {
    for screen in ["1", "gs", "gd", "gr", "gp", "gc", "go", "gx", "2", "1 G enter", "gc enter"] {
        let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
        bench.keys(screen).keys("esc esc esc");
        assert!(bench.text().contains("▐0 Repository▌"), "{screen}: {}", bench.text());
        assert!(bench.text().contains("▐Targets▌"), "{screen}: {}", bench.text());
    }
}

#[test]
fn esc_leads_back_to_the_screen_that_opened_this_one() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gc enter");
    assert!(bench.text().contains("▐Steps▌"), "{}", bench.text());
    bench.keys("esc");
    assert!(bench.text().contains("▐Components▌"), "{}", bench.text());
}

#[test]
fn level_key_opens_last_tab_then_first_tab() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs 0 1");
    assert!(bench.text().contains("▐Steps▌"), "{}", bench.text());
    bench.keys("1");
    assert!(bench.text().contains("▐Tree▌"), "{}", bench.text());
    bench.keys("gt");
    assert!(bench.text().contains("▐Steps▌"), "{}", bench.text());
    bench.keys("gT gT");
    assert!(bench.text().contains("▐Components▌"), "{}", bench.text());
}

#[test]
fn a_number_opens_the_selected_target_if_none_is_open() {
    let mut bench = Workbench::of_demo("components", "", (120, 36));
    bench.keys("j j 1");
    assert!(bench.text().contains("▐1 Target▌"), "{}", bench.text());
    assert!(bench.text().contains("▐Tree▌"), "{}", bench.text());
    let mut bench = Workbench::of_demo("components", "", (120, 36));
    bench.keys("j j gs");
    assert!(bench.text().contains("▐Steps▌"), "{}", bench.text());
}

#[test]
fn former_keys_work_and_name_their_successors() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs");
    for (former, now, tab) in [("s", ",d", "▐Steps▌"), ("L", ",l", "▐Steps▌")] {
        bench.keys(former);
        assert!(bench.text().contains(tab), "{former}: {}", bench.text());
        assert!(bench.text().contains(&format!("use {now}: {former} ")), "{}", bench.text());
        // Once in a session.
        bench.keys(former);
        assert!(!bench.text().contains(&format!("use {now}: ")), "{}", bench.text());
    }
    // Also if the command has a message of its own, or opens a dialog.
    for (former, now) in [("S", ",s"), ("D", "gD"), ("ctrl-f", ":find")] {
        bench.keys("esc gs").keys(former);
        bench.keys("esc m");
        assert!(bench.text().contains(&format!("use {now}: {former} ")), "{}", bench.text());
        bench.keys("esc");
    }
}

#[test]
fn the_edits_of_the_draft_are_listed() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (150, 36));
    bench.keys("gc j space k space 2");
    let text = bench.text();
    let (on, off) = (line_with(&text, "components/ldap  "), line_with(&text, "external_db  "));
    assert!(on.contains(&format!("☑ {}", messages::SWITCH_ON)), "{text}");
    assert!(off.contains(&format!("☑ {}", messages::SWITCH_OFF)), "{text}");
    assert!(numbers_after(&text, messages::AFFECTS).starts_with(&[1, 3]), "{text}");
}

#[test]
fn an_edit_is_left_out_dropped_and_restored_with_its_effect() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (150, 36));
    bench.keys("gc j space k space 2");
    let row = |bench: &Workbench, words: &str| {
        let text = bench.text();
        text.lines().find(|line| line.contains(words)).unwrap_or(&text).to_owned()
    };
    // The effect of each edit is relative to the draft with the other edit.
    let ldap = row(&bench, "ldap  ");
    assert!(ldap.contains('☑') && ldap.contains("+1 Secret ~2 in 1 "), "{ldap}");
    assert!(row(&bench, messages::SWITCH_OFF).contains("−1 Secret"), "{}", bench.text());
    bench.keys("space");
    assert!(row(&bench, "ldap").contains('☐'), "{}", bench.text());
    assert!(bench.text().contains("2 Change ●1"), "{}", bench.text());
    assert!(row(&bench, "ldap").contains("+1 Secret"), "it is what it would add: {}", bench.text());
    bench.keys("space");
    assert!(bench.text().contains("2 Change ●2"), "{}", bench.text());
    bench.keys("d");
    assert!(!bench.text().contains(&format!("☑ {}", messages::SWITCH_ON)), "{}", bench.text());
    assert!(bench.text().contains("Edits 1"), "{}", bench.text());
    bench.keys("Z");
    assert!(row(&bench, "ldap").contains('☑'), "{}", bench.text());
    bench.keys("enter");
    assert!(bench.text().contains("../../components/ldap"), "{}", bench.text());
}

#[test]
fn undo_restores_a_dropped_edit_and_selects_it() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (150, 36));
    bench.keys("gc j space k space 2 j");
    let before = bench.text();
    bench.keys("d z");
    let text = bench.text();
    assert!(text.contains(messages::RESTORED_EDIT) && text.contains("external_db"), "{text}");
    // The effect and the diff are those of the restored edit.
    bench.keys("j");
    assert_eq!(bench.text(), before);
    // Further undos go on with the edits before; they are named as in the list.
    bench.keys("z");
    assert!(bench.text().contains(messages::UNDONE_COMPONENT), "{}", bench.text());
    bench.keys("z");
    assert!(!bench.text().contains('●'), "{}", bench.text());
}

#[test]
fn the_editor_opens_at_the_first_line_of_the_selected_edit() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (150, 36));
    bench.keys("gc j space k space 2");
    for line in [9, 8] {
        bench.keys("e");
        let expected = format!("edit /demo/overlays/dev/kustomization.yaml:{line}");
        assert_eq!(bench.asked.last(), Some(&expected));
        bench.keys("j");
    }
}

/// A file in a message is relative to the repository.
#[test]
fn an_edit_that_is_refused_names_the_file_as_the_tree_does() {
    let files = [
        ("app/kustomization.yaml", "{\"resources\": [\"cm.yaml\"]}\n"),
        ("app/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
        ("c/kustomization.yaml", "kind: Component\n"),
    ];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    bench.keys("gc space m");
    let text = bench.text();
    assert!(text.contains("app/kustomization.yaml:1: ") && !text.contains("/demo/"), "{text}");
}

/// Elements of a list are named, as in the answers of the commands.
#[test]
fn containers_are_named_in_the_history_the_form_and_the_copied_path() {
    let files = [
        ("kustomization.yaml", "resources: [web.yaml]\n"),
        (
            "web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - name: app\n        image: web:1\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, ".", (150, 36));
    bench.keys("gr /").type_text("image:").keys("enter");
    let path = "spec.template.spec.containers[app].image";
    let text = bench.text();
    assert!(line_with(&text, "History  ").contains("containers[app].image "), "{text}");
    bench.keys("y p");
    assert_eq!(bench.asked.last(), Some(&format!("copy {path}")));
    bench.keys("e");
    assert!(bench.text().contains(&format!("{path} of Deployment/web")), "{}", bench.text());
}

/// Without a draft only the step can be compared.
#[test]
fn compare_key_without_a_draft_shows_the_diff_of_the_step() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    for _ in 0..2 {
        bench.keys("d");
        let text = bench.text();
        assert!(text.contains("▐Diff▌") && text.contains("Step 14"), "{text}");
        assert!(text.contains(messages::NO_DRAFT_TO_COMPARE), "{text}");
    }
    bench.keys("gc j space d");
    assert!(bench.text().contains("Output: files to draft"), "{}", bench.text());
}

#[test]
fn a_prefix_lists_the_keys_that_may_follow() {
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_demo("components", "overlays/dev", (columns, rows));
        bench.keys("g");
        let text = bench.text();
        for words in ["s steps", "p problems", "d diff", messages::NEXT_TAB] {
            assert!(text.contains(words), "{words}: {text}");
        }
        bench.keys("s");
        assert!(bench.text().contains("▐Steps▌"), "{}", bench.text());
        assert!(!bench.text().contains(messages::NEXT_TAB), "{}", bench.text());
    }
    // Keys without a use here are not offered.
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs ,");
    let text = bench.text();
    assert!(text.contains("e effective only") && !text.contains("s sort"), "{text}");
    bench.keys("esc g");
    let text = bench.text();
    assert!(!text.contains("k catalogs") && !text.contains("b branch"), "{text}");
    bench.keys("esc 0 0 g");
    assert!(bench.text().contains("b branch"), "{}", bench.text());
}

#[test]
fn the_menu_lists_the_actions_of_the_row_and_runs_them() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gc j x");
    let text = bench.text();
    assert!(text.contains("Actions") && text.contains(messages::TOGGLE_AN_ENTRY), "{text}");
    bench.keys("space");
    assert!(bench.text().contains("2 Change ●1"), "{}", bench.text());
    bench.keys("x esc");
    assert!(!bench.text().contains("Actions"), "{}", bench.text());
    // A click runs an action too, and a click beside the menu closes it.
    bench.keys("x");
    click(&mut bench, "Actions  ../../components/ldap", '╔');
    assert!(!bench.text().contains("Actions"), "{}", bench.text());
    bench.keys("x");
    click(&mut bench, messages::TOGGLE_AN_ENTRY, 't');
    assert!(!bench.text().contains("●"), "{}", bench.text());
}

#[test]
fn messages_are_kept_and_a_long_one_is_shown_in_full() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (80, 24));
    bench.keys("1 gg space");
    bench.keys(":").type_text("compare a b c d").keys("enter");
    bench.keys("m");
    let text = bench.text();
    assert!(text.contains("Messages"), "{text}");
    assert!(text.contains(messages::ONLY_TWO_SIDES), "{text}");
    assert!(text.contains(messages::NOT_AN_ENTRY), "{text}");
    bench.keys("esc");
    assert!(!bench.text().contains("Messages"), "{}", bench.text());
}

#[test]
fn the_help_has_a_legend_of_the_signs() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("?").type_text("pending");
    assert!(bench.text().contains("○"), "{}", bench.text());
    bench.keys("esc ?").type_text("commented out");
    assert!(bench.text().contains("☐"), "{}", bench.text());
}

#[test]
fn a_target_is_opened_by_its_name() {
    let mut bench = Workbench::of_demo("components", "", (120, 36));
    bench.keys(":").type_text("target overlays/enter");
    bench.keys("enter");
    assert!(bench.text().contains("kzui overlays/enterprise"), "{}", bench.text());
}

/// A changed line always shows its change, at every size.
#[test]
fn a_changed_line_shows_its_change() {
    let image = |tag: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        image: registry.example.com/platform/team/a-service-with-a-long-name:{tag}\n"
        )
    };
    let web = image("2.0");
    let files = [
        (
            "kustomization.yaml",
            "resources: [web.yaml]\nimages:\n- name: registry.example.com/platform/team/a-service-with-a-long-name\n  newTag: \"3.1\"\n",
        ),
        ("web.yaml", web.as_str()),
    ];
    for (columns, rows) in [(60, 24), (80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_files(&files, "", (columns, rows));
        for keys in ["gs gg )", "gd", "gd ,d", ",d"] {
            bench.keys(keys);
            if keys == "gs gg )" && columns < 100 {
                bench.keys("tab tab");
            }
            let text = bench.text();
            assert!(text.contains("name:2.0") && text.contains("name:3.1"), "{keys} {text}");
        }
    }
}

/// Two components that add the same object, and a base with a patch.
const CONFLICT: &[(&str, &str)] = &[
    (
        "app/kustomization.yaml",
        "resources: [../base]\ncomponents:\n- ../parts/otel\n#- ../parts/tracing\n",
    ),
    ("base/kustomization.yaml", "resources: [web.yaml]\npatches:\n- path: small.yaml\n"),
    (
        "base/web.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: \"\u{26a0}\u{fe0f} x\"}\n",
    ),
    ("base/small.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {b: x}\n"),
    (
        "parts/otel/kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [agent.yaml]\n",
    ),
    ("parts/otel/agent.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: agent}\n"),
    (
        "parts/tracing/kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [agent.yaml]\n",
    ),
    ("parts/tracing/agent.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: agent}\n"),
];

#[test]
fn a_conflict_names_both_components_where_one_decides() {
    let mut bench = Workbench::of_files(CONFLICT, "app", (120, 36));
    bench.keys("gc j");
    let before = bench.text();
    assert!(line_with(&before, "☐     tracing").contains("✗ with otel"), "{before}");
    bench.keys("ge");
    assert!(line_with(&bench.text(), "☐ ../parts/tracing").contains("✗ with otel"));
    bench.keys("gc space");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let conflict = "ConfigMap agent is added by otel and by tracing";
    let text = bench.text();
    assert!(text.contains("✗ with otel"), "{text}");
    assert!(words(&text.replace(['║', '│'], " ")).contains("is added by otel"), "{text}");
    bench.keys("go");
    let text = bench.text();
    assert!(text.contains("Order  not known"), "{text}");
    bench.keys(":w enter");
    let text = bench.text();
    assert!(text.contains(conflict), "{text}");
    bench.keys("w");
    assert!(bench.text().contains("▐Problems 1▌"), "{}", bench.text());
    bench.keys("2");
    let text = bench.text();
    assert!(line_with(&text, "☑ switch on").contains("✗ with otel in 1 target"), "{text}");
    bench.keys("w");
    assert!(line_with(&bench.text(), "Why  switch on").contains("parts/tracing"));
    assert!(bench.text().contains(conflict), "{}", bench.text());
    bench.keys("esc");
    assert!(bench.text().contains("▐2 Change ●1▌"), "{}", bench.text());
    bench.keys("x");
    assert!(bench.text().contains("explain the selected"), "{}", bench.text());
    bench.keys("esc gc w");
    assert!(bench.text().contains("Why  ../parts/tracing"), "{}", bench.text());
    assert!(bench.text().contains("the build fails: ConfigMap agent is"), "{}", bench.text());
    bench.keys("esc 1 :w enter z");
    assert!(!bench.text().contains('●'), "{}", bench.text());
}

#[test]
fn the_reason_against_a_component_is_shown_beside_a_draft_too() {
    let mut bench = Workbench::of_files(CONFLICT, "app", (120, 36));
    bench.keys("1 gg / ").type_text("base").keys("enter space gc j");
    let text = bench.text();
    assert!(text.contains("Effect of ../parts/tracing"), "{text}");
    assert!(text.contains("switched on, the build fails"), "{text}");
    bench.keys("k");
    assert!(bench.text().contains("Output: files to draft"), "{}", bench.text());
}

#[test]
fn filter_of_the_tree_finds_rows_below_closed_ones() {
    let mut bench = Workbench::of_files(CONFLICT, "app", (120, 36));
    bench.keys("1 gg j j h");
    assert!(!bench.text().contains("✓ small.yaml"), "{}", bench.text());
    bench.keys("/").type_text("small.yaml").keys("enter");
    assert!(bench.text().contains("✓ small.yaml"), "{}", bench.text());
    bench.keys("esc");
    assert!(bench.text().contains("✓ small.yaml"), "{}", bench.text());
}

#[test]
fn an_emoji_with_a_variation_selector_is_shown_as_written() {
    let mut bench = Workbench::of_files(CONFLICT, "app", (120, 36));
    bench.keys("gr");
    let text = bench.text();
    assert!(text.contains("\u{26a0}\u{fe0f}") && !text.contains('\u{fffd}'), "{text}");
}

/// Clicks on the first `mark` in the line with these words.
fn click(bench: &mut Workbench, words: &str, mark: char) {
    click_at(bench, words, |line| line.split(mark).next().unwrap().to_owned());
}

/// Clicks on these words.
pub(crate) fn click_on(bench: &mut Workbench, words: &str) {
    click_at(bench, words, |line| line.split(words).next().unwrap().to_owned() + " ");
}

/// Clicks behind the returned part of the line with these words.
fn click_at(bench: &mut Workbench, words: &str, before: impl Fn(&str) -> String) {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let text = bench.text();
    let (row, line) = text.lines().enumerate().find(|(_, it)| it.contains(words)).unwrap();
    bench.send(Message::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: u16::try_from(before(line).chars().count()).unwrap(),
        row: u16::try_from(row).unwrap(),
        modifiers: KeyModifiers::NONE,
    }));
}

#[test]
fn a_click_on_a_fold_mark_folds_and_one_on_a_box_toggles() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    assert!(bench.text().contains("dbpass  "), "{}", bench.text());
    click(&mut bench, "☑ ../../components/external_db", '▾');
    assert!(!bench.text().contains("✓ dbpass"), "{}", bench.text());
    click(&mut bench, "☐ ../../components/ldap", '☐');
    assert!(bench.text().contains("2 Change ●1"), "{}", bench.text());
}

#[test]
fn rows_and_keys_of_overlays_answer_clicks() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys(":").type_text("theme ");
    click_on(&mut bench, "theme light");
    assert!(bench.text().contains("Palette"), "{}", bench.text());
    click_on(&mut bench, "theme light");
    assert!(!bench.text().contains("Palette"), "{}", bench.text());
    click(&mut bench, "☐ ../../components/ldap", '☐');
    bench.keys(":w enter");
    click_on(&mut bench, "n cancel");
    assert!(bench.text().contains("not written"), "{}", bench.text());
    bench.keys(":w enter");
    let text = bench.text();
    click_on(&mut bench, if text.contains("Y write anyway") { "Y write" } else { "y write" });
    assert!(!bench.text().contains("Change ●1"), "{}", bench.text());
    bench.keys("?").type_text("side by side");
    click_on(&mut bench, "diff side by side");
    assert!(bench.text().contains("Help  "), "a click marks the row: {}", bench.text());
    click_on(&mut bench, "diff side by side");
    assert!(!bench.text().contains("Help  "), "{}", bench.text());
    bench.keys("?").type_text("next theme");
    click_on(&mut bench, "next theme; ");
    bench.keys("enter");
    assert!(bench.text().contains("theme "), "enter runs the marked row: {}", bench.text());
    assert!(!bench.text().contains("Help  "), "{}", bench.text());
}

#[test]
fn a_click_on_a_sign_in_the_table_of_components_toggles() {
    let mut bench = Workbench::board_of_demo("shop", (120, 36));
    bench.keys("gc");
    click(&mut bench, "✗ overlays/production", '☑');
    let text = bench.text();
    let row = text.lines().find(|line| line.contains("overlays/production")).unwrap();
    assert!(row.contains("☐●") && text.contains("2 Change ●1"), "{text}");
}

#[test]
fn the_border_between_panes_can_be_dragged_and_its_place_is_kept() {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    let border = |bench: &Workbench| {
        let text = bench.text();
        let line = text.lines().find(|line| line.contains("┌ Prev")).unwrap();
        line.chars().position(|c| c == '┌').unwrap()
    };
    let mouse = |bench: &mut Workbench, kind, column: usize, row| {
        let column = u16::try_from(column).unwrap();
        bench.send(Message::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    };
    let left = MouseButton::Left;
    let first = border(&bench);
    mouse(&mut bench, MouseEventKind::Down(left), first, 8);
    mouse(&mut bench, MouseEventKind::Drag(left), 40, 9);
    mouse(&mut bench, MouseEventKind::Up(left), 40, 9);
    assert_eq!(border(&bench), 41, "{}", bench.text());
    // The other part keeps enough cells to be seen, wherever the pointer goes.
    mouse(&mut bench, MouseEventKind::Down(left), 41, 8);
    mouse(&mut bench, MouseEventKind::Drag(left), 119, 9);
    mouse(&mut bench, MouseEventKind::Up(left), 119, 9);
    assert_eq!(border(&bench), 108);
    // What is kept gives the same sizes in another session.
    let kept = serde_yaml::to_string(&bench.pane_shares).unwrap();
    assert_eq!(
        serde_yaml::from_str::<Vec<kzui::tui::PaneShare>>(&kept).unwrap(),
        bench.pane_shares
    );
    assert_eq!(bench.pane_shares.len(), 1, "{kept}");
    bench.keys(":panes enter");
    assert_eq!(border(&bench), first);
    assert!(bench.pane_shares.is_empty());
    // A drag that begins elsewhere moves no border.
    mouse(&mut bench, MouseEventKind::Down(left), 10, 8);
    mouse(&mut bench, MouseEventKind::Drag(left), 40, 9);
    assert_eq!(border(&bench), first);
}

/// Filters are chips in the title of their list; a click removes one of them.
#[test]
fn filters_are_chips_that_a_click_removes() {
    for size in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_demo("components", "overlays/dev", size);
        bench.keys("gs ,e ,l /").type_text("add").keys("enter");
        let text = bench.text();
        assert!(text.contains("[effective only] [layer dev] [/add]"), "{text}");
        for (chip, others) in [
            ("[layer dev]", "[effective only] [/add]"),
            ("[/add]", "[effective only]"),
            ("[effective only]", "Steps"),
        ] {
            click_on(&mut bench, chip);
            let text = bench.text();
            assert!(!text.contains(chip) && text.contains(others), "{chip}: {text}");
        }
    }
    let mut bench = Workbench::board_of_demo("shop", (120, 36));
    bench.keys("0 ,b");
    assert!(
        bench.text().contains("[bases too]") && !bench.text().contains("esc: all"),
        "{}",
        bench.text()
    );
    click_on(&mut bench, "[bases too]");
    assert!(!bench.text().contains("[bases too]"), "{}", bench.text());
}

/// A step that only moves annotations behind the namespace changes nothing that the output shows.
#[test]
fn a_step_that_changes_only_the_order_of_keys_is_no_change() {
    let files = [
        ("kustomization.yaml", "resources: [map.yaml]\nnamespace: shop\n"),
        (
            "map.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    a: b\n    # why\n    c: d\n  name: map\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("gs ,e");
    let text = bench.text();
    assert!(text.contains("namespace shop") && !text.contains("metadata"), "{text}");
}

/// The keys of four usual tasks; each was reached with as many before the screens had names.
#[test]
fn stories_need_no_more_keys_than_before() {
    // Step back to a patch, and see its diff.
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("C C C enter");
    assert!(
        bench.text().contains("▐Steps▌") && bench.text().contains("Secret recaptcha  +8"),
        "{}",
        bench.text()
    );
    // Switch a component on, and write.
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("5 j space");
    assert!(bench.text().contains("2 Change ●1"), "{}", bench.text());
    // Review a catalog; see whether the order of two components matters.
    let mut bench = Workbench::of_demo("platform", "staging", (120, 36));
    bench.keys("7 T");
    assert!(bench.text().contains(messages::TRUST_CATALOG), "{}", bench.text());
    // `T` on another screen shows the review, and asks nothing before it was shown.
    bench.keys("esc 1 T");
    assert!(bench.text().contains("▐Catalogs▌"), "{}", bench.text());
    assert!(bench.text().contains(messages::NEVER_TRUSTED), "{}", bench.text());
    assert!(!bench.text().contains(messages::TRUST_CATALOG), "{}", bench.text());
    bench.keys("T");
    assert!(bench.text().contains(messages::TRUST_CATALOG), "{}", bench.text());
    let mut bench = Workbench::of_demo("shop", "overlays/staging", (120, 36));
    bench.keys("O");
    assert!(bench.text().contains("▐Order▌"), "{}", bench.text());
    // These digits and letters are further keys of their screens, not keys of a former release.
    assert!(!bench.text().contains("next release"), "{}", bench.text());
}

#[test]
fn rows_of_one_patch_with_several_targets_differ_in_the_target() {
    let map = |name: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{a: b}}\n")
    };
    let (one, other) = (map("everyone-may-view-appstudio"), map("everyone-may-view-argocd"));
    let files = [
        (
            "app/kustomization.yaml",
            "resources: [one.yaml, other.yaml]\npatches:\n- path: patches/everyone-can-view-patch.yaml\n  target: {name: everyone-may-view-appstudio}\n- path: patches/everyone-can-view-patch.yaml\n  target: {name: everyone-may-view-argocd}\n",
        ),
        ("app/one.yaml", one.as_str()),
        ("app/other.yaml", other.as_str()),
        ("app/patches/everyone-can-view-patch.yaml", "- {op: add, path: /data/c, value: d}\n"),
    ];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    bench.keys("1");
    let text = bench.text();
    for name in ["view-appstudio", "view-argocd"] {
        assert!(text.contains(&format!("~ ConfigMap everyone-may-{name}")), "{text}");
    }
}
