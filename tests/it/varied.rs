//! The screens of order and of combinations, the signs that follow from them, and a watched field.

use crate::support::{Tree, Workbench, check_screen, kzui_in, line_with, messages, numbers_after};

const DEPLOYMENT: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n";

fn patch(replicas: u32) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: {replicas}\n"
    )
}

fn files() -> Vec<(&'static str, String)> {
    let top = "resources:\n- web.yaml\npatches:\n- path: small.yaml\n- path: large.yaml\n- path: note.yaml\n";
    let note = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  annotations:\n    note: here\n";
    vec![
        ("kustomization.yaml", top.to_owned()),
        ("web.yaml", DEPLOYMENT.to_owned()),
        ("small.yaml", patch(2)),
        ("large.yaml", patch(9)),
        ("note.yaml", note.to_owned()),
    ]
}

fn opened(size: (u16, u16)) -> Workbench {
    let files = files();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    Workbench::of_files(&files, "", size)
}

fn line(bench: &Workbench, words: &str) -> String {
    let text = bench.text();
    let found = text.lines().find(|line| line.contains(words));
    found.unwrap_or_else(|| panic!("no {words} in\n{text}")).to_owned()
}

#[test]
fn order_dependent_pairs_are_listed_first_with_their_field() {
    let mut bench = opened((120, 36));
    bench.keys("go");
    let text = bench.text();
    assert!(
        text.contains(&format!("Order  matters in 1 of 2 {}", messages::PAIRS_NEIGHBOURS)),
        "{text}"
    );
    let row = line(&bench, "small.yaml  ⇄");
    assert!(row.contains("5: large.yaml") && row.contains("spec.replicas"), "{row}");
    assert!(numbers_after(&text, messages::AS_LISTED).starts_with(&[9]), "{text}");
    assert!(numbers_after(&text, messages::SWAPPED).starts_with(&[2]), "{text}");
    // The independent pair is only counted.
    assert!(!text.contains("large.yaml  ⇄"), "{text}");
    // `kzui order` prints the same pair.
    let tree =
        Tree::new(&files().iter().map(|(path, text)| (*path, text.as_str())).collect::<Vec<_>>());
    let told = kzui_in(&tree.root(), &["order"]);
    let pair = line_with(&told.out, "4: small.yaml  ⇄  5: large.yaml");
    assert!(pair.contains(messages::ORDER_MATTERS), "{}", told.out);
    assert_eq!(numbers_after(&told.out, messages::AS_LISTED), [9, 2], "{}", told.out);
}

#[test]
fn swapped_pair_becomes_the_draft_and_is_tried_again() {
    let mut bench = opened((120, 36));
    bench.keys("go space");
    let text = bench.text();
    // In the draft the pair is swapped, and so are the trials.
    assert!(line(&bench, "large.yaml  ⇄").contains("5: small.yaml"), "{text}");
    assert!(numbers_after(&text, messages::AS_LISTED).starts_with(&[2]), "{text}");
    assert!(numbers_after(&text, messages::SWAPPED).starts_with(&[9]), "{text}");
    bench.keys("z");
    assert!(line(&bench, "small.yaml  ⇄").contains("5: large.yaml"), "{}", bench.text());
}

#[test]
fn dependent_entries_are_marked_after_order_was_shown() {
    let mut bench = opened((120, 36));
    bench.keys("1");
    assert!(!bench.text().contains('⇄'), "{}", bench.text());
    bench.keys("go 1");
    assert!(line(&bench, "△ small.yaml").contains("⇄ spec.replicas"), "{}", bench.text());
    assert!(!line(&bench, "✓ note.yaml").contains('⇄'), "{}", bench.text());
    bench.keys("gs < c c");
    assert!(
        bench
            .text()
            .contains(&format!("⇄ spec.replicas: {} small.yaml", messages::ORDER_MATTERS_WITH)),
        "{}",
        bench.text()
    );
    // A draft that removes one of the two entries removes the signs.
    bench.keys("1 /").type_text("small").keys("enter space esc");
    assert!(!line(&bench, "✓ large.yaml").contains('⇄'), "{}", bench.text());
}

#[test]
fn order_and_combinations_match_snapshots_at_every_size() {
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = opened((columns, rows));
        bench.keys("go");
        check_screen(&format!("order-{columns}x{rows}"), &bench.screen());
        let mut bench = workbench_with_dependent_component((columns, rows));
        bench.keys("gx");
        check_screen(&format!("combinations-{columns}x{rows}"), &bench.screen());
    }
}

