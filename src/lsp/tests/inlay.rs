//! Inlay hints: the final value beside an overridden one.

use serde_json::Value;

use crate::client::Client;

/// The hint on a line of a document, counted from 0.
fn hint(client: &mut Client, path: &str, line: u64) -> Option<Value> {
    let hints = client.request_for_document("textDocument/inlayHint", path);
    hints.as_array().unwrap().iter().find(|hint| hint["position"]["line"] == line).cloned()
}

#[test]
fn an_overridden_value_shows_the_final_ones() {
    let mut client = Client::with_shop_document("base/web.yaml");
    let replicas = hint(&mut client, "base/web.yaml", 5).unwrap();
    assert_eq!(replicas["label"], "→ 2 | 5");
    assert_eq!(replicas["position"]["character"], "  replicas: 1".len());
    assert_eq!(hint(&mut client, "base/web.yaml", 10), None, "the image is final");
}

#[test]
fn many_final_values_are_counted() {
    let folders = [("a", "a-"), ("b", "a-"), ("c", "a-"), ("d", "b-"), ("e", "c-"), ("f", "d-")];
    let more = folders.map(|(folder, prefix)| {
        let text = format!("namePrefix: {prefix}\nresources: [../base]\n");
        (format!("{folder}/kustomization.yaml"), text)
    });
    let more = more.each_ref().map(|(path, text)| (path.as_str(), text.as_str()));
    let mut client = Client::with_more_files(&more, "base/web.yaml");
    let name = hint(&mut client, "base/web.yaml", 3).unwrap();
    assert_eq!(name["label"], "→ 5 final values");
}

#[test]
fn a_value_that_is_removed_in_one_of_two_targets_has_no_hint() {
    let patch = "$patch: delete\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n";
    let more = [
        ("less/kustomization.yaml", "resources: [../base]\npatches:\n- path: patch.yaml\n"),
        ("less/patch.yaml", patch),
    ];
    let mut client = Client::with_more_files(&more, "base/service.yaml");
    assert_eq!(hint(&mut client, "base/service.yaml", 0), None);
}
