//! The form of an override, generated from the catalog's schema or the built-in one.

use crate::support::{Workbench, check_screen, messages};

const FILE: &str = "/demo/staging/composition.yaml";

fn open(columns: u16, rows: u16) -> Workbench {
    let mut bench = Workbench::of_demo("platform", "staging", (columns, rows));
    bench.keys("gm gg");
    bench
}

/// The form of an override at three sizes, with valid and with invalid values, equals the
/// snapshots.
#[test]
fn an_override_is_a_form_at_every_size() {
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = open(columns, rows);
        bench.keys(":override enter");
        check_screen(&format!("form-{columns}x{rows}"), &bench.screen());
        bench.keys("tab ctrl-u").type_text("many").keys("tab");
        check_screen(&format!("form-wrong-{columns}x{rows}"), &bench.screen());
    }
}

#[test]
fn form_value_is_drafted_without_other_changes() {
    let mut bench = open(120, 36);
    let before = bench.disk.text(FILE);
    bench.keys("o tab").type_text("909").keys("backspace").type_text("80");
    assert!(bench.text().contains("port: 9080"), "the diff is shown at once: {}", bench.text());
    assert!(!bench.text().contains('●'), "nothing is drafted yet: {}", bench.text());
    bench.keys("ctrl-s");
    assert!(bench.text().contains("●1"), "{}", bench.text());
    bench.keys(":w enter y");
    let written = before.replace("    replicas: 1\n", "    replicas: 1\n    port: 9080\n");
    assert_eq!(bench.disk.text(FILE), written);
    bench.keys("o ctrl-u").type_text("registry.example.com/shop/orders:2.0.0").keys("enter");
    bench.keys("ctrl-u enter enter");
    bench.keys(":w enter y");
    let written = before.replace("1.5.0-rc1", "2.0.0");
    assert_eq!(bench.disk.text(FILE), written, "a value that is cleared is the imported one again");
}

/// A value that violates the schema is reported and not drafted.
#[test]
fn what_is_wrong_is_said_and_not_drafted() {
    let mut bench = open(120, 36);
    bench.keys("o tab").type_text("http").keys("ctrl-s");
    let text = bench.text();
    assert!(
        text.contains(messages::NOT_THE_SCHEMA) && text.contains(messages::EXPECTED_INTEGER),
        "{text}"
    );
    bench.keys("esc");
    assert!(bench.text().contains(messages::NOT_CHANGED), "{}", bench.text());
    bench.keys("o ctrl-s");
    assert!(bench.text().contains(messages::NOT_CHANGED), "{}", bench.text());
}

#[test]
fn an_imported_entry_without_an_override_gets_one() {
    let mut bench = open(120, 36);
    let before = bench.disk.text(FILE);
    bench.keys("j j j j o tab").type_text("shipper:2.4").keys("ctrl-s :w enter y");
    let written = "- apiVersion: platform.example.com/v1\n  kind: LogShipper\n  metadata:\n    \
                   name: log-shipper\n  spec:\n    image: shipper:2.4\n";
    assert!(bench.disk.text(FILE).contains(written), "{}", bench.disk.text(FILE));
    bench.keys("z :w enter y");
    assert_eq!(bench.disk.text(FILE), before);
}

#[test]
fn builtin_functions_have_forms_with_choices() {
    let mut bench = open(120, 36);
    bench.keys("j j j j j o");
    let text = bench.text();
    assert!(text.contains("Override owner  LabelTransformer"), "{text}");
    assert!(text.contains("includeSelectors") && text.contains("{team: shop}"), "{text}");
    bench.keys("tab tab tab space ctrl-s :w enter y");
    assert!(
        bench.disk.text(FILE).contains("  includeSelectors: true\n"),
        "{}",
        bench.disk.text(FILE)
    );
    bench.keys("gg j j j j j j j o");
    let text = bench.text();
    assert!(
        text.contains("Edit staging  PrefixTransformer") && text.contains("staging-"),
        "{text}"
    );
    bench.keys("ctrl-w").type_text("stage-").keys("ctrl-s :w enter y");
    assert!(bench.disk.text(FILE).contains("  prefix: stage-\n"), "{}", bench.disk.text(FILE));
    bench.keys("gg o ctrl-e");
    assert!(bench.text().contains("Edit  staging/composition.yaml"), "{}", bench.text());
}

#[test]
fn entry_without_a_schema_opens_the_text_editor() {
    let files = [
        ("a/composition.yaml", "transformersFrom: [{path: ../b}]\n"),
        (
            "b/composition.yaml",
            "transformers:\n- {apiVersion: x.y/v1, kind: Odd, metadata: {name: odd}, spec: {a: 1}}\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "a", (120, 36));
    bench.keys("gm o");
    assert!(bench.text().contains("Edit  a/composition.yaml"), "{}", bench.text());
}
