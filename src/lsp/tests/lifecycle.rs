//! The beginning and the end of a session, and messages that are not valid.

use serde_json::json;

use crate::client::{Client, uri};

const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const CANCELLED: i32 = -32800;

#[test]
fn requests_after_shutdown_are_refused() {
    let mut client = Client::new(&[]);
    assert_eq!(client.request("shutdown", json!(null)).unwrap(), json!(null));
    let again = client.request("shutdown", json!(null));
    assert_eq!(again.unwrap_err().code, INVALID_REQUEST);
}

#[test]
fn server_survives_invalid_messages() {
    let mut client = Client::new(&[]);
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
    client.open("dev/patch.yaml");
    let document = json!({"uri": uri("dev/patch.yaml")});
    let hover = client.request("textDocument/hover", json!({"textDocument": document}));
    assert_eq!(hover.unwrap_err().code, INVALID_PARAMS);
    let all = ["hover", "definition", "completion", "codeLens", "rename", "prepareRename"];
    for method in all.map(|name| format!("textDocument/{name}")) {
        for params in [json!(null), json!([1]), json!({"textDocument": {"uri": 7}})] {
            let refused = client.request(&method, params).unwrap_err();
            assert_eq!(refused.code, INVALID_PARAMS, "{method}");
        }
    }
    let closed = json!({"textDocument": {"uri": "file:///other"},
        "position": {"line": 0, "character": 0}});
    assert_eq!(client.request("textDocument/hover", closed).unwrap(), json!(null));
    assert!(client.ask("hover", "dev/patch.yaml", "replicas").contains("replicas"));
}

#[test]
fn pending_request_can_be_cancelled() {
    let mut client = Client::new(&[]);
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

#[test]
fn files_that_change_without_notice_are_read_at_the_next_request() {
    let mut client = Client::new(&[]);
    let hover = |client: &mut Client| client.ask("hover", "dev/patch.yaml", "replicas");
    assert!(hover(&mut client).contains("Deployment/dev-web"));
    let kustomization = "resources:\n- ../base\nnamePrefix: test-\npatches:\n- path: patch.yaml\n";
    client.disk.write("dev/kustomization.yaml", kustomization);
    assert!(hover(&mut client).contains("Deployment/test-web"));
}
