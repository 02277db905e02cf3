//! The loop that receives messages. No request blocks it: a request about a document whose check
//! is not finished waits in a list, and is answered from the last check when its time is over.

mod name_questions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use lsp_types::Uri;
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::engine::evaluate::STACK;

use super::EditorPorts;
use super::checked::CheckedRepository;
use super::documents::{Document, Documents};
use super::features::{self, DocumentView};
use super::renamer::{NameAnswer, RenameCancel};
use super::settings::{ClientSupport, ServerSettings, read_capabilities};
use super::uri::{LinkedFolders, path_from_uri};
use super::worker::{CheckOrder, CheckResult, Revisions, Worker};

/// Limit of requests that wait for a check; the oldest one is answered from the last check.
const MAX_WAITING_REQUESTS: usize = 256;
/// The time that a rename waits for the check of the present text, as a multiple of that of other
/// requests.
const RENAME_PATIENCE: u32 = 10;

/// A request that is answered once its document is checked.
struct WaitingRequest {
    request: Request,
    path: PathBuf,
    until: Instant,
}

struct Server<'c> {
    connection: &'c Connection,
    ports: Arc<dyn EditorPorts>,
    settings: ServerSettings,
    revisions: Revisions,
    orders: Sender<CheckOrder>,
    answers: Sender<NameAnswer>,
    comparisons: Sender<()>,
    /// True while a thread compares the files on disk with those that were read.
    is_comparing: bool,
    /// The end of the last comparison.
    compared: Option<Instant>,
    documents: Documents,
    checked: BTreeMap<PathBuf, Arc<CheckedRepository>>,
    waiting: Vec<WaitingRequest>,
    /// The requests for renames and declarations that are not answered yet.
    renaming: Vec<(RequestId, Arc<RenameCancel>)>,
    /// The files with published diagnostics.
    published: BTreeSet<PathBuf>,
    folders: LinkedFolders,
    supports: ClientSupport,
    next_id: i32,
    is_shut_down: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// After a request to shut down, or with the last message of the client.
    Regular,
    /// The client orders the exit without that request, which is a failure in the protocol.
    WithoutShutdown,
}

