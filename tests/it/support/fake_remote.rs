//! Remote content: available only after a fetch.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use kzui::engine::load::{
    Artifact, ArtifactError, ArtifactKind, Artifacts, BinaryRequest, Digest, Fetch, GitTarget,
    Http, NotFetchedCause, Reference, Remote, RemoteError,
};

/// Files by the fetch that provides them.
#[derive(Default)]
pub(crate) struct FakeRemote(Mutex<State>);

#[derive(Default)]
struct State {
    there: BTreeMap<String, String>,
    here: BTreeMap<String, String>,
    missed: Vec<Fetch>,
}

impl FakeRemote {
    /// Adds a file that a fetch provides.
    pub(crate) fn put(&self, what: &str, text: &str) {
        self.0.lock().unwrap().there.insert(what.to_owned(), text.to_owned());
    }

    pub(super) fn fetch(&self, what: &str) -> Result<(), String> {
        let mut state = self.0.lock().unwrap();
        let text = state.there.get(what).cloned().ok_or("status code 404")?;
        state.here.insert(what.to_owned(), text);
        Ok(())
    }

    /// The missing content that was requested since the last call.
    pub(super) fn take_missed(&self) -> Vec<Fetch> {
        std::mem::take(&mut self.0.lock().unwrap().missed)
    }

    /// The content of a fetch; missing content is recorded.
    fn fetched_text(&self, fetch: Fetch) -> Option<String> {
        let mut state = self.0.lock().unwrap();
        let found = state.here.get(&fetch.request()).cloned();
        if found.is_none() && !state.missed.contains(&fetch) {
            state.missed.push(fetch);
        }
        found
    }
}

impl Remote for FakeRemote {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        let body = self.fetched_text(Fetch::Http(url.to_owned())).ok_or_else(|| {
            RemoteError::NotAllowed { subject: url.to_owned(), why: NotFetchedCause::NotAsked }
        })?;
        Ok(Http { status: 200, reason: "OK".to_owned(), body: body.into_bytes().into() })
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let found = self.fetched_text(Fetch::Git(target.clone()));
        found.map(PathBuf::from).ok_or_else(|| RemoteError::NotAllowed {
            subject: target.repo.clone(),
            why: NotFetchedCause::NotAsked,
        })
    }

    fn artifacts(&self) -> &dyn Artifacts {
        self
    }
}

impl Artifacts for FakeRemote {
    fn fetch(
        &self,
        reference: &Reference,
        kind: ArtifactKind,
        _pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        let found = self.fetched_text(Fetch::Artifact { reference: reference.clone(), kind });
        let text = found.ok_or_else(|| ArtifactError::NotAllowed {
            subject: reference.to_string(),
            why: NotFetchedCause::NotAsked,
        })?;
        Ok(Artifact {
            digest: Digest::compute(text.as_bytes()),
            bytes: text.into_bytes().into(),
            manifest: None,
            directory: None,
            fetched: Some("2026-11-20T10:00:00Z".to_owned()),
        })
    }

    fn binary(&self, request: &BinaryRequest) -> Result<Artifact, ArtifactError> {
        let what = request.reference.to_string();
        Err(ArtifactError::NotAllowed { subject: what, why: NotFetchedCause::NotAsked })
    }

    fn platform(&self) -> (String, String) {
        ("linux".to_owned(), "amd64".to_owned())
    }
}
