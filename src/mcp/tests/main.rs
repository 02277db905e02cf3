//! The server with the SDK's client in the same process.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failure of a test is its message")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kzui_mcp::{AgentPorts, AgentServer, AnswerFormat, ToolCall};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, GetPromptRequestParams,
    PingRequest, ReadResourceRequestParams,
};
use rmcp::service::{PeerRequestOptions, RunningService};
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Map, Value, json};

/// Ports that answer each call with its arguments; some arguments cause an error, a long text or a
/// panic.
#[derive(Default)]
struct EchoPorts {
    /// True once a call began to wait for its cancellation.
    has_begun: Arc<AtomicBool>,
    /// True once a call that waits for its cancellation has ended; the others then end, too.
    has_ended: Arc<AtomicBool>,
}

impl AgentPorts for EchoPorts {
    fn root(&self) -> &Path {
        Path::new("/r")
    }

    fn answer(&self, call: &ToolCall, is_cancelled: &Arc<AtomicBool>) -> Result<String, String> {
        match (call.tool, call.text("file")) {
            ("check", _) if call.text("changed").is_some() => Err("no such commit".to_owned()),
            ("compat", _) => Ok("x".repeat(100_000)),
            (_, Some("panic")) => panic!("a defect"),
            (_, Some("wait")) => {
                self.has_begun.store(true, Ordering::SeqCst);
                let has_ended = || self.has_ended.load(Ordering::SeqCst);
                while !is_cancelled.load(Ordering::SeqCst) && !has_ended() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                self.has_ended.store(true, Ordering::SeqCst);
                Err("cancelled".to_owned())
            }
            _ if call.format == AnswerFormat::Json => {
                Ok(json!({"line": call.number("line")}).to_string())
            }
            _ => {
                let texts = ["target", "before", "after"].map(|name| call.text(name));
                Ok(format!("{} {texts:?} {:?}", call.tool, call.number("limit")))
            }
        }
    }

    fn explain(&self, code: &str) -> Result<String, String> {
        if code == "KZ103" { Ok("a page".to_owned()) } else { Err(format!("no code {code}")) }
    }

    fn targets(&self) -> Vec<String> {
        let more = (0..600).map(|number| format!("more/{number}"));
        ["dev".to_owned(), "app.yaml#web".to_owned()].into_iter().chain(more).collect()
    }
}

type Client = RunningService<RoleClient, ()>;

async fn client() -> Client {
    client_with(EchoPorts::default()).await
}

async fn client_with(ports: EchoPorts) -> Client {
    let (one, other) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        let server = AgentServer::new(Arc::new(ports)).serve(one).await.unwrap();
        server.waiting().await.unwrap();
    });
    ().serve(other).await.unwrap()
}

fn params(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let mut params = CallToolRequestParams::new(name);
    params.arguments = Some(arguments);
    params
}

async fn call_tool(client: &Client, name: &'static str, arguments: Value) -> CallToolResult {
    client.call_tool(params(name, arguments)).await.unwrap()
}

