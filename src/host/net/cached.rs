//! The fetch ports with which the workbench opens a repository: cached content is used, nothing is
//! downloaded, and missing content is recorded. A later download goes through [`fetch`].

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::evaluate::{Cancel, NoCancel};
use crate::engine::load::{
    Artifact, ArtifactError, ArtifactKind, Artifacts, Binary, BinaryRequest, Digest, Fetch,
    GitTarget, Http, ImageContents, Network, NotFetchedCause, OciReference, Reference, Remote,
    RemoteError, SignatureRequest, SignatureVerdict,
};

use super::artifacts::ArtifactFetcher;
use super::remote::GitHttp;
use crate::host::fs::folders::cache_folder;
use crate::host::store::cache::Cache;

/// The caches of the user, and a list of missing content.
pub struct CachedRemotes {
    kept: ArtifactFetcher,
    missed: Mutex<Vec<Fetch>>,
}

impl CachedRemotes {
    pub fn for_current_user() -> Self {
        let kept = user_fetcher(Network::Offline, Arc::new(NoCancel));
        Self { kept, missed: Mutex::default() }
    }

    /// The content that was requested since the last call and is not cached, without duplicates.
    /// Sorted by name, because threads request it in any order.
    pub fn take_missed(&self) -> Vec<Fetch> {
        let mut missed =
            std::mem::take(&mut *self.missed.lock().unwrap_or_else(PoisonError::into_inner));
        missed.sort_by_key(Fetch::request);
        missed
    }

    fn record_missing(&self, fetch: Fetch) {
        let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        if !missed.iter().any(|known| known.covers(&fetch)) {
            missed.push(fetch);
        }
    }

    fn refused(&self, error: RemoteError, fetch: Fetch) -> RemoteError {
        let RemoteError::NotAllowed { subject: what, why } = error else { return error };
        self.record_missing(fetch);
        let is_changed = why == NotFetchedCause::Changed;
        let why = if is_changed { why } else { NotFetchedCause::NotAsked };
        RemoteError::NotAllowed { subject: what, why }
    }

    /// Records a missing artifact. An error about `--offline` is replaced, because the user did not
    /// set this flag.
    fn record_missing_artifact(&self, error: ArtifactError, fetch: Fetch) -> ArtifactError {
        let ArtifactError::Offline { subject: what } = error else { return error };
        self.record_missing(fetch);
        ArtifactError::NotAllowed { subject: what, why: NotFetchedCause::NotAsked }
    }
}

impl Remote for CachedRemotes {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        self.kept.get(url).map_err(|error| self.refused(error, Fetch::Http(url.to_owned())))
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let missed = |error| self.refused(error, Fetch::Git(target.clone()));
        self.kept.fetch_git(target).map_err(missed)
    }

    fn artifacts(&self) -> &dyn Artifacts {
        self
    }
}

impl Artifacts for CachedRemotes {
    fn fetch(
        &self,
        reference: &Reference,
        kind: ArtifactKind,
        pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        let missed = |error| {
            self.record_missing_artifact(
                error,
                Fetch::Artifact { reference: reference.clone(), kind },
            )
        };
        self.kept.fetch(reference, kind, pin).map_err(missed)
    }

    fn binary(&self, request: &BinaryRequest) -> Result<Binary, ArtifactError> {
        let missed = |error| self.record_missing_artifact(error, Fetch::Binary(request.clone()));
        self.kept.binary(request).map_err(missed)
    }

    fn signature(&self, request: &SignatureRequest<'_>) -> SignatureVerdict {
        self.kept.signature(request)
    }

    fn image(
        &self,
        digest: &Digest,
        registry: Option<&OciReference>,
    ) -> Result<ImageContents, ArtifactError> {
        self.kept.image(digest, registry)
    }

    fn platform(&self) -> (String, String) {
        self.kept.platform()
    }
}

fn user_fetcher(network: Network, cancel: Arc<dyn Cancel>) -> ArtifactFetcher {
    let remote = GitHttp::new(network, Cache::for_current_user(), cancel.clone());
    ArtifactFetcher::new(Arc::new(remote), network, cache_folder(), cancel)
}

/// Fetches one item into the user's caches, without running or trusting it.
pub fn fetch(what: &Fetch, cancel: Arc<dyn Cancel>) -> Result<(), String> {
    let fetcher = user_fetcher(Network::Online, cancel);
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
