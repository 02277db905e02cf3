//! A client of the server, with a tree in memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use kzui_analysis::answers::RepositoryBuilds;
use kzui_analysis::draft::WriteScope;
use kzui_analysis::repository::ListedFiles;
use kzui_engine::evaluate::{BuildOptions, Ports};
use kzui_engine::load::{FileError, FileKind, Files, MemoryFiles};
use kzui_lsp::{Connection, EditorPorts, ServerSettings, serve};
use lsp_server::{Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value, json};

/// A base, two overlays that use it, and a patch in one of them.
pub(crate) const SHOP: &[(&str, &str)] = &[
    ("base/kustomization.yaml", "resources:\n- web.yaml\n- service.yaml\n"),
    (
        "base/web.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: web\n        image: shop/web:1\n",
    ),
    ("base/service.yaml", "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n"),
    (
        "dev/kustomization.yaml",
        "resources:\n- ../base\nnamePrefix: dev-\npatches:\n- path: patch.yaml\n",
    ),
    (
        "dev/patch.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 2\n",
    ),
    (
        "prod/kustomization.yaml",
        "resources:\n- ../base\nreplicas:\n- name: web\n  count: 5\nimages:\n- name: shop/api\n  newTag: '2'\n",
    ),
];

struct TreePorts {
    disk: Disk,
    listing: ListedFiles,
}

/// The files of the tree, which a test can write.
#[derive(Clone, Default)]
pub(crate) struct Disk(Arc<Mutex<(MemoryFiles, Vec<PathBuf>)>>);

impl Disk {
    /// Writes a file without notice of the client.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let mut state = self.0.lock().unwrap();
        let path = PathBuf::from(format!("/r/{path}"));
        state.0 = std::mem::take(&mut state.0).file(&path, text);
        state.1.push(path);
    }
}

impl Files for Disk {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.0.lock().unwrap().0.resolve(path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.0.lock().unwrap().0.read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.0.lock().unwrap().0.list(path)
    }
}

impl EditorPorts for TreePorts {
    fn repository(&self, _: &Path) -> Option<RepositoryBuilds> {
        let files: Arc<dyn Files> = Arc::new(self.disk.clone());
        let ports = Ports { files, ..Ports::of_files(MemoryFiles::default()) };
        Some(builds_of(ports, self.listing.clone()))
    }

    fn changed_files(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.disk.0.lock().unwrap().1)
    }

    fn real_path(&self, path: PathBuf) -> PathBuf {
        path
    }

    fn scope(&self, _: &Path) -> WriteScope {
        WriteScope::below([PathBuf::from("/r")])
    }
}

/// The builds of a tree in memory, before its first check.
pub(crate) fn repository_builds(tree: &[(&str, &str)]) -> RepositoryBuilds {
    let (files, listing) = in_memory(tree);
    let mut builds = builds_of(Ports::of_files(files), listing);
    builds.find().unwrap();
    builds.read();
    builds
}

fn builds_of(ports: Ports, listing: ListedFiles) -> RepositoryBuilds {
    let options = BuildOptions::default();
    RepositoryBuilds::new(Path::new("/r"), Arc::new(listing), options, ports, [1; 16])
}

/// The files of a tree below `/r`, and their sorted list.
fn in_memory(tree: &[(&str, &str)]) -> (MemoryFiles, ListedFiles) {
    let mut files = MemoryFiles::default();
    let mut listed = Vec::new();
    for (path, text) in tree {
        let path = PathBuf::from(format!("/r/{path}"));
        files = files.file(&path, *text);
        listed.push(path);
    }
    listed.sort_unstable();
    listed.dedup();
    (files, ListedFiles(listed))
}

const LONG: Duration = Duration::from_secs(3600);

pub(crate) struct Client {
    connection: Connection,
    pub(crate) disk: Disk,
    server: Option<JoinHandle<()>>,
    next_id: i32,
    /// The present texts of the open documents.
    texts: BTreeMap<String, String>,
    /// The diagnostics that were published last, by document.
    published: BTreeMap<String, Value>,
}

impl Client {
    /// Starts a server on [`SHOP`] and these files, and a client that has initialized it.
    pub(crate) fn new(more: &[(&str, &str)]) -> Self {
        // A request waits for its check, however slow the machine is.
        let settings = ServerSettings {
            quiet: Duration::ZERO,
            patience: LONG,
            brief_patience: LONG,
            comparison_pause: Duration::ZERO,
        };
        let (files, listing) = in_memory(&[SHOP, more].concat());
        let disk = Disk(Arc::new(Mutex::new((files, Vec::new()))));
        let ports = TreePorts { disk: disk.clone(), listing };
        let (own, connection) = Connection::memory();
        let server = std::thread::spawn(move || {
            serve(&own, Arc::new(ports), settings).unwrap();
        });
        let (texts, published) = (BTreeMap::new(), BTreeMap::new());
        let server = Some(server);
        let mut client = Self { connection, disk, server, next_id: 0, texts, published };
        client.request("initialize", json!({"capabilities": {}})).unwrap();
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        let note = Notification { method: method.to_owned(), params };
        self.connection.sender.send(Message::Notification(note)).unwrap();
    }

