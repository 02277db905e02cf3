//! HTTP. Files are downloaded as Kustomize does (section 1.8). Downloads of catalogs and functions are
//! limited in size, never redirected to plain HTTP, and without the user's credentials, except to a
//! registry that asks for them (B.8).

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use ureq::http::{Request, Response, StatusCode};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body};

use crate::engine::evaluate::{Cancel, NoCancel};
use crate::engine::load::{Http, RemoteError, is_loopback};

use super::redirect::{authority, check_redirect, joined};
use crate::host::bounds::MAX_SETTINGS_BYTES;
use crate::host::fs::read::{read_answer, read_file};

const MAX_REDIRECTS: usize = 5;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_DURATION: Duration = Duration::from_secs(600);

/// Timeout for the connection of a download as in Kustomize; the transfer has none.
const KUSTOMIZE_CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// The maximum number of redirects of such a download, as in Go.
const KUSTOMIZE_MAX_REDIRECTS: usize = 10;
/// The size limit in bytes of its response, larger than any manifest.
const MAX_BODY_BYTES: u64 = 256 << 20;
const TICK: Duration = Duration::from_millis(20);

const CERTIFICATES: [&str; 5] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

#[derive(Debug, Default)]
pub(in crate::host) struct HttpResponse {
    pub(in crate::host) status: u16,
    pub(in crate::host) headers: Vec<(String, String)>,
    pub(in crate::host) body: Vec<u8>,
}

impl HttpResponse {
    pub(in crate::host) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }
}

/// Sends requests; connections are reused.
pub(in crate::host) struct Downloads {
    agent: OnceLock<Agent>,
    /// The client of downloads as in Kustomize.
    kustomize_agent: OnceLock<Agent>,
    pub(super) cancel: Arc<dyn Cancel>,
}

impl Default for Downloads {
    fn default() -> Self {
        Self::new(Arc::new(NoCancel))
    }
}

impl Downloads {
    /// Creates the client, whose downloads stop once they are cancelled.
    pub(in crate::host) fn new(cancel: Arc<dyn Cancel>) -> Self {
        Self { agent: OnceLock::new(), kustomize_agent: OnceLock::new(), cancel }
    }

    /// Downloads a file with the plain GET request that Kustomize sends. Each redirect is checked
    /// before it is followed.
    pub(super) fn get_as_kustomize(&self, asked: &str) -> Result<Http, RemoteError> {
        let failed = |reason: String| RemoteError::Connection(format!("Get {asked:?}: {reason}"));
        let agent = self.kustomize_agent.get_or_init(|| agent(KUSTOMIZE_CONNECT_TIMEOUT, None));
        let mut url = asked.to_owned();
        for _ in 0..=KUSTOMIZE_MAX_REDIRECTS {
            let from = url.clone();
            let answer = self.send(agent, MAX_BODY_BYTES, move |agent| agent.get(&from).call());
            let answer = answer.map_err(failed)?;
            // As in Go, an answer without a usable location is final.
            let Some(location) = answer.header("location").filter(|_| answer.is_redirect()) else {
                let reason = StatusCode::from_u16(answer.status).ok();
                let reason = reason.and_then(|status| status.canonical_reason());
                let reason = reason.unwrap_or_default().to_owned();
                return Ok(Http { status: answer.status, reason, body: answer.body.into() });
            };
            let next = joined(&url, location).ok_or_else(|| {
                failed(format!("the redirect to {location:?} is not a valid URL"))
            })?;
            if is_tls(&url) && !is_tls(&next) {
                return Err(RemoteError::Insecure(format!(
                    "Get {asked:?}: the redirect from https to {next:?} is not followed: the connection would not be protected"
                )));
            }
            url = next;
        }
        Err(failed(format!("stopped after {KUSTOMIZE_MAX_REDIRECTS} redirects")))
    }

