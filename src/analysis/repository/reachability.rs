//! A remote that records the first unreachable address, so that a network failure is not reported
//! as a fault of the tree.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::load::{Artifacts, GitTarget, Http, Remote, RemoteError};

pub struct ReachabilityRecorder {
    inner: Arc<dyn Remote>,
    first: Mutex<Option<String>>,
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

impl ReachabilityRecorder {
    pub fn new(inner: Arc<dyn Remote>) -> Self {
        Self { inner, first: Mutex::default() }
    }

    /// The message about the first unreachable address, in one line.
    pub fn first_unreachable(&self) -> Option<String> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note_unreachable(&self, why: &str) {
        let lines = why.lines().map(str::trim).filter(|line| !line.is_empty());
        // Git prints the cause last, in lines with this prefix.
        let line = lines.clone().find(|line| line.starts_with("fatal:")).or(lines.clone().next());
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| line.unwrap_or_default().to_owned());
    }

    fn record_failure<T>(&self, answer: Result<T, RemoteError>) -> Result<T, RemoteError> {
        match &answer {
            Err(RemoteError::Git(words)) if is_from_remote(words) => {}
            Err(error) => self.note_unreachable(&error.to_string()),
            Ok(_) => {}
        }
        answer
    }
}

/// True for a message of git that comes from the remote, which therefore was reached.
fn is_from_remote(words: &str) -> bool {
    let words = words.to_lowercase();
    REACHED_REPOSITORY_MESSAGES.iter().any(|answer| words.contains(answer))
}

impl Remote for ReachabilityRecorder {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        let answer = self.record_failure(self.inner.get(url))?;
        if answer.status >= 500 || TEMPORARY_HTTP_STATUSES.contains(&answer.status) {
            self.note_unreachable(&format!("{url}: {} {}", answer.status, answer.reason));
        }
        Ok(answer)
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        self.record_failure(self.inner.fetch_git(target))
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

    struct FixedAnswer(RemoteError);

    impl Remote for FixedAnswer {
        fn get(&self, _url: &str) -> Result<Http, RemoteError> {
            Ok(Http { status: 503, reason: "Unavailable".to_owned(), body: Arc::from([]) })
        }

        fn fetch_git(&self, _target: &GitTarget) -> Result<PathBuf, RemoteError> {
            Err(self.0.clone())
        }
    }

    #[test]
    fn answer_of_a_repository_means_it_was_reached() {
        let told = |error: RemoteError| {
            let remote = ReachabilityRecorder::new(Arc::new(FixedAnswer(error)));
            let answer = remote.fetch_git(&GitTarget::default());
            assert!(answer.is_err());
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
        let remote = ReachabilityRecorder::new(Arc::new(FixedAnswer(git("x"))));
        assert!(remote.get("https://a/b").is_ok());
        assert_eq!(remote.first_unreachable(), Some("https://a/b: 503 Unavailable".to_owned()));
    }
}
