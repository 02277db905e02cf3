//! Code actions: verified fixes.

use serde_json::Value;

use crate::client::{Client, SHOP, uri};

/// The code actions of a document, once the fixes of the check are verified.
fn wait_for_actions(client: &mut Client, path: &str) -> Vec<Value> {
    for _ in 0..10_000 {
        let found = client.request_for_document("textDocument/codeAction", path);
        let found = found.as_array().unwrap().clone();
        if !found.is_empty() {
            return found;
        }
        std::thread::yield_now();
    }
    Vec::new()
}

#[test]
fn deprecated_field_has_a_migration_as_quick_fix() {
    let tree = [
        ("base/kustomization.yaml", "resources:\n- map.yaml\n"),
        ("base/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n"),
        ("dev/kustomization.yaml", "bases:\n- ../base\nnamePrefix: dev-\n"),
    ];
    let mut client = Client::new(&tree);
    client.open("dev/kustomization.yaml");
    let found = wait_for_actions(&mut client, "dev/kustomization.yaml");
    let edits = &found[0]["edit"]["changes"][uri("dev/kustomization.yaml")];
    let edit = edits[0]["newText"].as_str().unwrap();
    assert!(edit.contains("resources:"), "{found:?}");
    assert_eq!(found[0]["kind"], "quickfix");
    assert!(found[0]["diagnostics"][0]["code"].as_str().unwrap().starts_with("KZ"));
}

/// The fix changes the present text.
#[test]
fn a_fix_follows_a_comment_inside_its_entry() {
    let mut client = Client::with_shop_document("prod/kustomization.yaml");
    let last_line = |client: &mut Client| {
        let found = wait_for_actions(client, "prod/kustomization.yaml");
        let edit = &found[0]["edit"]["changes"][uri("prod/kustomization.yaml")][0];
        edit["range"]["end"]["line"].as_u64().unwrap()
    };
    let before = last_line(&mut client);
    let text = SHOP[5].1.replace("  newTag", "  # why\n  newTag");
    client.change("prod/kustomization.yaml", &text);
    client.diagnostics("prod/kustomization.yaml");
    assert_eq!(last_line(&mut client), before + 1);
}
