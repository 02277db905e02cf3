//! A small server on this machine: plain files, and the distribution protocol.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use kzui::engine::load::Digest;

/// The response of the server for one path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Page {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, headers: Vec::new(), body: body.into() }
    }

    /// The answer that leads to another URL.
    pub(crate) fn redirect(location: &str) -> Self {
        let headers = vec![("Location".to_owned(), location.to_owned())];
        Self { status: 302, headers, body: Vec::new() }
    }
}

/// The pages of the server, and the requests so far.
#[derive(Default)]
struct ServerState {
    pages: BTreeMap<String, Page>,
    asked: Vec<String>,
    authorizations: Vec<String>,
    token: Option<String>,
    challenge: Option<String>,
}

/// A server; its thread ends with the process.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) authority: String,
    state: Arc<Mutex<ServerState>>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let authority = listener.local_addr().expect("an address").to_string();
        let state = Arc::new(Mutex::new(ServerState::default()));
        let server = Self { authority, state };
        let own = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = own.clone();
                std::thread::spawn(move || own.answer(stream));
            }
        });
        server
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.authority)
    }

    pub(crate) fn put(&self, path: &str, page: Page) {
        self.state.lock().unwrap().pages.insert(path.to_owned(), page);
    }

    /// Every request so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.state.lock().unwrap().asked.clone()
    }

    /// The `Authorization` headers so far, with their paths.
    pub(crate) fn authorizations(&self) -> Vec<String> {
        self.state.lock().unwrap().authorizations.clone()
    }

    /// From now on, the registry answers a request without `Authorization` with this challenge.
    pub(crate) fn challenge(&self, challenge: &str) {
        self.state.lock().unwrap().challenge = Some(challenge.to_owned());
    }

    /// From now on the registry requires this token.
    pub(crate) fn require_token(&self, token: &str) {
        self.state.lock().unwrap().token = Some(token.to_owned());
        self.put(
            "/token?service=reg&scope=repository%3Afns%2Fcatalog%3Apull",
            Page::ok(format!("{{\"token\": \"{token}\"}}")),
        );
        self.put(
            "/token?service=reg&scope=repository%3Afns%2Fcatalog%3Apull%2Cpush",
            Page::ok(format!("{{\"token\": \"{token}\"}}")),
        );
    }

    /// Publishes an artifact with one layer under a tag; returns the digest of its manifest.
    pub(crate) fn publish(&self, repository: &str, tag: &str, media: &str, layer: &[u8]) -> Digest {
        let (manifest, digest) = manifest(media, layer);
        let at = format!("/v2/{repository}");
        self.put(&format!("{at}/manifests/{tag}"), Page::ok(manifest.clone()));
        self.put(&format!("{at}/manifests/{digest}"), Page::ok(manifest));
        self.put(&format!("{at}/blobs/{}", Digest::compute(layer)), Page::ok(layer));
        digest
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
        loop {
            let mut first = String::new();
            if reader.read_line(&mut first).unwrap_or(0) == 0 {
                return;
            }
            let mut headers = BTreeMap::new();
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                    break;
                }
                if let Some((name, value)) = line.split_once(':') {
                    headers.insert(name.to_lowercase(), value.trim().to_owned());
                }
            }
            let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let method = first.split(' ').next().unwrap_or_default();
            let length = headers.get("content-length").and_then(|it| it.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            if reader.read_exact(&mut body).is_err() {
                return;
            }
            let mut page = self.page(&path, &headers);
            if page.status != 401 && matches!(method, "POST" | "PUT") {
                page = self.receive(method, &path, &body);
            }
            if method == "HEAD" {
                page.body.clear();
            }
            let mut text =
                format!("HTTP/1.1 {} X\r\nContent-Length: {}\r\n", page.status, page.body.len());
            for (name, value) in &page.headers {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
            text.push_str("\r\n");
            if stream.write_all(text.as_bytes()).is_err() || stream.write_all(&page.body).is_err() {
                return;
            }
        }
    }

    /// Takes an upload, as a registry does.
    fn receive(&self, method: &str, path: &str, body: &[u8]) -> Page {
        let created = Page { status: 201, ..Page::default() };
        let digest = Digest::compute(body);
        if method == "POST" && path.ends_with("/blobs/uploads/") {
            let headers = vec![("Location".to_owned(), format!("{path}session?state=1"))];
            return Page { status: 202, headers, body: Vec::new() };
        }
        if let Some((repository, rest)) = path.split_once("/blobs/uploads/") {
            if rest != format!("session?state=1&digest={digest}") {
                let body = b"{\"errors\": [{\"code\": \"DIGEST_INVALID\"}]}".to_vec();
                return Page { status: 400, headers: Vec::new(), body };
            }
            self.put(&format!("{repository}/blobs/{digest}"), Page::ok(body));
            return created;
        }
        if let Some((repository, _)) = path.split_once("/manifests/") {
            self.put(&format!("{repository}/manifests/{digest}"), Page::ok(body));
            self.put(path, Page::ok(body));
            return created;
        }
        Page { status: 405, ..Page::default() }
    }

    fn page(&self, path: &str, headers: &BTreeMap<String, String>) -> Page {
        let mut state = self.state.lock().unwrap();
        state.asked.push(path.to_owned());
        if let Some(given) = headers.get("authorization") {
            state.authorizations.push(format!("{path} {given}"));
        } else if let Some(challenge) = state.challenge.clone().filter(|_| path.starts_with("/v2/"))
        {
            let headers = vec![("WWW-Authenticate".to_owned(), challenge)];
            return Page { status: 401, headers, body: Vec::new() };
        }
        let expected = state.token.as_ref().map(|token| format!("Bearer {token}"));
        if path.starts_with("/v2/")
            && expected.is_some()
            && headers.get("authorization") != expected.as_ref()
        {
            let realm = format!(
                "Bearer realm=\"http://{}/token\",service=\"reg\",scope=\"repository:fns/catalog:pull\"",
                self.authority
            );
            return Page {
                status: 401,
                headers: vec![("WWW-Authenticate".to_owned(), realm)],
                body: Vec::new(),
            };
        }
        let page = state.pages.get(path).cloned();
        let mut page = page.unwrap_or_else(|| Page { status: 404, ..Page::default() });
        if page.status == 200 {
            let etag = format!("\"{}\"", Digest::compute(&page.body).hex());
            if headers.get("if-none-match") == Some(&etag) {
                return Page { status: 304, ..Page::default() };
            }
            page.headers.push(("ETag".to_owned(), etag));
        }
        page
    }
}

/// A manifest with one layer, and its digest.
pub(crate) fn manifest(media: &str, layer: &[u8]) -> (Vec<u8>, Digest) {
    let manifest = format!(
        "{{\"schemaVersion\": 2, \"layers\": [{{\"mediaType\": \"{media}\", \"digest\": \"{}\", \"size\": {}}}]}}",
        Digest::compute(layer),
        layer.len()
    );
    let digest = Digest::compute(manifest.as_bytes());
    (manifest.into_bytes(), digest)
}
