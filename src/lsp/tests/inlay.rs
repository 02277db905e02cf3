//! Inlay hints: the final value beside an overridden one.

use crate::client::Client;

#[test]
fn an_overridden_value_shows_the_final_ones() {
    let mut client = Client::with_shop_document("base/web.yaml");
    let hints = client.request_for_document("textDocument/inlayHint", "base/web.yaml");
    let hints = hints.as_array().unwrap();
    let replicas = hints.iter().find(|hint| hint["position"]["line"] == 5).unwrap();
    assert_eq!(replicas["label"], "→ 2 | 5");
    assert_eq!(replicas["position"]["character"], "  replicas: 1".len());
    assert!(hints.iter().all(|hint| hint["position"]["line"] != 10), "the image is final");
}
