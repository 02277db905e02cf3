//! Downloads of catalogs and functions: limited in size, never redirected to plain HTTP, and
//! without the user's credentials, except to a registry that asks for them (B.8).

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::engine::evaluate::{Cancel, NoCancel};
use crate::engine::load::is_loopback;

use super::http::{agent, is_redirect, run_until_cancelled};
use super::redirect::{authority, check_redirect, joined};
use crate::host::fs::read::read_answer;

const MAX_REDIRECTS: usize = 5;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_DURATION: Duration = Duration::from_secs(600);

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
}

pub(in crate::host) struct Downloads {
    agent: OnceLock<ureq::Agent>,
    cancel: Arc<dyn Cancel>,
}

impl Default for Downloads {
    fn default() -> Self {
        Self::new(Arc::new(NoCancel))
    }
}

impl Downloads {
    /// Creates the client, whose downloads stop once they are cancelled.
    pub(in crate::host) fn new(cancel: Arc<dyn Cancel>) -> Self {
        Self { agent: OnceLock::new(), cancel }
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
            if !is_redirect(answer.status) {
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
        let mut request = ureq::http::Request::builder().method(method).uri(url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.map(<[u8]>::to_vec);
        let request = request.body(body).map_err(|error| failed(&error))?;
        let agent = self.agent.get_or_init(|| agent(CONNECT_TIMEOUT, Some(MAX_DURATION))).clone();
        let answer = run_until_cancelled(move || answer(&agent, request, limit), &|| {
            self.cancel.is_cancelled()
        });
        answer.map_err(|reason| failed(&reason))?.map_err(|reason| failed(&reason))
    }
}

fn answer(
    agent: &ureq::Agent,
    request: ureq::http::Request<Option<Vec<u8>>>,
    limit: u64,
) -> Result<HttpResponse, String> {
    let (parts, body) = request.into_parts();
    let answer = match body {
        Some(body) => agent.run(ureq::http::Request::from_parts(parts, body)),
        None => agent.run(ureq::http::Request::from_parts(parts, ())),
    };
    let mut answer = answer.map_err(|error| error.to_string())?;
    let status = answer.status().as_u16();
    let known = answer.headers().iter().filter_map(|(name, value)| {
        Some((name.as_str().to_ascii_lowercase(), value.to_str().ok()?.to_owned()))
    });
    let headers = known.collect();
    let body = read_answer(answer.body_mut().as_reader(), limit)?;
    Ok(HttpResponse { status, headers, body })
}

/// True for a URL with HTTPS, and for plain HTTP to this machine.
pub(in crate::host) fn is_https_or_loopback(url: &str) -> bool {
    url.starts_with("https://") || (url.starts_with("http://") && is_loopback(authority(url)))
}
