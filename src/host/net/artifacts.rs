//! Catalogs, scripts and binaries by reference, with a store by digest (B.8, B.9).

use std::path::Path;

use crate::engine::load::{
    Artifact, ArtifactError, ArtifactKind, Artifacts, BinaryRequest, Digest, Fetch, GitTarget,
    ImageContents, Location, NotFetchedCause, OciReference, Reference, Remote as _, RemoteError,
    SignatureRequest, SignatureVerdict,
};

use super::archive;
use super::by_digest::StoredReference;
use super::download::HttpResponse;
use super::image::read_image;
use super::oci::{OciLayout, PulledLayer, Registry, WantedLayer, platform, pull};
use super::remote::Fetcher;
use crate::host::bounds::{MAX_CATALOG_BYTES, MAX_DOWNLOAD_BYTES};
use crate::host::fs::read::read_named;

impl Fetcher {
    fn max_bytes(kind: ArtifactKind) -> u64 {
        if kind == ArtifactKind::Executable { MAX_DOWNLOAD_BYTES } else { MAX_CATALOG_BYTES }
    }

    /// The error for an artifact that is not in the store and may not be fetched; `what` describes
    /// the artifact.
    fn not_cached_error(&self, what: String) -> ArtifactError {
        match self.forbidden {
            None | Some(NotFetchedCause::Offline) => ArtifactError::Offline { subject: what },
            Some(why) => ArtifactError::NotAllowed { subject: what, why },
        }
    }

    /// The artifact at a reference of any kind, before it is compared with its pin.
    fn fetch_unchecked(
        &self,
        reference: &Reference,
        kind: ArtifactKind,
        pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        let limit = Self::max_bytes(kind);
        let wanted = WantedLayer { kind, title: reference.layer.as_deref() };
        match &reference.location {
            Location::File(path) => {
                let path = if path.is_dir() { path.join("catalog.yaml") } else { path.clone() };
                let bytes = read_named(&path, limit).map_err(ArtifactError::Failed)?;
                Ok(Artifact::local(bytes.into(), path.parent().map(Path::to_owned)))
            }
            Location::Git(target) => self.git(target, limit),
            Location::Http(url) => self.fetch_http(reference, url, kind, pin),
            Location::Oci(oci) => self.oci(reference, oci, wanted, pin),
            Location::Layout { directory, tag } => {
                let what = reference.to_string();
                let tag = tag.as_deref().unwrap_or_default();
                let mut layout = OciLayout { directory };
                let pin = reference.pin.as_ref();
                Ok(pull(&what, tag, pin, wanted, limit, &mut layout)?.into_artifact())
            }
        }
    }

    fn git(&self, target: &GitTarget, limit: u64) -> Result<Artifact, ArtifactError> {
        let tree = self.clone_repository(target).map_err(|error| match error {
            RemoteError::NotAllowed { subject: what, .. } => self.not_cached_error(what),
            error => ArtifactError::Failed(error.to_string()),
        })?;
        Self::read_from_tree(&tree, target, limit)
    }

    /// The artifact at a path in a cloned repository, which the path may not leave.
    fn read_from_tree(
        tree: &Path,
        target: &GitTarget,
        limit: u64,
    ) -> Result<Artifact, ArtifactError> {
        let failed = |error: std::io::Error| ArtifactError::Failed(error.to_string());
        let tree = fs_err::canonicalize(tree).map_err(failed)?;
        let mut path = fs_err::canonicalize(tree.join(&target.path)).map_err(failed)?;
        if path.is_dir() {
            path = fs_err::canonicalize(path.join("catalog.yaml")).map_err(failed)?;
        }
        if !path.starts_with(&tree) {
            let message = format!("{} leads out of the repository", target.path);
            return Err(ArtifactError::Failed(message));
        }
        let bytes = read_named(&path, limit).map_err(ArtifactError::Failed)?;
        Ok(Artifact::local(bytes.into(), path.parent().map(Path::to_owned)))
    }

