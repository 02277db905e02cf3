//! Values of Secrets: masked on every screen, in diffs, files, copies and reports, unless a person asks for them.

use crate::support::{Tree, Workbench, kzui_in};

const VALUE: &str = "correct-horse-battery";
const ENCODED: &str = "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5";
const FILES: &[(&str, &str)] = &[
    (
        "kustomization.yaml",
        "resources: [given.yaml]\nsecretGenerator:\n- name: made\n  literals:\n  - password=correct-horse-battery\n  - other=something-else\n",
    ),
    (
        "given.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: given\nstringData:\n  again: correct-horse-battery\n",
    ),
];

fn bench() -> Workbench {
    Workbench::of_files(FILES, "", (160, 40))
}

fn has_value(text: &str) -> bool {
    text.contains(VALUE) || text.contains(ENCODED) || text.contains("something-else")
}

/// The marks in a text, in their order.
fn marks(text: &str) -> Vec<&str> {
    text.split("<secret ").skip(1).filter_map(|rest| rest.split('>').next()).collect()
}

#[test]
fn no_screen_and_no_copy_has_a_value_until_it_is_asked_for() {
    let mut bench = bench();
    for keys in ["1", "1 j", "1 G", "2", "2 tab", "2 tab tab", "2 k", "3", "4", "4 ]r", "9", "4 y"]
    {
        bench.keys(keys);
        assert!(!has_value(&bench.text()), "{keys}: {}", bench.text());
        bench.keys("esc esc");
    }
    bench.keys("4 ]r");
    let shown = bench.text();
    assert!(shown.contains("<secret "), "{shown}");
    bench.keys("y y");
    assert!(bench.asked.iter().any(|asked| asked.contains("<secret ")), "{:?}", bench.asked);
    assert!(!bench.asked.iter().any(|asked| has_value(asked)), "{:?}", bench.asked);
    bench.keys("V");
    assert!(bench.text().contains("the values of Secrets are shown"), "{}", bench.text());
    assert!(has_value(&bench.text()), "{}", bench.text());
    bench.keys("V 1");
    assert!(!has_value(&bench.text()), "{}", bench.text());
}

#[test]
fn the_diff_before_a_write_has_marks_and_the_file_gets_the_value() {
    let mut bench = bench();
    bench.keys("1 /").type_text("made").keys("enter space :w enter");
    let text = bench.text();
    assert!(text.contains("<secret ") && !has_value(&text), "{text}");
    bench.keys("y");
    assert!(
        bench.disk.text("/demo/kustomization.yaml").contains(VALUE),
        "what is written is the file"
    );
}

#[test]
fn equal_values_have_equal_marks() {
    let tree = Tree::new(FILES);
    let traced = kzui_in(&tree.root(), &["trace", ".", "--diff"]);
    assert!(!has_value(&traced.out), "{}", traced.out);
    let again = traced.out.lines().find(|line| line.contains("again:")).unwrap();
    let made = traced.out.lines().find(|line| line.contains("password:")).unwrap();
    let other = traced.out.lines().find(|line| line.contains("other:")).unwrap();
    assert_eq!(marks(again), marks(made), "{}", traced.out);
    assert_ne!(marks(other), marks(made), "{}", traced.out);
    let shown = kzui_in(&tree.root(), &["trace", ".", "--diff", "--show-secrets"]);
    assert!(shown.out.contains(ENCODED), "{}", shown.out);
    let json = kzui_in(&tree.root(), &["trace", ".", "--diff", "--json"]);
    assert!(!has_value(&json.out) && json.out.contains("<secret "), "{}", json.out);
    let built = kzui_in(&tree.root(), &["build", "."]).built();
    assert!(built.contains(ENCODED), "build prints what Kustomize prints: {built}");
    // Another process has another salt.
    let next = kzui_in(&tree.root(), &["trace", ".", "--diff"]);
    assert_ne!(marks(&next.out), marks(&traced.out));
}
