//! Clicks and keys while a question, a form or the help is open.

use crate::keys::click_on;
use crate::support::Workbench;

/// The last line of the screen.
fn footer(bench: &Workbench) -> String {
    bench.text().lines().last().unwrap().trim().to_owned()
}

#[test]
fn rows_and_keys_of_the_form_answer_clicks() {
    let mut bench = Workbench::of_demo("platform", "staging", (120, 36));
    bench.keys("gm gg o");
    let selected = |bench: &Workbench| {
        let text = bench.text();
        text.lines().find(|line| line.contains("║▶")).unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    assert!(selected(&bench).contains("spec.image"), "{}", bench.text());
    click_on(&mut bench, "spec.port");
    assert!(selected(&bench).contains("spec.port"), "{}", bench.text());
    click_on(&mut bench, "spec.port");
    assert!(!selected(&bench).contains("spec.port"), "on the selected row it is enter");
    click_on(&mut bench, "shift-tab back");
    assert!(selected(&bench).contains("spec.port"), "{}", bench.text());
    bench.keys("down up up");
    assert!(selected(&bench).contains("spec.image"), "{}", bench.text());
    bench.type_text("9");
    click_on(&mut bench, "ctrl-s draft");
    assert!(bench.text().contains("2 Change ●1"), "{}", bench.text());
}

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  paused: false\n";

fn files() -> [(&'static str, &'static str); 4] {
    [
        ("app/kustomization.yaml", "resources: [web.yaml]\n"),
        ("app/web.yaml", WEB),
        ("other/kustomization.yaml", "resources: [../app]\nnamePrefix: o-\n"),
        ("base/kustomization.yaml", "resources:\n- ../app\n"),
    ]
}

#[test]
fn rows_and_keys_of_the_dialog_for_a_field_answer_clicks() {
    let mut bench = Workbench::of_files(&files(), "app", (120, 36));
    bench.keys("gr G e backspace 5");
    click_on(&mut bench, "enter find edits for this value");
    click_on(&mut bench, "1. app/web.yaml:6: ");
    assert!(bench.text().contains("2 Change ●1"), "{}", bench.text());
}

/// The footer names no key that the question or form does not have.
#[test]
fn footer_has_no_keys_of_the_screen_below() {
    let mut bench = Workbench::of_files(&files(), "base", (120, 36));
    assert!(footer(&bench).contains("quit"), "{}", bench.text());
    for keys in ["gr G e", "?", "1 gg j j space :w enter"] {
        bench.keys(keys);
        assert!(!footer(&bench).contains("quit"), "{keys}: {}", bench.text());
        bench.keys("esc");
    }
}

/// `t` in the question whether to write shows the targets; esc leads to the screen before.
#[test]
fn esc_returns_from_the_targets_of_the_question() {
    let mut bench = Workbench::of_files(&files(), "base", (120, 36));
    bench.keys("j j space gs :w enter t");
    assert!(bench.text().contains("▐Compare▌"), "{}", bench.text());
    bench.keys("esc");
    assert!(bench.text().contains("▐Steps▌"), "{}", bench.text());
}