    /// Sends a GET request. Redirects are followed here, so that each one can be checked.
    /// `Authorization` is sent only to the first host.
    pub(in crate::host) fn get(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        limit: u64,
    ) -> Result<HttpResponse, String> {
        let mut url = url.to_owned();
        let first = authority(&url).to_owned();
        for _ in 0..=MAX_REDIRECTS {
            let own = authority(&url) == first;
            let sent = headers.iter().filter(|(name, _)| own || *name != "Authorization");
            let answer = self.send_once("GET", &url, sent, None, limit)?;
            if !answer.is_redirect() {
                return Ok(answer);
            }
            let location = answer.header("location").unwrap_or_default();
            let next = joined(&url, location)
                .ok_or_else(|| format!("Get {url:?}: redirect to {location:?} is not followed"))?;
            check_redirect(&url, &next)?;
            url = next;
        }
        Err(format!("Get {url:?}: stopped after {MAX_REDIRECTS} redirects"))
    }

    /// Sends a request with this method, without following a redirect.
    pub(in crate::host) fn send_once<'h>(
        &self,
        method: &str,
        url: &str,
        headers: impl Iterator<Item = &'h (&'h str, &'h str)>,
        body: Option<&[u8]>,
        limit: u64,
    ) -> Result<HttpResponse, String> {
        let failed = |error: &dyn std::fmt::Display| {
            let verb = if method == "GET" { "Get" } else { method };
            format!("{verb} {url:?}: {error}")
        };
        let mut request = Request::builder().method(method).uri(url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).map_err(|error| failed(&error))?;
        let body = body.map(<[u8]>::to_vec);
        let agent = self.agent.get_or_init(|| agent(CONNECT_TIMEOUT, Some(MAX_DURATION)));
        let answer = self.send(agent, limit, move |agent| match body {
            Some(body) => agent.run(request.map(|()| body)),
            None => agent.run(request),
        });
        answer.map_err(|reason| failed(&reason))
    }

    /// Sends a request and reads its answer on another thread. On cancellation the thread is
    /// abandoned, and its result is dropped.
    fn send(
        &self,
        agent: &Agent,
        limit: u64,
        request: impl FnOnce(&Agent) -> Result<Response<Body>, ureq::Error> + Send + 'static,
    ) -> Result<HttpResponse, String> {
        let (sender, result) = bounded(1);
        let agent = agent.clone();
        std::thread::spawn(move || {
            let answer = request(&agent).map_err(|error| error.to_string());
            let _ = sender.send(answer.and_then(|answer| read(answer, limit)));
        });
        loop {
            if self.cancel.is_cancelled() {
                return Err("cancelled".to_owned());
            }
            match result.recv_timeout(TICK) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err("no answer".to_owned()),
            }
        }
    }
}

fn read(mut answer: Response<Body>, limit: u64) -> Result<HttpResponse, String> {
    let status = answer.status().as_u16();
    let known = answer.headers().iter().filter_map(|(name, value)| {
        Some((name.as_str().to_ascii_lowercase(), value.to_str().ok()?.to_owned()))
    });
    let headers = known.collect();
    let body = read_answer(answer.body_mut().as_reader(), limit)?;
    Ok(HttpResponse { status, headers, body })
}

/// A client that follows no redirects.
fn agent(connect: Duration, all: Option<Duration>) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(connect))
        .timeout_global(all)
        .user_agent("kzui")
        .tls_config(TlsConfig::builder().root_certs(root_certificates()).build());
    config.build().new_agent()
}

/// The certificates of the system, including those of a company; Mozilla's if the system has none.
fn root_certificates() -> RootCerts {
    let named = std::env::var("SSL_CERT_FILE").ok();
    let files = named.as_deref().into_iter().chain(CERTIFICATES);
    let mut texts = files.filter_map(|path| read_file(path.as_ref(), MAX_SETTINGS_BYTES).ok());
    let certificates = texts.find_map(|text| {
        let items = parse_pem(&text).filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        });
        let certificates: Vec<_> = items.collect();
        (!certificates.is_empty()).then_some(certificates)
    });
    certificates.map_or(RootCerts::WebPki, |certificates| RootCerts::new_with_certs(&certificates))
}

fn is_tls(url: &str) -> bool {
    url.split_once("://").is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("https"))
}

/// True for a URL with HTTPS, and for plain HTTP to this machine.
pub(in crate::host) fn is_https_or_loopback(url: &str) -> bool {
    url.starts_with("https://") || (url.starts_with("http://") && is_loopback(authority(url)))
}
