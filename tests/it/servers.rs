//! `kzui lsp` and `kzui mcp` as an editor and an agent start them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::as_deployed::{
    file_outside_folder, overridden_image, parent_and_child, patch_before_namespace, unset_variable,
};
use crate::formats::assert_matches_schema;
use crate::support::{Tree, messages, program};

const VALUE: &str = "correct-horse-battery";
const ENCODED: &str = "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5";

fn tree() -> Tree {
    Tree::new(&[
        ("base/kustomization.yaml", "resources:\n- web.yaml\n"),
        (
            "base/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
        ),
        (
            "prod/kustomization.yaml",
            "resources:\n- ../base\nreplicas:\n- name: web\n  count: 5\nsecretGenerator:\n- name: made\n  literals:\n  - password=correct-horse-battery\n",
        ),
        ("leak/kustomization.yaml", "resources:\n- ../../outside.yaml\n"),
    ])
}

/// A running server.
struct Server {
    child: Child,
    out: BufReader<ChildStdout>,
    /// True if messages have a header with their length.
    has_headers: bool,
    next_id: u64,
}

impl Server {
    fn start(tree: &Tree, command: &str) -> Self {
        Self::start_in(&tree.root(), command)
    }

    fn start_in(folder: &Path, command: &str) -> Self {
        let mut started = program(folder);
        let arguments = command.split(' ');
        started.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = started.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out, has_headers: command == "lsp", next_id: 0 }
    }

    fn send(&mut self, message: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        if self.has_headers {
            write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
        } else {
            writeln!(input, "{message}").unwrap();
        }
        input.flush().unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        let mut length = 0;
        loop {
            line.clear();
            assert!(self.out.read_line(&mut line).unwrap() > 0, "the server has ended");
            if !self.has_headers {
                return serde_json::from_str(&line).unwrap();
            }
            if let Some((_, value)) = line.trim().split_once(':') {
                length = value.trim().parse().unwrap();
            } else {
                let mut content = vec![0; length];
                self.out.read_exact(&mut content).unwrap();
                return serde_json::from_slice(&content).unwrap();
            }
        }
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&message.to_string());
        loop {
            let answer = self.receive();
            if answer["id"] == id && answer.get("method").is_none() {
                return answer;
            }
        }
    }

    /// Opens a document, and returns its first diagnostics.
    fn open_document(&mut self, tree: &Tree, path: &str) -> Value {
        let uri = format!("file://{}", tree.path(path).display());
        let text = String::from_utf8(tree.read(path)).unwrap();
        let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        loop {
            let message = self.receive();
            if message["params"]["uri"] == uri && message["params"]["diagnostics"].is_array() {
                return message["params"]["diagnostics"].clone();
            }
        }
    }

    /// Calls a tool; returns its text and whether it is an error.
    fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{tool}: {answer}")).to_owned();
        (text, result["isError"] == true)
    }

    /// Closes the input, and waits until the server ends with success.
    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn start_agent(tree: &Tree) -> Server {
    initialized(Server::start(tree, "mcp"))
}

fn initialized(mut server: Server) -> Server {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let answer = server.request("initialize", params);
    assert_eq!(answer["result"]["serverInfo"]["name"], "kzui");
    server.notify("notifications/initialized", json!({}));
    server
}

#[test]
fn an_editor_gets_answers_and_the_server_ends_with_it() {
    let tree = tree();
    let mut server = Server::start(&tree, "lsp");
    server.request("initialize", json!({"capabilities": {}}));
    server.notify("initialized", json!({}));
    server.send("{");
    let path = tree.path("base/web.yaml");
    let uri = format!("file://{}", path.display());
    let text = fs_err::read_to_string(&path).unwrap();
    let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
    server.notify("textDocument/didOpen", json!({"textDocument": document}));
    // A hover before the first check says so, and is asked again, as editors do.
    let hover = loop {
        let params = json!({"textDocument": {"uri": uri}, "position": {"line": 5, "character": 3}});
        let hover = server.request("textDocument/hover", params)["result"].clone();
        let text = hover["contents"]["value"].as_str().unwrap().to_owned();
        if !text.contains(messages::NOT_CHECKED_YET) {
            break text;
        }
    };
    assert!(hover.contains(" prod/kustomization.yaml:"), "{hover}");
    server.request("shutdown", json!(null));
    server.notify("exit", json!(null));
    server.end();
}