fn text(result: &CallToolResult) -> String {
    let value = serde_json::to_value(&result.content).unwrap();
    value[0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn six_read_only_tools_are_listed() {
    let client = client().await;
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["build", "why", "check", "try_edit", "where", "compat"]);
    for tool in &tools {
        let annotations = tool.annotations.as_ref().unwrap();
        assert_eq!(annotations.read_only_hint, Some(true), "{}", tool.name);
        assert!(tool.input_schema.contains_key("properties"), "{}", tool.name);
    }
}

#[tokio::test]
async fn tool_calls_are_parsed_and_answered() {
    let client = client().await;
    let built = call_tool(&client, "build", json!({"target": "a/../dev", "limit": 10})).await;
    assert_eq!(text(&built), "build [Some(\"dev\"), None, None] Some(10)");
    let sides = json!({"before": "a/../dev", "after": "main:prod"});
    let compared = call_tool(&client, "try_edit", sides).await;
    assert_eq!(text(&compared), "try_edit [None, Some(\"dev\"), Some(\"main:prod\")] None");
    let why = json!({"target": "dev", "line": 3, "format": "json"});
    let why = call_tool(&client, "why", why).await;
    assert_eq!(why.structured_content.unwrap(), json!({"line": 3}));
}

#[tokio::test]
async fn invalid_arguments_are_tool_errors() {
    let client = client().await;
    for (name, arguments) in [
        ("build", json!({})),
        ("build", json!({"target": "../other"})),
        ("build", json!({"target": "https://example.com/r"})),
        ("build", json!({"target": "dev", "limit": -1})),
        ("build", json!({"target": "dev", "format": "xml"})),
        ("build", json!({"target": "dev", "name": "web"})),
        ("why", json!({"target": "dev"})),
        ("why", json!({"target": "dev", "resource": "--show-secrets"})),
        ("where", json!({"file": "a", "resource": "b"})),
        ("where", json!({"file": ""})),
        ("where", json!({"file": "/etc/passwd"})),
        ("check", json!({"paths": []})),
        ("check", json!({"changed": "--output=x"})),
        ("check", json!({"changed": "gone"})),
        ("try_edit", json!({"diff": "no diff"})),
        ("try_edit", json!({"edits": [{"path": "../x", "text": "a"}]})),
        ("try_edit", json!({"edits": [{"path": "x"}]})),
        ("try_edit", json!({"before": "main", "edits": [{"path": "x", "text": "a"}]})),
        ("try_edit", json!({"before": "../other"})),
        ("try_edit", json!({"before": "main:../other"})),
        ("try_edit", json!({"before": "--screen"})),
        ("try_edit", json!({"before": "draft:mine"})),
        ("try_edit", json!({"after": "main"})),
        ("unknown", json!({})),
    ] {
        let result = call_tool(&client, name, arguments.clone()).await;
        assert_eq!(result.is_error, Some(true), "{name} {arguments}");
        assert!(!text(&result).is_empty());
    }
}

#[tokio::test]
async fn long_text_is_truncated_with_a_notice() {
    let client = client().await;
    let result = call_tool(&client, "compat", json!({})).await;
    assert!(text(&result).contains("bytes are left out"));
    assert!(text(&result).len() < 66 * 1024);
    let refused = call_tool(&client, "check", json!({"format": "json"})).await;
    assert_eq!(refused.is_error, Some(false));
}

#[tokio::test]
async fn panic_in_a_call_does_not_stop_the_server() {
    let client = client().await;
    assert!(client.call_tool(params("where", json!({"file": "panic"}))).await.is_err());
    assert_eq!(call_tool(&client, "where", json!({"file": "a"})).await.is_error, Some(false));
}

#[tokio::test]
async fn a_cancelled_call_ends_its_work() {
    let ports = EchoPorts::default();
    let (has_begun, has_ended) = (ports.has_begun.clone(), ports.has_ended.clone());
    let client = client_with(ports).await;
    let call = CallToolRequest::new(params("where", json!({"file": "wait"})));
    let request = ClientRequest::CallToolRequest(call);
    let options = PeerRequestOptions::default();
    let handle = client.send_cancellable_request(request, options).await.unwrap();
    while !has_begun.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    handle.cancel(None).await.unwrap();
    while !has_ended.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn targets_and_codes_are_readable_resources() {
    let client = client().await;
    let listed = client.list_all_resources().await.unwrap();
    assert_eq!(listed[1].uri, "kzui://target/app.yaml#web");
    assert_eq!(listed.len(), 602, "the list has several pages");
    let read = |uri: &str| client.read_resource(ReadResourceRequestParams::new(uri));
    let page = serde_json::to_value(read("kzui://code/KZ103").await.unwrap()).unwrap();
    assert_eq!(page["contents"][0]["text"], "a page");
    assert_eq!(page["contents"][0]["mimeType"], "text/plain");
    let target = serde_json::to_value(read("kzui://target/dev").await.unwrap()).unwrap();
    assert!(target["contents"][0]["text"].as_str().unwrap().starts_with("build"));
    assert_eq!(target["contents"][0]["mimeType"], "application/yaml");
    for wrong in ["kzui://code/X", "kzui://target/../x", "file:///etc/passwd"] {
        assert!(read(wrong).await.is_err(), "{wrong}");
    }
}

#[tokio::test]
async fn arguments_are_inserted_into_prompts() {
    let client = client().await;
    let prompts = client.list_all_prompts().await.unwrap();
    let names: Vec<&str> = prompts.iter().map(|prompt| &*prompt.name).collect();
    assert_eq!(names, ["review-branch", "debug-patch", "migrate"]);
    let mut params = GetPromptRequestParams::new("migrate");
    params.arguments = Some(Map::from_iter([("to".to_owned(), json!("argocd-3.2"))]));
    let prompt = serde_json::to_value(client.get_prompt(params).await.unwrap()).unwrap();
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("to=argocd-3.2") && !text.contains('{'), "{text}");
    assert!(client.get_prompt(GetPromptRequestParams::new("x")).await.is_err());
}

#[tokio::test]
async fn a_ping_does_not_wait_for_calls_that_wait() {
    let ports = EchoPorts::default();
    let has_ended = ports.has_ended.clone();
    let client = Arc::new(client_with(ports).await);
    for _ in 0..80 {
        let waiting = client.clone();
        let call = params("where", json!({"file": "wait"}));
        tokio::spawn(async move { waiting.call_tool(call).await });
    }
    tokio::task::yield_now().await;
    let ping = client.send_request(ClientRequest::PingRequest(PingRequest::default()));
    let answer = tokio::time::timeout(Duration::from_secs(20), ping).await;
    has_ended.store(true, Ordering::SeqCst);
    answer.unwrap().unwrap();
}