    /// Sends a request without waiting for the answer.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(Message::Request(request)).unwrap();
        id
    }

    pub(crate) fn answer(&mut self, wanted: &RequestId) -> Result<Value, ResponseError> {
        loop {
            match self.connection.receiver.recv().unwrap() {
                Message::Response(Response { id, response_result }) => {
                    assert_eq!(id, *wanted);
                    return response_result;
                }
                Message::Notification(note) if note.params["diagnostics"].is_array() => {
                    let uri = note.params["uri"].as_str().unwrap().to_owned();
                    self.published.insert(uri, note.params["diagnostics"].clone());
                }
                _ => {}
            }
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let id = self.send(method, params);
        self.answer(&id)
    }

    /// Opens a document with the text on disk, unless it is open.
    pub(crate) fn open(&mut self, path: &str) {
        if !self.texts.contains_key(path) {
            let bytes = self.disk.read(&PathBuf::from(format!("/r/{path}"))).unwrap();
            self.change(path, std::str::from_utf8(&bytes).unwrap());
        }
    }

    /// Opens a document with a text, or gives an open document this text.
    pub(crate) fn change(&mut self, path: &str, text: &str) {
        let before = self.texts.insert(path.to_owned(), text.to_owned());
        let document = json!({"uri": uri(path), "languageId": "yaml", "version": 1, "text": text});
        let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        let method = if before.is_some() { "didChange" } else { "didOpen" };
        self.notify(&format!("textDocument/{method}"), params);
    }

    pub(crate) fn close(&mut self, path: &str) {
        self.texts.remove(path);
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(path)}}));
    }

    /// The answer to a question about a place in a document, which is the first occurrence of a
    /// text in it; `^` marks the cursor in that text, which is otherwise at its beginning.
    pub(crate) fn ask_json(
        &mut self,
        question: &str,
        path: &str,
        place: &str,
    ) -> Result<Value, ResponseError> {
        self.open(path);
        let text = &self.texts[path];
        let needle = place.replacen('^', "", 1);
        let found = text.find(&needle).unwrap_or_else(|| panic!("no {needle} in {path}"));
        let before = &text[..found + place.find('^').unwrap_or(0)];
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
        let position = json!({"line": before.matches('\n').count(), "character": column});
        let (start, end) =
            (json!({"line": 0, "character": 0}), json!({"line": 999, "character": 0}));
        let mut words = question.splitn(2, ' ');
        let (method, new_name) = (words.next().unwrap(), words.next());
        let params = json!({"textDocument": {"uri": uri(path)}, "position": position,
            "range": {"start": start, "end": end}, "newName": new_name,
            "context": {"includeDeclaration": true, "triggerKind": 1, "diagnostics": []}});
        self.request(&format!("textDocument/{method}"), params)
    }

    /// The answer as text; the parts of a list are separated by blanks or commas.
    pub(crate) fn ask(&mut self, question: &str, path: &str, place: &str) -> String {
        let answer = self.ask_json(question, path, place).unwrap_or_else(|it| panic!("{it:?}"));
        let all = answer.as_array().cloned().unwrap_or_default();
        let texts = |one: &dyn Fn(&Value) -> String| all.iter().map(one).collect::<Vec<_>>();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match question {
            "hover" => text(&answer["contents"]["value"]),
            "completion" => texts(&|item| text(&item["label"])).join(" "),
            "codeLens" => {
                let lens = |it: &Value| format!("{} {}", line(it), text(&it["command"]["title"]));
                texts(&lens).join(", ")
            }
            "inlayHint" => {
                let number = |it: &Value, name: &str| it["position"][name].as_u64().unwrap() + 1;
                let place = |it: &Value| (number(it, "line"), number(it, "character"));
                let hint = |it: &Value| {
                    let (line, column) = place(it);
                    format!("{line}:{column} {}", text(&it["label"]))
                };
                texts(&hint).join(", ")
            }
            "prepareRename" => text(&answer["placeholder"]),
            _ if answer["changes"].is_object() => {
                let files = answer["changes"].as_object().unwrap().iter();
                let mut edits: Vec<String> = files
                    .flat_map(|(file, edits)| {
                        let edit = |it: &Value| {
                            format!("{} {}", place_text(file, it), text(&it["newText"]).trim())
                        };
                        edits.as_array().unwrap().iter().map(edit).collect::<Vec<_>>()
                    })
                    .collect();
                edits.sort_unstable();
                edits.join(", ")
            }
            _ => texts(&|it| place_text(it["uri"].as_str().unwrap(), it)).join(" "),
        }
    }

    /// The diagnostics of a document after the check of its last change: `LINE CODE MESSAGE`.
    pub(crate) fn diagnostics(&mut self, path: &str) -> Vec<String> {
        // The answer comes after the diagnostics of the check.
        self.ask("codeLens", path, "");
        self.published(path)
    }

    pub(crate) fn published(&self, path: &str) -> Vec<String> {
        let found = self.published.get(&uri(path)).cloned().unwrap_or_default();
        let one = |found: &Value| {
            let (code, message) = (found["code"].as_str(), found["message"].as_str());
            let message = message.unwrap().lines().next().unwrap();
            format!("{} {} {message}", line(found), code.unwrap())
        };
        found.as_array().map(|all| all.iter().map(one).collect()).unwrap_or_default()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.notify("exit", json!(null));
        if let Some(server) = self.server.take() {
            server.join().unwrap();
        }
    }
}

pub(crate) fn uri(path: &str) -> String {
    format!("file:///r/{path}")
}

/// The first line of a range, from 1.
fn line(at: &Value) -> u64 {
    at["range"]["start"]["line"].as_u64().unwrap() + 1
}

/// A line of a file, as in `base/web.yaml:7`.
fn place_text(uri: &str, at: &Value) -> String {
    format!("{}:{}", uri.strip_prefix("file:///r/").unwrap(), line(at))
}
