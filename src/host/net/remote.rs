//! Fetches git repositories, files, catalogs, scripts and binaries, with a cache for builds without a
//! network.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use crate::engine::evaluate::{Cancel, NoCancel};
use crate::engine::load::{
    Artifacts, Fetch, GitTarget, Http, Network, NotFetchedCause, Remote, RemoteError,
};

use super::by_digest::DigestStore;
use super::download::Downloads;
use crate::host::git::clone;
use crate::host::store::cache::{BadClone, Cache, is_full_commit_id};

/// A result that this process has fetched; `None` while no thread has fetched it. A thread holds
/// the lock during its fetch.
type Slot<T> = Arc<Mutex<Option<T>>>;

/// Fetches through the `git` program, over HTTP and from registries. A repository and a file are
/// fetched once in the lifetime of the value.
pub struct Fetcher {
    /// The reason why missing content is not fetched; `None` if it is.
    pub(super) forbidden: Option<NotFetchedCause>,
    cache: Cache,
    pub(super) store: DigestStore,
    /// Receives the reason why cached content is not used.
    note: Box<dyn Fn(&str) + Send + Sync>,
    pub(super) downloads: Downloads,
    clones: Mutex<IndexMap<GitTarget, Slot<PathBuf>>>,
    answers: Mutex<IndexMap<String, Slot<Http>>>,
    /// The content that was requested and may not be fetched, without duplicates.
    missed: Mutex<Vec<Fetch>>,
}

impl Fetcher {
    pub fn new(network: Network, cache: Cache, cancel: Arc<dyn Cancel>) -> Self {
        Self {
            forbidden: network.not_fetched_cause(),
            store: DigestStore { folder: cache.folder.clone() },
            cache,
            note: Box::new(|_| {}),
            downloads: Downloads::new(cancel),
            clones: Mutex::default(),
            answers: Mutex::default(),
            missed: Mutex::default(),
        }
    }

    /// The port with which the workbench opens a repository: the user's caches are used, nothing is
    /// downloaded, and missing content is recorded. A later download goes through [`fetch`].
    pub fn for_workbench() -> Self {
        let forbidden = Some(NotFetchedCause::NotAsked);
        let cache = Cache::for_current_user();
        Self { forbidden, ..Self::new(Network::Offline, cache, Arc::new(NoCancel)) }
    }

    /// Passes a note about each cached item that is not used to the closure.
    #[must_use]
    pub(in crate::host) fn with_notes(self, note: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { note: Box::new(note), ..self }
    }

    /// The content that was requested since the last call and may not be fetched. Sorted by name,
    /// because threads request it in any order.
    pub fn take_missed(&self) -> Vec<Fetch> {
        let mut missed =
            std::mem::take(&mut *self.missed.lock().unwrap_or_else(PoisonError::into_inner));
        missed.sort_by_key(Fetch::request);
        missed
    }

    pub(super) fn record_missing(&self, fetch: Fetch) {
        let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        if !missed.iter().any(|known| known.covers(&fetch)) {
            missed.push(fetch);
        }
    }

    /// True for the port of the workbench, which offers to fetch missing content.
    pub(super) fn offers_fetches(&self) -> bool {
        self.forbidden == Some(NotFetchedCause::NotAsked)
    }

    /// The path of the clone of a repository: from the cache if allowed, otherwise cloned now.
    pub(super) fn clone_repository(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        // All paths in a repository share one clone.
        let shared = GitTarget { path: String::new(), timeout_seconds: 0, ..target.clone() };
        compute_once(&self.clones, shared, || {
            // The content of a full commit id never changes, in contrast to that of a branch or a
            // tag.
            let is_wanted = self.forbidden.is_some() || is_full_commit_id(&target.reference);
            let known = if is_wanted { self.cache.clone_of(target) } else { Ok(None) };
            match (known, self.forbidden) {
                (Ok(Some(tree)), _) => Ok(tree),
                (Err(BadClone::NotOwn(reason)), _) => Err(RemoteError::Git(reason.to_string())),
                (Err(BadClone::Changed { .. }), Some(_)) => {
                    Err(not_allowed(&target.repo, NotFetchedCause::Changed))
                }
                (Ok(None), Some(why)) => Err(not_allowed(&target.repo, why)),
                (known, None) => {
                    if let Err(reason) = known {
                        (self.note)(&format!("{}: {reason}; it is fetched again", target.repo));
                    }
                    let _span = log_fetch(&target.repo);
                    clone::clone(target, &self.cache, &|| self.downloads.cancel.is_cancelled())
                }
            }
        })
    }