pub fn serve(
    connection: &Connection,
    ports: Arc<dyn EditorPorts>,
    settings: ServerSettings,
) -> std::io::Result<SessionEnd> {
    let revisions = Revisions::default();
    let (orders, to_worker) = unbounded();
    let (from_worker, results) = unbounded();
    let worker = Worker::new(ports.clone(), revisions.clone(), settings.quiet);
    let thread = std::thread::Builder::new().name("check".to_owned()).stack_size(STACK);
    let running = thread.spawn(move || worker.run(&to_worker, &from_worker))?;
    let (answers, answered) = unbounded();
    let (comparisons, to_comparer) = unbounded::<()>();
    let (from_comparer, compared) = unbounded();
    let thread = std::thread::Builder::new().name("disk".to_owned());
    let comparer = ports.clone();
    let comparing = thread.spawn(move || {
        for () in to_comparer {
            if from_comparer.send(comparer.changed_files()).is_err() {
                return;
            }
        }
    })?;
    let mut server = Server {
        connection,
        ports,
        settings,
        revisions: revisions.clone(),
        orders,
        answers,
        comparisons,
        is_comparing: false,
        compared: None,
        documents: Documents::default(),
        checked: BTreeMap::new(),
        waiting: Vec::new(),
        renaming: Vec::new(),
        published: BTreeSet::new(),
        folders: LinkedFolders::default(),
        supports: ClientSupport::default(),
        next_id: 0,
        is_shut_down: false,
    };
    let is_initialized = server.initialize();
    let end = if is_initialized {
        server.receive(&results, &answered, &compared)
    } else {
        SessionEnd::Regular
    };
    // Ends a running check, and running questions. Dropping the server closes the channels of
    // orders, which ends the other threads.
    revisions.next();
    drop(server);
    for thread in [running, comparing] {
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
    Ok(end)
}

impl Server<'_> {
    /// Waits for the first request. False if the client leaves before it.
    fn initialize(&mut self) -> bool {
        let Ok((id, params)) = self.connection.initialize_start() else { return false };
        self.supports = read_capabilities(&params);
        self.respond(id, Ok(features::capabilities(self.supports.prepares_renames)));
        true
    }

    fn receive(
        &mut self,
        results: &Receiver<CheckResult>,
        answered: &Receiver<NameAnswer>,
        compared: &Receiver<Vec<PathBuf>>,
    ) -> SessionEnd {
        loop {
            let next = self.waiting.iter().map(|waiting| waiting.until).min();
            let timer = next
                .map_or_else(never, |until| after(until.saturating_duration_since(Instant::now())));
            select! {
                recv(self.connection.receiver) -> message => {
                    let Ok(message) = message else { return SessionEnd::Regular };
                    if let Some(end) = self.handle_message(message) {
                        return end;
                    }
                }
                recv(results) -> result => match result {
                    Ok(checked) => self.take(checked),
                    Err(_) => return SessionEnd::Regular,
                },
                recv(answered) -> result => match result {
                    Ok((id, answer)) => self.answer_name_question(&id, answer),
                    Err(_) => return SessionEnd::Regular,
                },
                recv(compared) -> changed => match changed {
                    Ok(changed) => self.take_disk_changes(changed),
                    Err(_) => return SessionEnd::Regular,
                },
                recv(timer) -> _ => {}
            }
            self.answer_waiting();
        }
    }

    /// Handles a message; `Some` for the last one of the session.
    fn handle_message(&mut self, message: Message) -> Option<SessionEnd> {
        match message {
            Message::Request(request) => self.handle_request(request),
            Message::Notification(note) if note.method == notification::Exit::METHOD => {
                let (regular, other) = (SessionEnd::Regular, SessionEnd::WithoutShutdown);
                return Some(if self.is_shut_down { regular } else { other });
            }
            Message::Notification(note) => {
                let _ = self.handle_notification(note);
            }
            Message::Response(_) => {}
        }
        None
    }

    fn handle_request(&mut self, request: Request) {
        if self.is_shut_down {
            return self.refuse(request.id, ErrorCode::InvalidRequest, "the server is shut down");
        }
        if request.method == request::Shutdown::METHOD {
            self.is_shut_down = true;
            return self.respond(request.id, Ok(Value::Null));
        }
        match features::answer(&request.method, &request.params, None) {
            None => {
                let words = format!("unknown method {}", request.method);
                return self.refuse(request.id, ErrorCode::MethodNotFound, &words);
            }
            Some(Err(problem)) => {
                return self.refuse(request.id, ErrorCode::InvalidParams, &problem);
            }
            Some(Ok(_)) => {}
        }
        let uri = request.params.pointer("/textDocument/uri").and_then(Value::as_str);
        let Some(document) = uri.and_then(|uri| self.documents.get(uri)) else {
            if is_rename(&request) {
                let words = "a rename needs an open document and a position";
                return self.refuse(request.id, ErrorCode::InvalidParams, words);
            }
            // Requests about a document that is not open have no answer.
            return self.respond(request.id, Ok(Value::Null));
        };
        let path = document.path.clone();
        let until = Instant::now() + self.patience(&request, document);
        let waiting = WaitingRequest { request, path, until };
        self.compare_with_disk();
        self.waiting.push(waiting);
        if self.waiting.len() > MAX_WAITING_REQUESTS {
            let oldest = self.waiting.remove(0);
            self.answer(oldest);
        }
    }

    /// Answers the requests whose document is checked, or whose time is over.
    fn answer_waiting(&mut self) {
        let now = Instant::now();
        let mut waiting = std::mem::take(&mut self.waiting);
        let is_compared = !self.is_comparing;
        let is_ready =
            |it: &mut WaitingRequest| it.until <= now || is_compared && self.is_checked(&it.path);
        let ready: Vec<WaitingRequest> = waiting.extract_if(.., is_ready).collect();
        self.waiting = waiting;
        for request in ready {
            self.answer(request);
        }
    }

    /// The time that a request waits for the check of the present text; then the last check answers.
    fn patience(&self, request: &Request, document: &Document) -> Duration {
        let settings = &self.settings;
        match &*request.method {
            // It is requested with every change, and reads the text of the document.
            request::Completion::METHOD if self.was_checked(&document.path) => Duration::ZERO,
            // The client asks again after the check.
            request::CodeLensRequest::METHOD if self.supports.lens_refresh => {
                settings.brief_patience
            }
            request::InlayHintRequest::METHOD if self.supports.inlay_refresh => {
                settings.brief_patience
            }
            // An editor asks for actions with each movement of the cursor, and for a hover again
            // after its answer that the line is being checked.
            request::CodeActionRequest::METHOD | request::HoverRequest::METHOD => {
                settings.brief_patience
            }
            // A rename is planned on the check of the present text.
            request::PrepareRenameRequest::METHOD | request::Rename::METHOD => {
                settings.patience * RENAME_PATIENCE
            }
            _ => settings.patience,
        }
    }

    fn view<'v>(
        &'v self,
        document: &'v Document,
        checked: &'v CheckedRepository,
    ) -> DocumentView<'v> {
        let Document { path, text, revision, .. } = document;
        let is_outdated = checked.revision < *revision;
        DocumentView::new((path, text), checked, &self.folders, is_outdated)
    }

    /// True if a check has covered some text of a document.
    fn was_checked(&self, path: &Path) -> bool {
        self.last_check_around(path).is_some_and(|checked| checked.texts.contains_key(path))
    }

    /// True if the last check covers the current text of a document.
    fn is_checked(&self, path: &Path) -> bool {
        let Some((_, document)) = self.documents.at_path(path) else { return true };
        self.last_check_around(path).is_some_and(|checked| checked.revision >= document.revision)
    }

    /// The last check of the repository that contains a file.
    fn last_check_around(&self, path: &Path) -> Option<&Arc<CheckedRepository>> {
        self.checked.values().find(|checked| path.starts_with(&checked.root))
    }

    fn answer(&mut self, waiting: WaitingRequest) {
        let WaitingRequest { request, path, .. } = waiting;
        if is_rename(&request) {
            return self.order_rename(&request, &path);
        }
        let document = self.documents.at_path(&path).map(|(_, document)| document);
        let (Some(document), Some(checked)) = (document, self.last_check_around(&path)) else {
            let is_hover = document.is_some() && request.method == request::HoverRequest::METHOD;
            let answer = if is_hover { features::hover_without_check() } else { Value::Null };
            return self.respond(request.id, Ok(answer));
        };
        let view = self.view(document, checked);
        // The method and the parameters were checked when the request arrived.
        let answer = features::answer(&request.method, &request.params, Some(&view));
        let Some(Ok(result)) = answer else { return };
        let is_definition = request.method == request::GotoDefinition::METHOD
            && !features::is_entry_line(&view, &request.params);
        // A word that is the name of a resource leads to its declaration.
        let declaration = features::declaration_question(result.clone());
        if !(is_definition && self.order(&request, &path, declaration).is_ok()) {
            self.respond(request.id, Ok(result));
        }
    }

    /// A notification that is not valid is ignored.
    fn handle_notification(&mut self, note: Notification) -> Option<()> {
        match &*note.method {
            notification::Initialized::METHOD => self.watch_files(),
            notification::DidOpenTextDocument::METHOD => {
                let params: lsp_types::DidOpenTextDocumentParams = parsed(note.params)?;
                let lsp_types::TextDocumentItem { uri, version, text, .. } = params.text_document;
                self.open(&uri, version, text);
            }
            notification::DidChangeTextDocument::METHOD => {
                let path = self.documents.change(parsed(note.params)?)?;
                self.order_check(&path, []);
            }
            notification::DidCloseTextDocument::METHOD => {
                let params: lsp_types::DidCloseTextDocumentParams = parsed(note.params)?;
                let path = self.documents.close(params.text_document.uri.as_str())?;
                self.order_check(&path, []);
            }
            notification::DidSaveTextDocument::METHOD => {
                let params: lsp_types::DidSaveTextDocumentParams = parsed(note.params)?;
                let path = self.path(&params.text_document.uri)?;
                self.order_check(&path, [path.clone()]);
            }
            notification::DidChangeWatchedFiles::METHOD => {
                let params: lsp_types::DidChangeWatchedFilesParams = parsed(note.params)?;
                let paths = params.changes.iter().filter_map(|change| self.path(&change.uri));
                let paths: BTreeSet<PathBuf> = paths.collect();
                if !paths.is_empty() {
                    self.order_check(Path::new(""), paths);
                }
            }
            notification::Cancel::METHOD => self.cancel(&note.params),
            super::transport::INVALID_MESSAGE => {
                self.log(note.params.as_str().unwrap_or_default());
            }
            _ => {}
        }
        Some(())
    }

    /// Answers a waiting request with the error that it is cancelled, and ends its work.
    fn cancel(&mut self, params: &Value) {
        let Some(id) = params.get("id").and_then(super::transport::request_id) else { return };
        let waiting = self.waiting.iter().position(|waiting| waiting.request.id == id);
        let renaming = self.renaming.iter().position(|(own, _)| *own == id);
        if let Some(at) = waiting {
            self.waiting.remove(at);
        } else if let Some(at) = renaming {
            self.renaming.remove(at).1.set();
        } else {
            return;
        }
        self.refuse(id, ErrorCode::RequestCanceled, "cancelled");
    }

    /// Orders a comparison of the files on disk with those that were read, if the client does not
    /// report their changes.
    fn compare_with_disk(&mut self) {
        let pause = self.settings.comparison_pause;
        let is_due = self.compared.is_none_or(|last| last.elapsed() >= pause);
        if is_due && !self.is_comparing && !self.supports.watched_files {
            self.is_comparing = true;
            // The thread ends only with the server.
            let _ = self.comparisons.send(());
        }
    }

    fn take_disk_changes(&mut self, changed: Vec<PathBuf>) {
        (self.is_comparing, self.compared) = (false, Some(Instant::now()));
        if !changed.is_empty() {
            self.order_check(Path::new(""), changed);
        }
    }

    fn watch_files(&mut self) {
        if !self.supports.watched_files {
            return;
        }
        let options = json!({"watchers": [{"globPattern": "**/*"}]});
        let method = notification::DidChangeWatchedFiles::METHOD;
        let registration = json!({"id": "files", "method": method, "registerOptions": options});
        let params = json!({"registrations": [registration]});
        self.request(request::RegisterCapability::METHOD, params);
    }

    fn path(&self, uri: &Uri) -> Option<PathBuf> {
        Some(self.ports.real_path(path_from_uri(uri)?))
    }

    fn open(&mut self, uri: &Uri, version: i32, text: String) {
        let Some(given) = path_from_uri(uri) else { return };
        let path = self.ports.real_path(given.clone());
        self.folders.add(&given, &path);
        self.documents.open(uri.as_str(), path.clone(), version, text);
        self.order_check(&path, []);
    }

    /// Orders a check of all open documents after a document was edited, or files changed on disk.
    fn order_check(&mut self, edited: &Path, on_disk: impl IntoIterator<Item = PathBuf>) {
        let changed: BTreeSet<PathBuf> = on_disk.into_iter().collect();
        let revision = self.revisions.next();
        // A file that is not open may affect every document.
        let texts = self.documents.texts();
        let has_others = changed.iter().any(|path| !texts.contains_key(path));
        let is_changed = |path: &Path| has_others || path == edited || changed.contains(path);
        self.documents.mark_changed(revision, is_changed);
        if self.documents.at_path(edited).is_some() && !texts.contains_key(edited) {
            let words = "is not checked: this file, or all open files together, are too large";
            self.log(&format!("{} {words}", edited.display()));
        }
        // The worker ends only with the server.
        let _ = self.orders.send(CheckOrder { revision, texts, changed });
    }

    fn take(&mut self, checked: CheckResult) {
        let has_fixes = checked.iter().any(|one| !one.fixes.is_empty());
        self.checked = checked.into_iter().map(|one| (one.root.clone(), one)).collect();
        if has_fixes {
            // The findings are published already.
            return;
        }
        let mut published = BTreeSet::new();
        let checked = self.checked.values();
        for (path, diagnostics) in checked.flat_map(|it| features::diagnostics(it)) {
            self.publish_diagnostics(&path, &diagnostics);
            published.insert(path);
        }
        for path in self.published.difference(&published) {
            self.publish_diagnostics(path, &[]);
        }
        self.published = published;
        if self.supports.lens_refresh {
            self.request(request::CodeLensRefresh::METHOD, Value::Null);
        }
        if self.supports.inlay_refresh {
            self.request(request::InlayHintRefreshRequest::METHOD, Value::Null);
        }
    }

    fn publish_diagnostics(&self, path: &Path, diagnostics: &[lsp_types::Diagnostic]) {
        let open = self.documents.at_path(path);
        let uri = match open {
            Some((uri, _)) => uri.parse().ok(),
            None => self.folders.uri(path),
        };
        let Some(uri) = uri else { return };
        let version = open.map(|(_, document)| document.version);
        self.notify::<notification::PublishDiagnostics>(&lsp_types::PublishDiagnosticsParams {
            uri,
            diagnostics: diagnostics.to_vec(),
            version,
        });
    }

    fn log(&self, message: &str) {
        self.notify::<notification::LogMessage>(&lsp_types::LogMessageParams {
            typ: lsp_types::MessageType::WARNING,
            message: format!("kzui: {}", crate::display::sanitize(message)),
        });
    }

    fn notify<N: notification::Notification>(&self, params: &N::Params)
    where
        N::Params: Serialize,
    {
        let params = serde_json::to_value(params).unwrap_or_default();
        let note = Notification { method: N::METHOD.to_owned(), params };
        self.send(Message::Notification(note));
    }

    fn request(&mut self, method: &str, params: Value) {
        self.next_id = self.next_id.wrapping_add(1);
        let (id, method) = (RequestId::from(self.next_id), method.to_owned());
        self.send(Message::Request(Request { id, method, params }));
    }

    fn respond(&self, id: RequestId, response_result: Result<Value, ResponseError>) {
        self.send(Message::Response(Response { id, response_result }));
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        let message = crate::display::sanitize(message).into_owned();
        self.respond(id, Err(ResponseError { code: code as i32, message, data: None }));
    }

    fn send(&self, message: Message) {
        // Without a client no message can be read either, which ends the loop.
        let _ = self.connection.sender.send(message);
    }
}

/// True for a request that plans a rename, or that asks whether a name can be changed.
fn is_rename(request: &Request) -> bool {
    [request::PrepareRenameRequest::METHOD, request::Rename::METHOD].contains(&&*request.method)
}

fn parsed<P: DeserializeOwned>(params: Value) -> Option<P> {
    serde_json::from_value(params).ok()
}