#[test]
fn an_agent_asks_the_six_tools() {
    let tree = tree();
    let mut server = start_agent(&tree);
    let (built, _) = server.call("build", json!({"target": "prod"}));
    assert!(built.contains("replicas: 5") && built.contains("<secret "), "{built}");
    let one = json!({"target": "prod", "resource": "Deployment/web", "limit": 2});
    let (page, _) = server.call("build", one);
    assert!(page.contains(messages::FIRST_TWO_LINES), "{page}");
    let why = json!({"target": "prod", "resource": "Deployment/web", "field": "spec.replicas"});
    let (why, _) = server.call("why", why);
    assert!(why.contains("prod/kustomization.yaml:"), "{why}");
    let line = built.lines().position(|line| line.contains("replicas: 5")).unwrap() + 1;
    let by_line = json!({"target": "prod", "line": line, "format": "json"});
    let (by_line, _) = server.call("why", by_line);
    let by_line: Value = serde_json::from_str(&by_line).unwrap();
    assert_eq!(by_line["fields"][0]["path"], "spec.replicas");
    let (check, _) = server.call("check", json!({"paths": ["prod"]}));
    assert!(check.contains("target"), "{check}");
    let (places, _) = server.call("where", json!({"file": "base/web.yaml"}));
    assert!(places.contains("prod"), "{places}");
    let (compat, is_error) = server.call("compat", json!({"paths": ["prod"], "to": "v5.4.2"}));
    assert!(!is_error, "{compat}");
    server.end();
}

#[test]
fn an_edit_is_tried_in_every_target_and_not_written() {
    let tree = tree();
    let before = fs_err::read_to_string(tree.path("base/web.yaml")).unwrap();
    let mut server = start_agent(&tree);
    let diff = "--- a/base/web.yaml\n+++ b/base/web.yaml\n@@ -3,2 +3,2 @@\n metadata:\n-  name: web\n+  name: site\n";
    let (effect, is_error) = server.call("try_edit", json!({"diff": diff}));
    assert!(!is_error && effect.contains("Deployment/site"), "{effect}");
    assert!(effect.contains("\nnew findings: "), "{effect}");
    let edits = json!([{"path": "prod/kustomization.yaml", "old": "count: 5", "new": "count: 6"}]);
    let (effect, _) = server.call("try_edit", json!({"edits": edits, "format": "json"}));
    let effect: Value = serde_json::from_str(&effect).unwrap();
    assert!(effect["diff"].to_string().contains('6'), "{effect}");
    assert_eq!(effect["newFindings"], json!([]));
    assert_matches_schema("trial-v1.json", &effect);
    assert_matches_schema("diff-v1.json", &effect["diff"]);
    let wrong = json!([{"path": "prod/kustomization.yaml", "old": "count: 7", "new": ""}]);
    assert!(server.call("try_edit", json!({"edits": wrong})).1);
    assert_eq!(fs_err::read_to_string(tree.path("base/web.yaml")).unwrap(), before);
    server.end();
}

/// The server keeps the files and their index between calls.
#[test]
fn an_agent_sees_files_that_change_between_calls() {
    let tree = tree();
    let mut server = start_agent(&tree);
    let mut where_base = || server.call("where", json!({"file": "base/web.yaml"})).0;
    let first = where_base();
    assert!(first.contains("prod") && !first.contains("dev"), "{first}");
    assert_eq!(where_base(), first);
    tree.write("dev/kustomization.yaml", "resources:\n- ../base\n");
    let second = where_base();
    assert!(second.contains("prod") && second.contains("dev"), "{second}");
    tree.write("prod/kustomization.yaml", "namePrefix: a-\n");
    fs_err::remove_dir_all(tree.path("dev")).unwrap();
    let third = where_base();
    assert!(!third.contains("prod") && !third.contains("dev"), "{third}");
    tree.write("prod/kustomization.yaml", "resources:\n- ../base\nnamePrefix: b-\n");
    let (found, _) = server.call("where", json!({"resource": "Deployment/b-web"}));
    assert!(found.contains("prod"), "{found}");
    tree.write("base/web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: api\n");
    let (built, _) = server.call("build", json!({"target": "prod"}));
    assert!(built.contains("b-api"), "{built}");
    server.end();
}

/// Two folders and two commits are compared with the same tool; a commit of a larger repository may
/// contain more than the root.
#[test]
fn an_agent_compares_folders_and_commits() {
    let tree = tree();
    let mut server = start_agent(&tree);
    let folders = json!({"before": "base", "after": "prod"});
    let (compared, is_error) = server.call("try_edit", folders);
    assert!(!is_error && compared.contains("replicas"), "{compared}");
    tree.commit("first");
    let commit = json!({"before": "HEAD", "format": "json"});
    let (compared, _) = server.call("try_edit", commit.clone());
    assert_matches_schema("diff-v1.json", &serde_json::from_str(&compared).unwrap());
    assert!(!compared.contains(VALUE) && !compared.contains(ENCODED), "{compared}");
    server.end();
    let mut inner = initialized(Server::start_in(&tree.path("prod"), "mcp ."));
    let (compared, is_error) = inner.call("try_edit", commit);
    assert!(is_error, "{compared}");
    inner.end();
}

