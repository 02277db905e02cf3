//! What the palette offers on a screen, and clicks on lists that have a key too.

use crate::keys::click_on;
use crate::support::{Workbench, line_with};

#[test]
fn names_of_targets_are_offered_before_the_repository_was_shown() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.keys(":").type_text("target overlays/st");
    assert!(bench.text().contains("target overlays/staging"), "{}", bench.text());
    bench.keys("esc :").type_text("compare overlays/staging over");
    let text = bench.text();
    assert!(text.contains("compare overlays/staging overlays/production"), "{text}");
    bench.keys("esc :").type_text("watch Deployment/prod-c");
    assert!(bench.text().contains("watch Deployment/prod-cart"), "{}", bench.text());
}

#[test]
fn commands_with_a_hint_on_the_screen_come_first() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.keys("gc :");
    let text = bench.text();
    let at = |words: &str| text.lines().position(|line| line.contains(words));
    assert!(at("undo the last edit") < at("next step"), "{text}");
    assert!(!text.contains(" compare  "), "{text}");
}

#[test]
fn the_result_and_the_keys_after_a_prefix_answer_clicks() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.keys("gs");
    click_on(&mut bench, "3 problems");
    assert!(bench.text().contains("▐Problems 3▌"), "{}", bench.text());
    bench.keys("g");
    let text = bench.text();
    assert!(line_with(&text, " steps").contains("s steps"), "{text}");
    click_on(&mut bench, "s steps");
    assert!(bench.text().contains("▐Steps▌"), "{}", bench.text());
}
