//! Edits that the server proposes: verified fixes, and renames of resources.

use serde_json::Value;

use crate::client::{Client, SHOP, uri};

/// The code actions of a document, once the fixes of the check are verified.
fn wait_for_actions(client: &mut Client, path: &str) -> Value {
    for _ in 0..10_000 {
        let found = client.ask_json("codeAction", path, "").unwrap();
        if found[0].is_object() {
            return found;
        }
        std::thread::yield_now();
    }
    Value::Null
}

#[test]
fn deprecated_field_has_a_migration_as_quick_fix() {
    let path = "old/kustomization.yaml";
    let mut client = Client::new(&[(path, "bases:\n- ../base\nnamePrefix: dev-\n")]);
    let found = wait_for_actions(&mut client, path);
    let edit = found[0]["edit"]["changes"][uri(path)][0]["newText"].as_str().unwrap();
    assert!(edit.contains("resources:"), "{found:?}");
    assert_eq!(found[0]["kind"], "quickfix");
    assert!(found[0]["diagnostics"][0]["code"].as_str().unwrap().starts_with("KZ"));
}

/// The fix changes the present text.
#[test]
fn a_fix_follows_a_comment_inside_its_entry() {
    let path = "prod/kustomization.yaml";
    let mut client = Client::new(&[]);
    let last_line = |client: &mut Client| {
        let found = wait_for_actions(client, path);
        let edit = &found[0]["edit"]["changes"][uri(path)][0];
        edit["range"]["end"]["line"].as_u64().unwrap()
    };
    let before = last_line(&mut client);
    client.change(path, &SHOP[5].1.replace("  newTag", "  # why\n  newTag"));
    client.diagnostics(path);
    assert_eq!(last_line(&mut client), before + 1);
}

#[test]
fn a_name_is_renamed_wherever_it_is_written() {
    for path in ["base/web.yaml", "dev/patch.yaml", "prod/kustomization.yaml"] {
        let mut client = Client::new(&[]);
        assert_eq!(client.ask("prepareRename", path, "name: ^web"), "web", "{path}");
        assert_eq!(
            client.ask("rename shop", path, "name: ^web"),
            "base/web.yaml:4 name: shop, dev/patch.yaml:4 name: shop, prod/kustomization.yaml:4 - name: shop"
        );
    }
}

#[test]
fn a_rename_follows_the_text_of_the_editor() {
    let mut client = Client::new(&[]);
    let text = SHOP[1].1.replace("name: web\nspec", "name: \"site\" # new\nspec");
    client.change("base/web.yaml", &text);
    client.change("dev/patch.yaml", &SHOP[4].1.replace("web", "site"));
    client.change("prod/kustomization.yaml", "resources:\n- ../base\n");
    assert_eq!(
        client.ask("rename a.b", "base/web.yaml", "s^ite"),
        "base/web.yaml:4 name: \"a.b\" # new, dev/patch.yaml:4 name: a.b"
    );
}

#[test]
fn a_rename_is_refused_with_the_reason() {
    let mut client = Client::new(&[]);
    for (question, place) in [
        ("rename shop", "kind: De^ployment"),
        ("prepareRename", "image: s^hop"),
        ("rename web", "name: ^web"),
        ("rename a b", "name: ^web"),
    ] {
        let refused = client.ask_json(question, "base/web.yaml", place);
        assert!(!refused.unwrap_err().message.is_empty(), "{question} {place}");
    }
    let place = serde_json::json!({"textDocument": {"uri": uri("dev/patch.yaml")},
        "position": {"line": 3, "character": 9}, "newName": "x"});
    let closed = client.request("textDocument/rename", place);
    assert!(closed.is_err(), "a document that is not open");
}
