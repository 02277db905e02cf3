//! A remote that remembers failed requests for many builds.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::load::{Artifacts, GitTarget, Http, Remote, RemoteError};

/// Remembers failed requests, so that targets that need the same content wait for it once.
/// Successful requests are cached by the inner remote.
pub struct FailureCachingRemote {
    inner: Arc<dyn Remote>,
    // Builds run in parallel; a request that failed once fails for all of them.
    refused: Mutex<BTreeMap<(String, String), RemoteError>>,
}

impl FailureCachingRemote {
    pub fn new(inner: Arc<dyn Remote>) -> Self {
        Self { inner, refused: Mutex::default() }
    }

    fn request_unless_failed<T>(
        &self,
        key: (String, String),
        ask: impl FnOnce() -> Result<T, RemoteError>,
    ) -> Result<T, RemoteError> {
        let refused = || self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let known = refused().get(&key).cloned();
        known.map_or_else(ask, Err).inspect_err(|error| {
            refused().insert(key, error.clone());
        })
    }
}

impl Remote for FailureCachingRemote {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        self.request_unless_failed((url.to_owned(), String::new()), || self.inner.get(url))
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        // All paths of a repository share one clone, but a clone with submodules is separate.
        let reference = format!("{}?submodules={}", target.reference, target.submodules);
        self.request_unless_failed((target.repo.clone(), reference), || {
            self.inner.fetch_git(target)
        })
    }

    fn kept_git(&self, target: &GitTarget) -> Option<PathBuf> {
        self.inner.kept_git(target)
    }

    fn artifacts(&self) -> &dyn Artifacts {
        self.inner.artifacts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Default)]
    struct UnreachableRemote(AtomicUsize);

    impl Remote for UnreachableRemote {
        fn get(&self, url: &str) -> Result<Http, RemoteError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(RemoteError::Connection(format!("no way to {url}")))
        }

        fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(RemoteError::Git(target.repo.clone()))
        }
    }

    #[test]
    fn failed_request_is_made_once() {
        let away = Arc::new(UnreachableRemote::default());
        let kept = FailureCachingRemote::new(away.clone());
        let target = |path: &str, reference: &str| GitTarget {
            repo: "r".to_owned(),
            path: path.to_owned(),
            reference: reference.to_owned(),
            ..GitTarget::default()
        };
        for _ in 0..3 {
            assert!(kept.get("https://a").is_err());
            assert!(kept.fetch_git(&target("a", "v1")).is_err());
            assert!(kept.fetch_git(&target("b", "v1")).is_err());
        }
        assert_eq!(away.0.load(Ordering::Relaxed), 2);
        assert!(kept.fetch_git(&target("a", "v2")).is_err());
        assert_eq!(away.0.load(Ordering::Relaxed), 3);
    }
}
