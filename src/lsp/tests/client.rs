//! A client of the server, with a tree in memory.

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
    (files, ListedFiles(listed))
}

const LONG: Duration = Duration::from_secs(3600);

pub(crate) struct Client {
    pub(crate) connection: Connection,
    pub(crate) disk: Disk,
    server: Option<JoinHandle<()>>,
    next_id: i32,
    version: i32,
    /// The diagnostics that were published last, by document.
    published: std::collections::BTreeMap<String, Value>,
}

impl Client {
    /// Starts a server on this tree, and a client that has initialized it.
    pub(crate) fn new(tree: &[(&str, &str)]) -> Self {
        // A request waits for its check, however slow the machine is.
        let settings = ServerSettings {
            quiet: Duration::ZERO,
            patience: LONG,
            brief_patience: LONG,
            comparison_pause: Duration::ZERO,
        };
        let (files, listing) = in_memory(tree);
        let disk = Disk(Arc::new(Mutex::new((files, Vec::new()))));
        let ports = TreePorts { disk: disk.clone(), listing };
        let (own, connection) = Connection::memory();
        let server = std::thread::spawn(move || {
            serve(&own, Arc::new(ports), settings).unwrap();
        });
        let published = std::collections::BTreeMap::new();
        let server = Some(server);
        let mut client = Self { connection, disk, server, next_id: 0, version: 0, published };
        client.request("initialize", json!({"capabilities": {}})).unwrap();
        client.notify("initialized", json!({}));
        client
    }

    /// A client of [`SHOP`] that has opened one document.
    pub(crate) fn with_shop_document(path: &str) -> Self {
        Self::with_more_files(&[], path)
    }

    /// A client of [`SHOP`] and these files that has opened one document.
    pub(crate) fn with_more_files(more: &[(&str, &str)], path: &str) -> Self {
        let mut client = Self::new(&[SHOP, more].concat());
        client.open(path);
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
            if let Message::Response(Response { id, response_result }) = self.receive() {
                assert_eq!(id, *wanted);
                return response_result;
            }
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let id = self.send(method, params);
        self.answer(&id)
    }

    fn receive(&mut self) -> Message {
        let message = self.connection.receiver.recv().unwrap();
        if let Message::Notification(note) = &message
            && note.method == "textDocument/publishDiagnostics"
        {
            let uri = note.params["uri"].as_str().unwrap().to_owned();
            self.published.insert(uri, note.params["diagnostics"].clone());
        }
        message
    }

    fn text(&self, path: &str) -> String {
        let bytes = self.disk.read(&PathBuf::from(format!("/r/{path}"))).unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    /// Opens a document with the text on disk.
    pub(crate) fn open(&mut self, path: &str) {
        let text = self.text(path);
        self.open_with(path, &text);
    }

    pub(crate) fn open_with(&mut self, path: &str, text: &str) {
        let document = json!({"uri": uri(path), "languageId": "yaml", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub(crate) fn change(&mut self, path: &str, text: &str) {
        self.version += 1;
        let document = json!({"uri": uri(path), "version": self.version + 1});
        let changes = json!([{"text": text}]);
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    /// Sends a request about the position of the first `needle` in the text on disk.
    pub(crate) fn request_at_text(&mut self, method: &str, path: &str, needle: &str) -> Value {
        let text = self.text(path);
        let byte = text.find(needle).unwrap_or_else(|| panic!("no {needle} in {path}"));
        let line = text[..byte].matches('\n').count();
        let column = byte - text[..byte].rfind('\n').map_or(0, |end| end + 1);
        self.request_at_position(method, path, line, column)
    }

    /// Sends a request about a position, from 0.
    pub(crate) fn request_at_position(
        &mut self,
        method: &str,
        path: &str,
        line: usize,
        column: usize,
    ) -> Value {
        let position = json!({"line": line, "character": column});
        let params = json!({"textDocument": {"uri": uri(path)}, "position": position,
            "context": {"includeDeclaration": true, "triggerKind": 1}});
        self.request(method, params).unwrap()
    }

    /// Sends a request about all lines of a document.
    pub(crate) fn request_for_document(&mut self, method: &str, path: &str) -> Value {
        let all = json!({"start": {"line": 0, "character": 0},
            "end": {"line": 1000, "character": 0}});
        let params = json!({"textDocument": {"uri": uri(path)}, "range": all,
            "context": {"diagnostics": []}});
        self.request(method, params).unwrap()
    }

    /// The diagnostics of a document after the check of its last change: `LINE CODE MESSAGE`.
    pub(crate) fn diagnostics(&mut self, path: &str) -> Vec<String> {
        // The answer comes after the diagnostics of the check.
        self.request_for_document("textDocument/codeLens", path);
        let found = self.published.get(&uri(path)).cloned().unwrap_or_default();
        let one = |found: &Value| {
            let line = found["range"]["start"]["line"].as_u64().unwrap() + 1;
            let code = found["code"].as_str().unwrap();
            let message = found["message"].as_str().unwrap().lines().next().unwrap();
            format!("{line} {code} {message}")
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

/// The locations of a response as `base/web.yaml:7`.
pub(crate) fn location_texts(locations: &Value) -> Vec<String> {
    let one = |location: &Value| {
        let path = location["uri"].as_str().unwrap().strip_prefix("file:///r/").unwrap();
        format!("{path}:{}", location["range"]["start"]["line"].as_u64().unwrap() + 1)
    };
    locations.as_array().map(|all| all.iter().map(one).collect()).unwrap_or_default()
}
