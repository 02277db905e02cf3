//! An HTTPS server on this machine: repositories through `git http-backend`, and plain files.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// The certificate that a client has to trust.
const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/tls/authority.pem");
const CERTIFICATE: &[u8] = include_bytes!("tls/server.pem");
const KEY: &[u8] = include_bytes!("tls/server.key");

/// A request of a client.
#[derive(Clone, Debug, Default)]
struct Request {
    method: String,
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// A server of the folders below a root, which redirects `/to-http/REST` to `http://REST`; its
/// thread ends with the process.
#[derive(Clone)]
pub(crate) struct GitServer {
    /// The address, as in `localhost:PORT`.
    pub(crate) authority: String,
    root: PathBuf,
    asked: Arc<Mutex<Vec<String>>>,
    password: Option<&'static str>,
}

impl GitServer {
    /// Serves this folder. With a `password`, only to clients that send it.
    pub(crate) fn start(root: &Path, password: Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let server = Self {
            authority: format!("localhost:{port}"),
            root: root.to_owned(),
            asked: Arc::default(),
            password,
        };
        let own = server.clone();
        let config = config();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (own, config) = (own.clone(), config.clone());
                // A disconnected client is no error of the server.
                std::thread::spawn(move || own.answer(stream, config).ok());
            }
        });
        server
    }

    /// The variables by which git and kzui trust its certificate.
    pub(crate) fn trust_variables() -> [(&'static str, &'static str); 2] {
        [("GIT_SSL_CAINFO", AUTHORITY), ("SSL_CERT_FILE", AUTHORITY)]
    }

    /// The paths of all requests so far, in order.
    pub(crate) fn requested_paths(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn answer(&self, stream: TcpStream, config: Arc<ServerConfig>) -> std::io::Result<()> {
        let connection = ServerConnection::new(config).map_err(std::io::Error::other)?;
        let mut stream = StreamOwned::new(connection, stream);
        let request = read(&mut stream)?;
        self.asked.lock().unwrap().push(request.path.clone());
        let file = self.root.join(request.path.trim_start_matches('/'));
        let reply = if self.password.is_some_and(|password| !request.has_password(password)) {
            b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n".to_vec()
        } else if let Some(plain) = request.path.strip_prefix("/to-http/") {
            format!("HTTP/1.1 302 Found\r\nLocation: http://{plain}\r\nContent-Length: 0\r\n\r\n")
                .into_bytes()
        } else if let Some(bytes) =
            fs_err::read(&file).ok().filter(|_| !request.path.contains(".git"))
        {
            response_with_body("200 OK", &bytes)
        } else if request.path.contains(".git/") {
            self.run_git_backend(&request)?
        } else {
            response_with_body("404 Not Found", b"no such page")
        };
        let (head, body) = split_head_and_body(&reply);
        stream.write_all(head)?;
        stream.write_all(b"Connection: close\r\n\r\n")?;
        stream.write_all(body)?;
        stream.conn.send_close_notify();
        stream.flush()
    }

    /// Runs git's own server program, by CGI.
    fn run_git_backend(&self, request: &Request) -> std::io::Result<Vec<u8>> {
        let mut command = Command::new("git");
        command
            .arg("http-backend")
            .env("GIT_PROJECT_ROOT", &self.root)
            .env("GIT_HTTP_EXPORT_ALL", "1")
            .env("REQUEST_METHOD", &request.method)
            .env("PATH_INFO", &request.path)
            .env("QUERY_STRING", &request.query)
            .env("CONTENT_LENGTH", request.body.len().to_string());
        for (name, variable) in [
            ("content-type", "CONTENT_TYPE"),
            ("git-protocol", "GIT_PROTOCOL"),
            ("content-encoding", "HTTP_CONTENT_ENCODING"),
        ] {
            if let Some(text) = request.header(name) {
                command.env(variable, text);
            }
        }
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        child.stdin.take().expect("it is piped").write_all(&request.body)?;
        let output = child.wait_with_output()?.stdout;
        let (head, body) = split_head_and_body(&output);
        let head = String::from_utf8_lossy(head).into_owned();
        let status =
            head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK");
        let others = head.lines().filter(|line| !line.is_empty() && !line.starts_with("Status: "));
        let mut reply = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
        others.for_each(|line| reply += &format!("{line}\r\n"));
        Ok([reply.as_bytes(), b"\r\n", body].concat())
    }
}

impl Request {
    /// The value of a header, whose name is in lower case.
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, text)| &**text)
    }

    /// True if the request has this password.
    fn has_password(&self, password: &str) -> bool {
        use base64::Engine;
        let given = base64::engine::general_purpose::STANDARD.encode(format!("user:{password}"));
        self.header("authorization") == Some(&format!("Basic {given}"))
    }
}

fn config() -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let certificates = CertificateDer::pem_slice_iter(CERTIFICATE).collect::<Result<_, _>>();
    let key = PrivateKeyDer::from_pem_slice(KEY).expect("a key");
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(certificates.expect("a certificate"), key);
    Arc::new(config.expect("a certificate with its key"))
}

fn read(stream: &mut impl Read) -> std::io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut request =
        Request { method, path: path.to_owned(), query: query.to_owned(), ..Request::default() };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, text)) = line.trim_end().split_once(": ") else { break };
        request.headers.push((name.to_ascii_lowercase(), text.to_owned()));
    }
    if request.header("transfer-encoding") == Some("chunked") {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim(), 16).unwrap_or_default();
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk)?;
            if size == 0 {
                break;
            }
            request.body.extend_from_slice(&chunk[..size]);
        }
    } else {
        let length = request.header("content-length").and_then(|text| text.parse().ok());
        request.body = vec![0; length.unwrap_or_default()];
        reader.read_exact(&mut request.body)?;
    }
    Ok(request)
}

/// A response with this status and body.
fn response_with_body(status: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// The head, up to the end of its last line, and the body.
fn split_head_and_body(reply: &[u8]) -> (&[u8], &[u8]) {
    let end = reply.windows(4).position(|four| four == b"\r\n\r\n");
    end.map_or((reply, &[]), |end| (&reply[..end + 2], &reply[end + 4..]))
}
