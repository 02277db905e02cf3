//! Keys that depend on the selected entry, resource or text.

use kzui::tui::Message;

use crate::support::Workbench;
use crate::support::messages;

const FILE: &str = "/demo/kustomization.yaml";

fn config_map(name: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
}

fn of_three(kustomization: &str) -> Workbench {
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
fn space_on_a_step_is_for_the_entry_of_that_step() {
    let text = "resources:\n#- a.yaml\n- b.yaml\n#- d.yaml\n- c.yaml\n";
    for (step, off) in [("b.yaml", "#- b.yaml"), ("c.yaml", "#- c.yaml")] {
        let mut bench = of_three(text);
        bench.keys("2 gg");
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
    let mut bench = of_three("resources:\n- a.yaml\n- b.yaml\n");
    bench.keys("1 j j space");
    assert!(bench.text().contains('●'), "{}", bench.text());
    bench.disk.put(FILE, "resources: []\n");
    bench.keys(":wq enter y");
    assert_eq!(bench.asked, Vec::<String>::new(), "{}", bench.text());
    assert_eq!(bench.disk.text(FILE), "resources: []\n");
}

#[test]
fn a_kept_draft_waits_until_nothing_lies_over_the_screen() {
    let mut left = of_three("resources:\n- a.yaml\n- b.yaml\n");
    left.keys("1 j j space q");
    assert_eq!(left.kept.files.len(), 1);
    let mut bench = of_three("resources:\n- a.yaml\n- b.yaml\n");
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
fn what_is_written_is_what_the_next_edit_is_compared_with() {
    let mut bench = of_three("resources:\n- a.yaml\n- b.yaml\n- c.yaml\n");
    bench.keys("1 j j space :w enter y");
    assert_eq!(bench.disk.text(FILE), "resources:\n#- a.yaml\n- b.yaml\n- c.yaml\n");
    bench.keys("j space 3 d");
    let text = bench.text();
    assert!(text.contains("ConfigMap") && !text.contains("  a "), "{text}");
}

#[test]
fn another_screen_shows_all_its_panes() {
    let mut bench = of_three("resources:\n- a.yaml\n- b.yaml\n");
    bench.keys("2");
    let steps = bench.text();
    bench.keys("1 + 2");
    assert_eq!(bench.text(), steps);
}

#[test]
fn tab_comes_round() {
    let mut bench = of_three("resources:\n- a.yaml\n- b.yaml\n");
    for screen in ["1", "2", "3", "4", "5", "9"] {
        bench.keys(screen);
        let picture = bench.screen();
        let mut came_round = 0;
        for tabs in 1..=6 {
            bench.keys("tab");
            if bench.screen() == picture {
                came_round = tabs;
                break;
            }
        }
        assert!((2..=4).contains(&came_round), "screen {screen}: {came_round}");
    }
}

/// A resource that a later step creates is shown at the end of the build.
#[test]
fn a_resource_is_shown_where_it_exists() {
    let mut bench = of_three("resources:\n- a.yaml\n- b.yaml\n- c.yaml\n");
    bench.keys("2 gg 1 gg j j j j tab tab enter");
    let text = bench.text();
    assert!(text.contains("name: c"), "{text}");
}