    fn download(&self, url: &str) -> Result<Http, RemoteError> {
        if let Some(why) = self.forbidden {
            let body = self.cache.cached_body(url).ok_or_else(|| not_allowed(url, why))?;
            return Ok(Http { status: 200, reason: "OK".to_owned(), body: body.into() });
        }
        let _span = log_fetch(url);
        let answer = self.downloads.get_as_kustomize(url)?;
        if (200..300).contains(&answer.status) {
            self.cache.keep_body(url, &answer.body);
        }
        Ok(answer)
    }

    fn recorded<T>(
        &self,
        result: Result<T, RemoteError>,
        fetch: impl FnOnce() -> Fetch,
    ) -> Result<T, RemoteError> {
        if let Err(RemoteError::NotAllowed { .. }) = &result {
            self.record_missing(fetch());
        }
        result
    }
}

impl Remote for Fetcher {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        let answer = compute_once(&self.answers, url.to_owned(), || self.download(url));
        self.recorded(answer, || Fetch::Http(url.to_owned()))
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        self.recorded(self.clone_repository(target), || Fetch::Git(target.clone()))
    }

    fn kept_git(&self, target: &GitTarget) -> Option<PathBuf> {
        if self.offers_fetches() { None } else { self.cache.clone_of(target).ok().flatten() }
    }

    fn artifacts(&self) -> &dyn Artifacts {
        self
    }
}

/// Fetches one item into the user's caches, without running or trusting it.
pub fn fetch(what: &Fetch, cancel: Arc<dyn Cancel>) -> Result<(), String> {
    let fetcher = Fetcher::new(Network::Online, Cache::for_current_user(), cancel);
    match what {
        Fetch::Git(target) => fetcher.fetch_git(target).map(drop).map_err(|e| e.to_string()),
        Fetch::Http(url) => {
            let Http { status, reason, .. } =
                fetcher.get(url).map_err(|error| error.to_string())?;
            match status {
                200..300 => Ok(()),
                _ => Err(format!("Get {url:?}: {status} {reason}")),
            }
        }
        Fetch::Artifact { reference, kind } => {
            fetcher.fetch(reference, *kind, None).map(drop).map_err(|e| e.to_string())
        }
        Fetch::Binary(request) => fetcher.binary(request).map(drop).map_err(|e| e.to_string()),
    }
}

/// Does the work for a key once; a second thread with the same key waits for the first.
fn compute_once<K: std::hash::Hash + Eq, T: Clone>(
    slots: &Mutex<IndexMap<K, Slot<T>>>,
    key: K,
    work: impl FnOnce() -> Result<T, RemoteError>,
) -> Result<T, RemoteError> {
    let slot = {
        let mut slots = slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.entry(key).or_default().clone()
    };
    let mut done = slot.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(done) = &*done {
        return Ok(done.clone());
    }
    let result = work()?;
    *done = Some(result.clone());
    Ok(result)
}

fn not_allowed(what: &str, why: NotFetchedCause) -> RemoteError {
    RemoteError::NotAllowed { subject: what.to_owned(), why }
}

fn log_fetch(what: &str) -> tracing::span::EnteredSpan {
    tracing::info_span!("fetch", what = without_credentials(what)).entered()
}

/// Host and path of a URL, for the log: user, password and query may be secret.
fn without_credentials(url: &str) -> &str {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = url.find('/').unwrap_or(url.len());
    url[..host].rfind('@').map_or(url, |at| &url[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::without_credentials;

    #[test]
    fn a_logged_url_has_no_credentials() {
        let shown = [
            ("https://user:pass@example.com/org/repo.git?token=x", "example.com/org/repo.git"),
            ("https://example.com/a@b#c", "example.com/a@b"),
            ("git@example.com:org/repo", "example.com:org/repo"),
        ];
        for (url, expected) in shown {
            assert_eq!(without_credentials(url), expected);
        }
    }
}
