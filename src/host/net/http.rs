//! Downloads files over HTTP (section 1.8).

use std::sync::OnceLock;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

use crate::engine::load::{Http, RemoteError};

use super::redirect::joined;
use crate::host::bounds::MAX_SETTINGS_BYTES;
use crate::host::fs::read::{read_answer, read_file};

/// Timeout for the connection; the transfer has none, as in Kustomize.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// The maximum number of redirects, as in Go.
const MAX_REDIRECTS: u32 = 10;
/// The size limit in bytes of a response, larger than any manifest.
const MAX_BODY_BYTES: u64 = 256 << 20;
const TICK: Duration = Duration::from_millis(20);

const CERTIFICATES: [&str; 5] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Sends HTTP requests; connections are reused.
#[derive(Debug, Default)]
pub(in crate::host) struct Getter {
    agent: OnceLock<ureq::Agent>,
}

impl Getter {
    /// Sends a GET request. On cancellation the connection is abandoned.
    pub(in crate::host) fn get(
        &self,
        url: &str,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Http, RemoteError> {
        let agent = self.agent.get_or_init(|| agent(CONNECT_TIMEOUT, None)).clone();
        let asked = url.to_owned();
        let answer = run_until_cancelled(move || get(&agent, &asked), is_cancelled);
        answer.unwrap_or_else(|reason| Err(failed(url, reason)))
    }
}

/// Runs the work on another thread and returns its result. On cancellation the thread is abandoned,
/// and its result is dropped.
pub(in crate::host) fn run_until_cancelled<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<T, &'static str> {
    let (sender, result) = bounded(1);
    std::thread::spawn(move || {
        let _ = sender.send(work());
    });
    loop {
        if is_cancelled() {
            return Err("cancelled");
        }
        match result.recv_timeout(TICK) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err("no answer"),
        }
    }
}

fn failed(url: &str, reason: impl std::fmt::Display) -> RemoteError {
    RemoteError::Connection(format!("Get {url:?}: {reason}"))
}

fn get(agent: &ureq::Agent, url: &str) -> Result<Http, RemoteError> {
    let mut answer = follow_redirects(agent, url)?;
    let status = answer.status();
    let body = read_answer(answer.body_mut().as_reader(), MAX_BODY_BYTES);
    let body = body.map_err(|reason| failed(url, reason))?;
    let reason = status.canonical_reason().unwrap_or_default().to_owned();
    Ok(Http { status: status.as_u16(), reason, body: body.into() })
}

pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

fn is_tls(url: &str) -> bool {
    url.split_once("://").is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("https"))
}

/// The final response. Each redirect is checked before it is followed.
fn follow_redirects(
    agent: &ureq::Agent,
    asked: &str,
) -> Result<ureq::http::Response<ureq::Body>, RemoteError> {
    let mut url = asked.to_owned();
    for _ in 0..=MAX_REDIRECTS {
        let answer = agent.get(&url).call().map_err(|error| failed(asked, error))?;
        let location = answer.headers().get("location").and_then(|value| value.to_str().ok());
        // As in Go, an answer without a usable location is final.
        let Some(location) = location.filter(|_| is_redirect(answer.status().as_u16())) else {
            return Ok(answer);
        };
        let next = joined(&url, location).ok_or_else(|| {
            failed(asked, format!("the redirect to {location:?} is not a valid URL"))
        })?;
        if is_tls(&url) && !is_tls(&next) {
            return Err(RemoteError::Insecure(format!(
                "Get {asked:?}: the redirect from https to {next:?} is not followed: the connection would not be protected"
            )));
        }
        url = next;
    }
    Err(failed(asked, format!("stopped after {MAX_REDIRECTS} redirects")))
}

/// A client that follows no redirects.
pub(super) fn agent(connect: Duration, all: Option<Duration>) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
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
