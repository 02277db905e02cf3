//! Git and HTTP for the engine's port, with a cache for builds without a network.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use crate::engine::evaluate::Cancel;
use crate::engine::load::{GitTarget, Http, Network, NotFetchedCause, Remote, RemoteError};

use super::http::Getter;
use crate::host::git::clone;
use crate::host::store::cache::{BadClone, Cache, is_full_commit_id};

/// A result that this process has fetched; `None` while no thread has fetched it. A thread holds
/// the lock during its fetch.
type Slot<T> = Arc<Mutex<Option<T>>>;

/// Fetches through the `git` program and over HTTP. Everything is fetched once in the lifetime of
/// the value.
pub struct GitHttp {
    network: Network,
    cache: Cache,
    /// Receives the reason why cached content is not used.
    note: Box<dyn Fn(&str) + Send + Sync>,
    cancel: Arc<dyn Cancel>,
    getter: Getter,
    clones: Mutex<IndexMap<GitTarget, Slot<PathBuf>>>,
    /// Cached clones that are verified; each is verified only once.
    kept: Mutex<IndexMap<GitTarget, Slot<PathBuf>>>,
    answers: Mutex<IndexMap<String, Slot<Http>>>,
}

impl GitHttp {
    pub fn new(network: Network, cache: Cache, cancel: Arc<dyn Cancel>) -> Self {
        Self {
            network,
            cache,
            note: Box::new(|_| {}),
            cancel,
            getter: Getter::default(),
            clones: Mutex::default(),
            kept: Mutex::default(),
            answers: Mutex::default(),
        }
    }

    /// Passes a note about each cached item that is not used to the closure.
    #[must_use]
    pub(in crate::host) fn with_notes(self, note: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { note: Box::new(note), ..self }
    }

    fn run_logged<T>(&self, what: &str, fetch: impl FnOnce(&dyn Fn() -> bool) -> T) -> T {
        let _span = tracing::info_span!("fetch", what = without_credentials(what)).entered();
        fetch(&|| self.cancel.is_cancelled())
    }

    /// The path of the clone of a repository: from the cache if allowed, otherwise cloned now.
    fn clone_repository(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let forbids = self.network.not_fetched_cause();
        // The content of a full commit id never changes, in contrast to that of a branch or a tag.
        let is_wanted = forbids.is_some() || is_full_commit_id(&target.reference);
        let known = if is_wanted { self.cache.clone_of(target) } else { Ok(None) };
        match (known, forbids) {
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
                self.run_logged(&target.repo, |cancel| clone::clone(target, &self.cache, cancel))
            }
        }
    }

    fn download(&self, url: &str) -> Result<Http, RemoteError> {
        if let Some(why) = self.network.not_fetched_cause() {
            let body = self.cache.cached_body(url).ok_or_else(|| not_allowed(url, why))?;
            return Ok(Http { status: 200, reason: "OK".to_owned(), body: body.into() });
        }
        let answer = self.run_logged(url, |cancel| self.getter.get(url, cancel))?;
        if (200..300).contains(&answer.status) {
            self.cache.keep_body(url, &answer.body);
        }
        Ok(answer)
    }
}

impl Remote for GitHttp {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        compute_once(&self.answers, url.to_owned(), || self.download(url))
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        compute_once(&self.clones, key_of(target), || self.clone_repository(target))
    }

    fn kept_git(&self, target: &GitTarget) -> Option<PathBuf> {
        let clone = || match self.cache.clone_of(target) {
            Ok(clone) => clone.ok_or_else(|| not_allowed(&target.repo, NotFetchedCause::NotAsked)),
            Err(reason) => Err(RemoteError::Git(reason.to_string())),
        };
        compute_once(&self.kept, key_of(target), clone).ok()
    }
}

/// The key of a clone: all paths in a repository share one clone.
fn key_of(target: &GitTarget) -> GitTarget {
    GitTarget { path: String::new(), timeout_seconds: 0, ..target.clone() }
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