    /// The artifact at a URL: from the store if it is pinned and cached, otherwise downloaded.
    fn fetch_http(
        &self,
        reference: &Reference,
        url: &str,
        kind: ArtifactKind,
        pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        let known = self.store.entry(reference);
        if let Some(found) = self.pinned(pin.or(reference.pin.as_ref()), known.as_ref())? {
            return Ok(found);
        }
        let cached = known.as_ref().and_then(|entry| self.store.artifact(entry));
        if self.forbidden.is_some() {
            return cached.ok_or_else(|| self.not_cached_error(reference.to_string()));
        }
        let mut headers = Vec::new();
        if let (Some(_), Some(entry)) = (&cached, &known) {
            headers.extend(entry.etag.as_deref().map(|etag| ("If-None-Match", etag)));
            let modified = entry.last_modified.as_deref();
            headers.extend(modified.map(|date| ("If-Modified-Since", date)));
        }
        let answer = self.downloads.get(url, &headers, Self::max_bytes(kind));
        match (answer, cached) {
            (Ok(answer), Some(cached)) if answer.status == 304 => Ok(cached),
            (Ok(answer), _) if answer.status == 200 => {
                self.store.keep_fetched(reference, answer, None).map_err(ArtifactError::Failed)
            }
            (answer, cached) => {
                let reason = match answer {
                    Ok(answer) => format!("Get {url:?}: status code {}", answer.status),
                    Err(reason) => reason,
                };
                Err(fetch_failed_error(reference, &reason, cached))
            }
        }
    }

    fn oci(
        &self,
        reference: &Reference,
        oci: &OciReference,
        wanted: WantedLayer<'_>,
        pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        let what = reference.to_string();
        let limit = Self::max_bytes(wanted.kind);
        let known = self.store.entry(reference);
        // Pinned content never changes: take it from the store, and verify manifest and layer
        // again.
        for pin in reference.pin.iter().chain(pin) {
            if let Ok(pulled) = pull(&what, "", Some(pin), wanted, limit, &mut &self.store) {
                return Ok(pulled.into_artifact());
            }
        }
        if let Some(found) = self.pinned(pin, known.as_ref())? {
            return Ok(found);
        }
        let cached = known.as_ref().and_then(|entry| self.store.artifact(entry));
        if self.forbidden.is_some() {
            return cached.ok_or_else(|| self.not_cached_error(what));
        }
        let mut registry = Registry::new(&self.downloads, oci);
        match pull(&what, &oci.tag, reference.pin.as_ref(), wanted, limit, &mut registry) {
            Ok(PulledLayer { bytes, manifest, manifest_bytes }) => {
                let _ = self.store.keep(&manifest_bytes);
                let answer = HttpResponse { body: bytes, ..HttpResponse::default() };
                let kept = self.store.keep_fetched(reference, answer, Some(manifest));
                kept.map_err(ArtifactError::Failed)
            }
            Err(ArtifactError::Failed(reason)) => {
                Err(fetch_failed_error(reference, &reason, cached))
            }
            Err(mismatch) => Err(mismatch),
        }
    }

    /// The artifact at a reference of any kind. A pin must match.
    fn fetch_checked(
        &self,
        reference: &Reference,
        kind: ArtifactKind,
        pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        let found = self.fetch_unchecked(reference, kind, pin)?;
        match &reference.pin {
            Some(expected) if !found.matches_pin(expected) => Err(ArtifactError::Mismatch {
                subject: reference.written.clone(),
                expected: *expected,
                found: found.manifest.unwrap_or(found.digest),
            }),
            _ => Ok(found),
        }
    }

    fn binary_checked(&self, request: &BinaryRequest) -> Result<Artifact, ArtifactError> {
        let written = &request.reference.written;
        let is_archive = archive::is_archive(written);
        let member = |bytes: &[u8]| {
            archive::read_member(written, bytes, &request.bin).map_err(ArtifactError::Failed)
        };
        if let Some(sha256) = &request.sha256
            && let Some(bytes) = self.store.checked(sha256)?
        {
            // If the stored bytes are still packed, the digest is that of the archive.
            let packed = is_archive && archive::is_archive_content(&bytes);
            return Ok(binary(if packed { member(&bytes)? } else { bytes }));
        }
        let fetched = self.fetch_checked(&request.reference, ArtifactKind::Executable, None)?;
        let is_archive = is_archive
            || (fetched.manifest.is_some() && archive::is_archive_content(&fetched.bytes));
        let unpacked =
            || if is_archive { member(&fetched.bytes) } else { Ok(fetched.bytes.to_vec()) };
        let Some(sha256) = request.sha256 else {
            return Ok(binary(unpacked()?));
        };
        if fetched.digest == sha256 {
            let _ = self.store.keep(&fetched.bytes);
            return Ok(binary(unpacked()?));
        }
        self.store.remove(&fetched.digest);
        // D-B11: the digest may be that of the binary in the archive.
        let bytes = unpacked()?;
        if Digest::compute(&bytes) != sha256 {
            let (subject, found) = (written.clone(), fetched.digest);
            return Err(ArtifactError::Mismatch { subject, expected: sha256, found });
        }
        let _ = self.store.keep(&bytes);
        Ok(binary(bytes))
    }

