//! The beginning and the end of a session, and messages that are not valid.

use serde_json::json;

use crate::client::{Client, SHOP, uri};

const NOT_INITIALIZED: i32 = -32002;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const CANCELLED: i32 = -32800;

#[test]
fn request_before_initialize_is_refused() {
    let mut client = Client::start(SHOP);
    let hover = client.request("textDocument/hover", json!({}));
    assert_eq!(hover.unwrap_err().code, NOT_INITIALIZED);
    let result = client.request("initialize", json!({"capabilities": "none"})).unwrap();
    assert_eq!(result["serverInfo"]["name"], "kzui");
    assert_eq!(result["capabilities"]["hoverProvider"], true);
}

#[test]
fn utf8_columns_are_used_if_the_client_supports_them() {
    let mut client = Client::start(SHOP);
    let general = json!({"positionEncodings": ["utf-16", "utf-8"]});
    let result = client.request("initialize", json!({"capabilities": {"general": general}}));
    assert_eq!(result.unwrap()["capabilities"]["positionEncoding"], "utf-8");
}

#[test]
fn requests_after_shutdown_are_refused() {
    let mut client = Client::new(SHOP);
    assert_eq!(client.request("shutdown", json!(null)).unwrap(), json!(null));
    let again = client.request("shutdown", json!(null));
    assert_eq!(again.unwrap_err().code, INVALID_REQUEST);
}

#[test]
fn server_survives_invalid_messages() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    let unknown = client.request("textDocument/unknown", json!([]));
    assert_eq!(unknown.unwrap_err().code, METHOD_NOT_FOUND);
    client.notify("textDocument/didOpen", json!({"textDocument": 1}));
    client.notify("textDocument/didChange", json!(null));
    client.notify("$/unknown", json!({"a": [1]}));
    client.notify(
        "textDocument/didOpen",
        json!({"textDocument":
        {"uri": "untitled:1", "languageId": "yaml", "version": 1, "text": "a"}}),
    );
    let document = json!({"uri": uri("dev/patch.yaml")});
    let hover = client.request("textDocument/hover", json!({"textDocument": document}));
    assert_eq!(hover.unwrap_err().code, INVALID_PARAMS);
    let closed = json!({"textDocument": {"uri": "file:///other"},
        "position": {"line": 0, "character": 0}});
    assert_eq!(client.request("textDocument/hover", closed).unwrap(), json!(null));
    assert!(client.request_at_text("textDocument/hover", "dev/patch.yaml", "replicas").is_object());
}

#[test]
fn positions_outside_of_the_text_have_no_answer() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    for (line, column) in [(999, 0), (5, 999), (u32::MAX as usize, u32::MAX as usize)] {
        let hover =
            client.request_at_position("textDocument/hover", "dev/patch.yaml", line, column);
        assert!(hover.is_null() || line == 5, "{line} {column} {hover}");
    }
}

#[test]
fn pending_request_can_be_cancelled() {
    let mut client = Client::new(SHOP);
    // Without a result of the check, the request waits.
    client.open("dev/patch.yaml");
    let params = json!({"textDocument": {"uri": uri("dev/patch.yaml")},
        "position": {"line": 5, "character": 2}});
    let id = client.send("textDocument/hover", params);
    client.notify("$/cancelRequest", json!({"id": 2}));
    match client.answer(&id) {
        // The check may have ended before the request was cancelled.
        Ok(hover) => assert!(hover.is_object()),
        Err(error) => assert_eq!(error.code, CANCELLED),
    }
}
