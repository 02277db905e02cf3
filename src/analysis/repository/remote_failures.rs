//! A remote for many builds that remembers failed requests, and records the first unreachable
//! address, so that a network failure is not reported as a fault of the tree.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::load::{Artifacts, GitTarget, Http, Remote, RemoteError};

/// Remembers failed requests, so that targets that need the same content wait for it once.
/// Successful requests are cached by the inner remote.
pub struct FailureRecorder {
    inner: Arc<dyn Remote>,
    // Builds run in parallel; a request that failed once fails for all of them.
    failures: Mutex<Failures>,
}

#[derive(Default)]
struct Failures {
    refused: BTreeMap<(String, String), RemoteError>,
    first_unreachable: Option<String>,
}

/// Messages of git for a repository that was reached and does not have the requested ref: a fault
/// of the tree.
const REACHED_REPOSITORY_MESSAGES: [&str; 6] = [
    "couldn't find remote ref",
    "not found in upstream",
    "did not match any file",
    "not our ref",
    "unable to checkout",
    "reference is not a tree",
];

const TEMPORARY_HTTP_STATUSES: [u16; 6] = [408, 425, 429, 502, 503, 504];

impl FailureRecorder {
    pub fn new(inner: Arc<dyn Remote>) -> Self {
        Self { inner, failures: Mutex::default() }
    }

    fn failures<T>(&self, access: impl FnOnce(&mut Failures) -> T) -> T {
        access(&mut self.failures.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The message about the first unreachable address, in one line.
    pub fn first_unreachable(&self) -> Option<String> {
        self.failures(|failures| failures.first_unreachable.clone())
    }

    fn note_unreachable(&self, why: &str) {
        let lines = why.lines().map(str::trim).filter(|line| !line.is_empty());
        // Git prints the cause last, in lines with this prefix.
        let line = lines.clone().find(|line| line.starts_with("fatal:")).or(lines.clone().next());
        let line = line.unwrap_or_default().to_owned();
        self.failures(|failures| failures.first_unreachable.get_or_insert(line).len());
    }

    fn request_unless_failed<T>(
        &self,
        key: (String, String),
        ask: impl FnOnce() -> Result<T, RemoteError>,
    ) -> Result<T, RemoteError> {
        let known = self.failures(|failures| failures.refused.get(&key).cloned());
        known.map_or_else(ask, Err).inspect_err(|error| {
            if !matches!(error, RemoteError::Git(words) if is_from_remote(words)) {
                self.note_unreachable(&error.to_string());
            }
            self.failures(|failures| failures.refused.insert(key, error.clone()));
        })
    }
}

/// True for a message of git that comes from the remote, which therefore was reached.
fn is_from_remote(words: &str) -> bool {
    let words = words.to_lowercase();
    REACHED_REPOSITORY_MESSAGES.iter().any(|answer| words.contains(answer))
}

impl Remote for FailureRecorder {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        let key = (url.to_owned(), String::new());
        let answer = self.request_unless_failed(key, || self.inner.get(url))?;
        if answer.status >= 500 || TEMPORARY_HTTP_STATUSES.contains(&answer.status) {
            self.note_unreachable(&format!("{url}: {} {}", answer.status, answer.reason));
        }
        Ok(answer)
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        // All paths of a repository share one clone, but a clone with submodules is separate.
        let reference = format!("{}?submodules={}", target.reference, target.submodules);
        let key = (target.repo.clone(), reference);
        self.request_unless_failed(key, || self.inner.fetch_git(target))
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Answers git with this error, and counts these requests.
    struct FixedAnswer(RemoteError, AtomicUsize);

    impl Remote for FixedAnswer {
        fn get(&self, _url: &str) -> Result<Http, RemoteError> {
            Ok(Http { status: 503, reason: "Unavailable".to_owned(), body: Arc::from([]) })
        }

        fn fetch_git(&self, _target: &GitTarget) -> Result<PathBuf, RemoteError> {
            self.1.fetch_add(1, Ordering::Relaxed);
            Err(self.0.clone())
        }
    }

    fn remote(error: RemoteError) -> (Arc<FixedAnswer>, FailureRecorder) {
        let inner = Arc::new(FixedAnswer(error, AtomicUsize::new(0)));
        (inner.clone(), FailureRecorder::new(inner))
    }

    #[test]
    fn failed_request_is_made_once() {
        let (away, kept) = remote(RemoteError::Git("r".to_owned()));
        let target = |path: &str, reference: &str| GitTarget {
            repo: "r".to_owned(),
            path: path.to_owned(),
            reference: reference.to_owned(),
            ..GitTarget::default()
        };
        for _ in 0..3 {
            assert!(kept.fetch_git(&target("a", "v1")).is_err());
            assert!(kept.fetch_git(&target("b", "v1")).is_err());
        }
        assert_eq!(away.1.load(Ordering::Relaxed), 1);
        assert!(kept.fetch_git(&target("a", "v2")).is_err());
        assert_eq!(away.1.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn answer_of_a_repository_means_it_was_reached() {
        let told = |error: RemoteError| {
            let (_, remote) = remote(error);
            assert!(remote.fetch_git(&GitTarget::default()).is_err());
            remote.first_unreachable()
        };
        let git = |words: &str| RemoteError::Git(words.to_owned());
        assert_eq!(told(git("fatal: couldn't find remote ref v9")), None);
        assert_eq!(told(git("error: pathspec 'v9' did not match any file(s) known to git")), None);
        assert_eq!(
            told(git(
                "failed to run 'git fetch':\nfatal: unable to access 'https://a/': Could not resolve host: a\n"
            )),
            Some("fatal: unable to access 'https://a/': Could not resolve host: a".to_owned())
        );
        let down = RemoteError::Connection("no route".to_owned());
        assert_eq!(told(down), Some("no route".to_owned()));
        let (_, remote) = remote(git("x"));
        assert!(remote.get("https://a/b").is_ok());
        assert_eq!(remote.first_unreachable(), Some("https://a/b: 503 Unavailable".to_owned()));
    }
}
