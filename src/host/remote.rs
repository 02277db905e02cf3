//! Git and HTTP behind the engine's port, with a cache for builds without a network.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use crate::engine::load::{GitTarget, Http, Remote, RemoteError, Unfetched};

use super::cache::{BadClone, Cache, is_commit};
use super::git;
use super::http::Getter;

/// Is told what is fetched, and can stop it.
pub trait FetchObserver: Send + Sync {
    /// Fetching of a URL or repository begins.
    fn fetching(&self, _what: &str) {}
    /// It is there, or failed.
    fn fetched(&self, _what: &str) {}
    /// Something in the cache is not used, and why.
    fn noted(&self, _note: &str) {}
    /// True when nobody wants it any more.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl FetchObserver for NoObserver {}

/// Hands on what is noted.
pub(super) struct NoteObserver<F>(pub(super) F);

impl<F: Fn(&str) + Send + Sync> FetchObserver for NoteObserver<F> {
    fn noted(&self, note: &str) {
        (self.0)(note);
    }
}

/// Whether the network may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// What is named is fetched.
    #[default]
    Online,
    /// Only what was fetched before is there: nobody asked for more.
    Unasked,
    /// Only what was fetched before is there (`--offline`).
    Offline,
}

impl Network {
    /// What to say of something that is not on the machine and may not be fetched; nothing where it may.
    pub(super) fn forbids(self) -> Option<Unfetched> {
        match self {
            Self::Online => None,
            Self::Unasked => Some(Unfetched::NotTold),
            Self::Offline => Some(Unfetched::Offline),
        }
    }
}

/// What was fetched by this process, or is just being fetched by another thread.
type Slot<T> = Arc<Mutex<Option<T>>>;

/// Fetches through the `git` program and over HTTP. Everything is fetched once in the lifetime of the value: a
/// new one, or [`GitHttp::forget`], fetches anew.
pub struct GitHttp {
    network: Network,
    cache: Cache,
    observer: Arc<dyn FetchObserver>,
    getter: Getter,
    clones: Mutex<IndexMap<GitTarget, Slot<PathBuf>>>,
    /// Earlier clones that are verified: once for all uses.
    kept: Mutex<IndexMap<GitTarget, Slot<PathBuf>>>,
    answers: Mutex<IndexMap<String, Slot<Http>>>,
}

impl GitHttp {
    /// Fetches into the user's cache.
    pub fn new(network: Network, observer: Arc<dyn FetchObserver>) -> Self {
        Self::with_cache(network, observer, Cache::of_user())
    }

    /// Fetches into this cache.
    pub fn with_cache(network: Network, observer: Arc<dyn FetchObserver>, cache: Cache) -> Self {
        Self {
            network,
            cache,
            observer,
            getter: Getter::default(),
            clones: Mutex::default(),
            kept: Mutex::default(),
            answers: Mutex::default(),
        }
    }

    /// Forgets what was fetched, so that it is fetched again when it is asked for.
    pub fn forget(&self) {
        self.clones.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn observed<T>(&self, what: &str, fetch: impl FnOnce(&dyn Fn() -> bool) -> T) -> T {
        self.observer.fetching(what);
        let result = fetch(&|| self.observer.is_cancelled());
        self.observer.fetched(what);
        result
    }

    fn clone_anew(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let forbids = self.network.forbids();
        // What a full commit names never changes; a branch or a tag does.
        let is_wanted = forbids.is_some() || is_commit(&target.reference);
        let known = if is_wanted { self.cache.clone_of(target) } else { Ok(None) };
        match (known, forbids) {
            (Ok(Some(tree)), _) => Ok(tree),
            (Err(BadClone::NotOwn(reason)), _) => Err(RemoteError::Git(reason.to_string())),
            (Err(BadClone::Changed { .. }), Some(_)) => {
                Err(not_allowed(&target.repo, Unfetched::Changed))
            }
            (Ok(None), Some(why)) => Err(not_allowed(&target.repo, why)),
            (known, None) => {
                if let Err(reason) = known {
                    let note = format!("{}: {reason}: it is fetched again", target.repo);
                    self.observer.noted(&note);
                }
                self.observed(&target.repo, |cancel| git::clone(target, &self.cache, cancel))
            }
        }
    }

    fn get_anew(&self, url: &str) -> Result<Http, RemoteError> {
        if let Some(why) = self.network.forbids() {
            let body = self.cache.body_of(url).ok_or_else(|| not_allowed(url, why))?;
            return Ok(Http { status: 200, reason: "OK".to_owned(), body: body.into() });
        }
        let answer = self.observed(url, |cancel| self.getter.get(url, cancel))?;
        if (200..300).contains(&answer.status) {
            self.cache.keep_body(url, &answer.body);
        }
        Ok(answer)
    }
}

impl Remote for GitHttp {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        once(&self.answers, url.to_owned(), || self.get_anew(url))
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        once(&self.clones, key_of(target), || self.clone_anew(target))
    }

    fn kept_git(&self, target: &GitTarget) -> Option<PathBuf> {
        let clone = || match self.cache.clone_of(target) {
            Ok(clone) => clone.ok_or_else(|| not_allowed(&target.repo, Unfetched::NotAsked)),
            Err(reason) => Err(RemoteError::Git(reason.to_string())),
        };
        once(&self.kept, key_of(target), clone).ok()
    }
}

/// One clone serves every path in it.
fn key_of(target: &GitTarget) -> GitTarget {
    GitTarget { path: String::new(), timeout_seconds: 0, ..target.clone() }
}

/// Does the work for a key unless it was done; two threads that ask for the same wait for one another.
fn once<K: std::hash::Hash + Eq, T: Clone>(
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

fn not_allowed(what: &str, why: Unfetched) -> RemoteError {
    RemoteError::NotAllowed { what: what.to_owned(), why }
}
