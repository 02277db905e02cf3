//! Lenses: the effect of entries.

use serde_json::Value;

use crate::client::Client;

/// The lenses of a document as `LINE TITLE`.
fn lenses(client: &mut Client, path: &str) -> Vec<String> {
    let lenses = client.request_for_document("textDocument/codeLens", path);
    let one = |lens: &Value| {
        let line = lens["range"]["start"]["line"].as_u64().unwrap() + 1;
        format!("{line} {}", lens["command"]["title"].as_str().unwrap())
    };
    lenses.as_array().unwrap().iter().map(one).collect()
}

#[test]
fn lens_of_an_entry_shows_its_effect() {
    let mut client = Client::with_shop_document("prod/kustomization.yaml");
    let found = lenses(&mut client, "prod/kustomization.yaml");
    assert!(found.contains(&"4 1 resource in 1 target".to_owned()), "{found:?}");
    assert!(found.contains(&"7 no match in 1 target".to_owned()), "{found:?}");
}

#[test]
fn a_component_counts_the_resources_that_its_entries_change() {
    let more = [
        ("note/kustomization.yaml", "kind: Component\ncommonAnnotations: {a: b}\n"),
        ("none/kustomization.yaml", "kind: Component\nimages:\n- name: none\n"),
        ("over/kustomization.yaml", "resources: [../base]\ncomponents:\n- ../note\n- ../none\n"),
    ];
    let mut client = Client::with_more_files(&more, "over/kustomization.yaml");
    let found = lenses(&mut client, "over/kustomization.yaml");
    assert!(found.contains(&"3 2 resources in 1 target".to_owned()), "{found:?}");
    assert!(found.contains(&"4 no change in 1 target".to_owned()), "{found:?}");
}

#[test]
fn lenses_count_targets_failures_and_pending_steps() {
    let shared = ["2 1 resource in 2 targets", "3 1 resource in 2 targets"];
    let bad = ("bad/kustomization.yaml", "resources:\n- ../base\n- gone.yaml\n");
    let remote = "resources:\n- https://localhost:1/x.yaml\nnamePrefix: a-\n";
    let far = ("far/kustomization.yaml", remote);
    let pending = ["2 pending in 1 target", "3 pending in 1 target"];
    for (more, path, expected) in [
        (&[][..], "base/kustomization.yaml", &shared[..]),
        (&[bad], "base/web.yaml", &["1 in 3 targets, 1 of them fail"]),
        (&[far], far.0, &pending),
    ] {
        let mut client = Client::with_more_files(more, path);
        assert_eq!(lenses(&mut client, path), expected);
    }
}