/// `canary` patches a resource that only `tls` adds.
fn workbench_with_dependent_component(size: (u16, u16)) -> Workbench {
    let component = |body: &str| {
        format!("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n{body}")
    };
    let secret = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: tls\ndata:\n  on: \"yes\"\n";
    let files = [
        (
            "prod/kustomization.yaml",
            "resources:\n- ../base\ncomponents:\n- ../tls\n- ../quiet\n#- ../canary\n".to_owned(),
        ),
        ("base/kustomization.yaml", "resources: [web.yaml]\n".to_owned()),
        ("base/web.yaml", DEPLOYMENT.to_owned()),
        ("tls/kustomization.yaml", component("resources:\n- tls.yaml\n")),
        ("tls/tls.yaml", secret.to_owned()),
        ("quiet/kustomization.yaml", component("commonAnnotations:\n  quiet: \"1\"\n")),
        (
            "canary/kustomization.yaml",
            component(
                "patches:\n- patch: |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: tls}\n    data: {canary: \"1\"}\n",
            ),
        ),
    ];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    Workbench::of_files(&files, "prod", size)
}

#[test]
fn component_requirement_is_found_and_combination_becomes_the_draft() {
    let mut bench = workbench_with_dependent_component((120, 36));
    bench.keys("gx");
    let text = bench.text();
    assert!(numbers_after(&text, "Combinations  ").starts_with(&[6, 2]), "{text}");
    assert!(text.contains(&format!("canary {} tls", messages::NEEDS)), "{text}");
    assert!(text.contains(&format!("8 {}", messages::COMBINATIONS)), "{text}");
    assert!(line_with(&text, " now ").contains("☑    ☑      ·"), "{text}");
    // `space` on the rule applies its smallest combination: `canary` without `tls`.
    bench.keys("space gc");
    let text = bench.text();
    assert!(text.contains("2 Change ●"), "{text}");
    assert!(line(&bench, "../canary").contains('☑'), "{text}");
    assert!(line(&bench, "☐     ../tls").contains('☐'), "{text}");
    bench.keys("z");
    assert!(line(&bench, "1  ../tls").contains('☑'), "{}", bench.text());
}

#[test]
fn target_without_components_has_a_reason() {
    let mut bench = opened((80, 24));
    bench.keys("gx");
    assert!(bench.text().contains(messages::NO_LISTED_COMPONENTS), "{}", bench.text());
}

#[test]
fn next_effect_key_follows_the_watched_field() {
    let mut bench = opened((120, 36));
    let step = |bench: &Workbench| line(bench, " step ").trim().to_owned();
    bench.keys("gr /").type_text("replicas").keys("enter v");
    let watching = line(&bench, messages::WATCHING);
    for value in ["spec.replicas", "Deployment/web", " 3 "] {
        assert!(watching.contains(value), "{value}: {watching}");
    }
    bench.keys("gs <");
    let next = line(&bench, &format!("c: {}", messages::NEXT_WRITE_OF));
    assert!(next.contains("spec.replicas") && next.contains("Deployment/web"), "{next}");
    bench.keys("c");
    assert!(line(&bench, "▶    2").contains("small.yaml"), "{}", step(&bench));
    bench.keys("c");
    assert!(line(&bench, "▶    3").contains("large.yaml"), "{}", step(&bench));
    bench.keys("c");
    assert!(bench.text().contains(messages::NO_LATER_WRITE_OF), "{}", bench.text());
    assert!(line(&bench, "▶    3").contains("large.yaml"));
    bench.keys("C");
    assert!(line(&bench, "▶    2").contains("small.yaml"));
    // A field is watched by its name, and later no more.
    bench.keys(":").type_text("watch Deployment/web metadata.annotations.note").keys("enter < c");
    assert!(line(&bench, "▶    4").contains("note.yaml"), "{}", bench.text());
    bench.keys("gr gg v v gs < c");
    assert!(line(&bench, "▶    2").contains("small.yaml"), "{}", bench.text());
    bench.keys(":").type_text("watch Deployment/nobody spec").keys("enter");
    assert!(bench.text().contains("nobody"), "{}", bench.text());
}

#[test]
fn cancelled_trials_keep_the_results_so_far() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.cancels_after = Some(5);
    bench.keys("gx");
    let text = bench.text();
    assert!(text.contains("stopped at 5 of 64"), "{text}");
    assert!(line_with(&text, "Combinations  ").contains("build"), "{text}");
    bench.keys("R");
    assert!(!bench.text().contains("stopped at"), "{}", bench.text());
    bench.cancels_after = Some(3);
    bench.keys("go");
    let text = bench.text();
    assert!(text.contains("stopped at 3 of"), "{text}");
    assert!(text.contains("R: try all"), "{text}");
}
