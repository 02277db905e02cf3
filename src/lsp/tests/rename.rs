//! Rename: of a resource, from any place with its name, verified in every target.

use serde_json::{Value, json};

use crate::client::{Client, SHOP, uri};

/// The edits of an answer as `FILE:LINE NEW TEXT`, sorted.
fn edit_texts(answer: &Value) -> Vec<String> {
    let files = answer["changes"].as_object().unwrap_or_else(|| panic!("{answer}"));
    let mut found: Vec<String> = files
        .iter()
        .flat_map(|(file, edits)| {
            let path = file.strip_prefix("file:///r/").unwrap();
            edits.as_array().unwrap().iter().map(move |edit| {
                let line = edit["range"]["start"]["line"].as_u64().unwrap() + 1;
                format!("{path}:{line} {}", edit["newText"].as_str().unwrap().trim())
            })
        })
        .collect();
    found.sort_unstable();
    found
}

fn params(path: &str, line: u32, column: u32, new_name: Option<&str>) -> Value {
    json!({"textDocument": {"uri": uri(path)}, "position": {"line": line, "character": column},
        "newName": new_name})
}

#[test]
fn a_name_is_renamed_wherever_it_is_written() {
    let expected = [
        "base/web.yaml:4 name: shop",
        "dev/patch.yaml:4 name: shop",
        "prod/kustomization.yaml:4 - name: shop",
    ];
    for (path, line) in
        [("base/web.yaml", 3), ("dev/patch.yaml", 3), ("prod/kustomization.yaml", 3)]
    {
        let mut client = Client::with_shop_document(path);
        let named = client.request("textDocument/prepareRename", params(path, line, 9, None));
        assert_eq!(named.unwrap()["placeholder"], "web", "{path}");
        let edits = client.request("textDocument/rename", params(path, line, 9, Some("shop")));
        assert_eq!(edit_texts(&edits.unwrap()), expected, "{path}");
    }
}

#[test]
fn a_rename_follows_the_text_of_the_editor() {
    let mut client = Client::with_shop_document("base/web.yaml");
    let text = SHOP[1].1.replace("name: web\nspec", "name: \"site\" # new\nspec");
    client.change("base/web.yaml", &text);
    client.open_with("dev/patch.yaml", &SHOP[4].1.replace("web", "site"));
    client.open_with("prod/kustomization.yaml", "resources:\n- ../base\n");
    let edits = client.request("textDocument/rename", params("base/web.yaml", 3, 10, Some("a.b")));
    let expected = ["base/web.yaml:4 name: \"a.b\" # new", "dev/patch.yaml:4 name: a.b"];
    assert_eq!(edit_texts(&edits.unwrap()), expected);
}

#[test]
fn a_rename_is_refused_with_the_reason() {
    let mut client = Client::with_shop_document("base/web.yaml");
    for (line, new_name) in [(1, Some("shop")), (10, None), (3, Some("web")), (3, Some("a b"))] {
        let method = if new_name.is_some() { "rename" } else { "prepareRename" };
        let method = format!("textDocument/{method}");
        let refused = client.request(&method, params("base/web.yaml", line, 9, new_name));
        assert!(!refused.unwrap_err().message.is_empty(), "line {line}");
    }
    let closed = client.request("textDocument/rename", params("dev/patch.yaml", 3, 9, Some("x")));
    assert!(closed.is_err(), "a document that is not open");
}