    fn or_record<T>(
        &self,
        result: Result<T, ArtifactError>,
        fetch: impl FnOnce() -> Fetch,
    ) -> Result<T, ArtifactError> {
        if let Err(ArtifactError::NotAllowed { .. }) = &result {
            self.record_missing(fetch());
        }
        result
    }

    /// The stored bytes with this digest. A file that was tampered with is removed and reported.
    fn pinned(
        &self,
        pin: Option<&Digest>,
        known: Option<&StoredReference>,
    ) -> Result<Option<Artifact>, ArtifactError> {
        let Some(pin) = pin else { return Ok(None) };
        let Some(bytes) = self.store.checked(pin)? else { return Ok(None) };
        let known = known.filter(|entry| entry.digest == Some(*pin));
        let fetched = known.map(|entry| entry.fetched.clone());
        Ok(Some(Artifact { fetched, ..Artifact::local(bytes.into(), None) }))
    }
}

/// The error for an artifact that cannot be fetched. D-B17: a cached copy that is not pinned is not
/// used instead.
fn fetch_failed_error(
    reference: &Reference,
    reason: &str,
    cached: Option<Artifact>,
) -> ArtifactError {
    ArtifactError::Failed(match cached {
        None => reason.to_owned(),
        Some(cached) => format!(
            "{reason}; '{reference}' could not be read and the cached copy ({}, {}) is not pinned",
            cached.digest,
            cached.fetched.unwrap_or_default()
        ),
    })
}

impl Artifacts for Fetcher {
    fn fetch(
        &self,
        reference: &Reference,
        kind: ArtifactKind,
        pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        let missing = || Fetch::Artifact { reference: reference.clone(), kind };
        self.or_record(self.fetch_checked(reference, kind, pin), missing)
    }

    fn binary(&self, request: &BinaryRequest) -> Result<Artifact, ArtifactError> {
        self.or_record(self.binary_checked(request), || Fetch::Binary(request.clone()))
    }

    fn kept(&self, reference: &Reference, kind: ArtifactKind) -> Option<Artifact> {
        if self.offers_fetches() {
            return None;
        }
        match &reference.location {
            Location::Http(_) | Location::Oci(_) => {
                let kept = self.store.artifact(&self.store.entry(reference)?)?;
                reference.pin.is_none_or(|pin| kept.matches_pin(&pin)).then_some(kept)
            }
            Location::Git(target) => {
                let tree = self.kept_git(target)?;
                Self::read_from_tree(&tree, target, Self::max_bytes(kind)).ok()
            }
            Location::File(_) | Location::Layout { .. } => self.fetch(reference, kind, None).ok(),
        }
    }

    fn signature(&self, request: &SignatureRequest<'_>) -> SignatureVerdict {
        self.verify_signature(request)
    }

    fn image(
        &self,
        digest: &Digest,
        registry: Option<&OciReference>,
    ) -> Result<ImageContents, ArtifactError> {
        if let Ok(kept) = read_image(digest, &mut &self.store) {
            return Ok(kept.contents);
        }
        let Some(registry) = registry.filter(|_| self.forbidden.is_none()) else {
            return Err(self.not_cached_error(digest.to_string()));
        };
        let image = read_image(digest, &mut Registry::new(&self.downloads, registry))?;
        for document in &image.documents {
            // A document that cannot be written is fetched again.
            let _ = self.store.keep(document);
        }
        Ok(image.contents)
    }

    fn platform(&self) -> (String, String) {
        platform()
    }
}

fn binary(bytes: Vec<u8>) -> Artifact {
    Artifact::local(bytes.into(), None)
}