#[test]
fn an_agent_sees_no_secret_and_no_file_outside() {
    let tree = tree();
    let outside = tree.path("../outside.yaml");
    fs_err::write(&outside, format!("kind: ConfigMap\ndata:\n  a: {VALUE}\n")).unwrap();
    let mut server = start_agent(&tree);
    let edit = json!([{"path": "prod/kustomization.yaml", "old": "password=", "new": "key="}]);
    for (tool, arguments) in [
        ("build", json!({"target": "prod"})),
        ("build", json!({"target": "prod", "format": "json"})),
        ("build", json!({"target": "leak"})),
        ("build", json!({"target": "../outside.yaml"})),
        ("why", json!({"target": "prod", "resource": "Secret/made"})),
        ("why", json!({"target": "prod", "resource": "Secret/made", "format": "json"})),
        ("check", json!({"format": "json"})),
        ("try_edit", json!({"edits": edit})),
        ("try_edit", json!({"edits": edit, "format": "json"})),
        ("where", json!({"resource": "Secret/made"})),
        ("compat", json!({"to": "v5.4.2"})),
    ] {
        let (text, _) = server.call(tool, arguments.clone());
        assert!(!text.contains(VALUE) && !text.contains(ENCODED), "{tool} {arguments}: {text}");
    }
    let page = server.request("resources/read", json!({"uri": "kzui://code/KZ101"}));
    assert!(page["result"]["contents"][0]["text"].as_str().unwrap().contains("KZ101"));
    let listed = server.request("resources/list", json!({}));
    assert!(listed.to_string().contains("kzui://target/prod"), "{listed}");
    server.end();
    fs_err::remove_file(outside).unwrap();
}

/// The trees of `as_deployed`, as an agent sees them.
#[test]
fn an_agent_sees_each_target_as_it_is_deployed() {
    let ask = |tree: &Tree, calls: &[(&str, Value, &[&str])]| {
        let mut server = start_agent(tree);
        for (tool, arguments, texts) in calls {
            let (answer, _) = server.call(tool, arguments.clone());
            for text in *texts {
                assert!(answer.contains(text), "{tool} {arguments}: no {text:?} in {answer}");
            }
        }
        server.end();
    };
    let field = |target: &str, resource: &str, field: &str| json!({"target": target, "resource": resource, "field": field});
    let tree = patch_before_namespace();
    ask(
        &tree,
        &[
            ("build", json!({"target": "app.yaml"}), &["namespace: prod", "replicas: 1"]),
            ("check", json!({}), &["KZ101", "app.yaml:9"]),
            ("check", json!({"paths": ["app.yaml#web"]}), &["KZ101", "app.yaml:9"]),
            (
                "why",
                field("app.yaml#web", "Deployment/web", "spec.replicas"),
                &["web/web.yaml:4", "app.yaml:9", "KZ101"],
            ),
        ],
    );
    let versions = json!({"paths": ["clusters/obs.yaml"], "from": "flux-2.8", "to": "flux-2.9"});
    ask(
        &unset_variable(),
        &[
            ("build", json!({"target": "clusters/obs.yaml"}), &["API_KEY"]),
            ("check", json!({}), &["KZ054", "obs/cm.yaml:6"]),
            ("compat", versions, &["strict-substitution", "API_KEY"]),
        ],
    );
    let file = "deploy/web/.argocd-source-web.yaml";
    ask(
        &overridden_image(),
        &[
            ("build", json!({"target": "web"}), &["image: web:v44"]),
            (
                "why",
                field("web", "Deployment/web", "spec.template.spec.containers[web].image"),
                &[file, "web:v44"],
            ),
            ("where", json!({"file": file}), &["argocd/app.yaml#web"]),
        ],
    );
    let edits = json!([{"path": "apps/settings.yaml", "old": "example.org", "new": "example.com"}]);
    ask(
        &parent_and_child(),
        &[
            ("build", json!({"target": "child"}), &["host: x.example.org"]),
            ("try_edit", json!({"edits": edits}), &["apps/child.yaml#child", "x.example.com"]),
        ],
    );
    ask(&file_outside_folder(), &[("check", json!({}), &["0 errors"])]);
}

/// The trees of `as_deployed`, as an editor shows them.
#[test]
fn an_editor_shows_the_findings_of_each_deployment() {
    let codes = |tree: &Tree, path: &str| -> Vec<(String, u64)> {
        let mut server = Server::start(tree, "lsp");
        let root = format!("file://{}", tree.root().display());
        server.request("initialize", json!({"capabilities": {}, "rootUri": root}));
        server.notify("initialized", json!({}));
        let found = server.open_document(tree, path);
        server.request("shutdown", json!(null));
        server.notify("exit", json!(null));
        server.end();
        let found = found.as_array().unwrap().iter();
        let found = found.filter(|it| it["severity"] != 3 && it["severity"] != 4);
        found
            .map(|it| {
                let line = it["range"]["start"]["line"].as_u64().unwrap() + 1;
                (it["code"].as_str().unwrap_or_default().to_owned(), line)
            })
            .collect()
    };
    let one = |code: &str, line: u64| vec![(code.to_owned(), line)];
    assert_eq!(codes(&patch_before_namespace(), "app.yaml"), one("KZ101", 9));
    assert_eq!(codes(&unset_variable(), "obs/cm.yaml"), one("KZ054", 6));
    assert_eq!(codes(&overridden_image(), "argocd/app.yaml"), []);
    assert_eq!(codes(&file_outside_folder(), "apps/a/kustomization.yaml"), []);
}
