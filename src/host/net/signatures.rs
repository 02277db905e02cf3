//! Finds the signatures of content: files beside it, and in a registry or an OCI layout the
//! artifacts that refer to its manifest.

use std::path::Path;

use serde_json::Value;

use crate::engine::load::{
    Digest, Location, Reference, SIGNATURE_ENDINGS, SignatureRequest, SignatureSubject,
    SignatureVerdict,
};

use super::download::HttpResponse;
use super::oci::{BlobSource, OciLayout, Registry, digest_of};
use super::remote::Fetcher;
use crate::host::fs::read::read_named;
use crate::host::signature::{
    MAX_SIGNATURE_BYTES, MAX_SIGNATURES, SignatureFile, SignatureForm, annotations_of, verify_all,
};

const SIMPLE_SIGNING: &str = "application/vnd.dev.cosign.simplesigning.v1+json";
const BUNDLE: &str = "application/vnd.dev.sigstore.bundle";

impl Fetcher {
    /// Verifies the signatures of some content. Signatures that may not be fetched and are not
    /// stored make the verdict [`SignatureVerdict::Unavailable`].
    pub(super) fn verify_signature(&self, request: &SignatureRequest<'_>) -> SignatureVerdict {
        let found = self.signature_files(request);
        found.map_or_else(SignatureVerdict::Unavailable, |files| {
            verify_all(&files, request.subject, request.signers)
        })
    }

    /// The signature files for some content: beside it, from its registry, or from an earlier
    /// fetch.
    fn signature_files(
        &self,
        request: &SignatureRequest<'_>,
    ) -> Result<Vec<SignatureFile>, String> {
        let reference = request.reference;
        match (&reference.location, request.subject) {
            (Location::File(_), _) => {
                let files = request.beside.iter();
                Ok(files.map(|(name, bytes)| SignatureFile::beside(name, bytes)).collect())
            }
            (Location::Git(target), _) => {
                let tree = self.clone_repository(target).map_err(|error| error.to_string())?;
                beside(&tree, &target.path)
            }
            (Location::Http(url), _) => {
                self.fetch_or_load(reference, || self.fetch_beside_url(url))
            }
            (Location::Layout { directory, .. }, SignatureSubject::Manifest(digest)) => {
                fetch_manifest_signatures(digest, &mut OciLayout { directory })
            }
            (Location::Oci(oci), SignatureSubject::Manifest(digest)) => {
                let pinned = Reference { pin: Some(digest), ..reference.clone() };
                let mut registry = Registry::new(&self.downloads, oci);
                self.fetch_or_load(&pinned, || fetch_manifest_signatures(digest, &mut registry))
            }
            (Location::Layout { .. } | Location::Oci(_), SignatureSubject::File(_)) => {
                Ok(Vec::new())
            }
        }
    }

    /// The signatures that `fetch` returns, which are then stored; without the network, the stored
    /// ones of an earlier fetch.
    fn fetch_or_load(
        &self,
        reference: &Reference,
        fetch: impl FnOnce() -> Result<Vec<SignatureFile>, String>,
    ) -> Result<Vec<SignatureFile>, String> {
        // No reference that a user writes begins with this text.
        let written = format!("signatures of {}", reference.written);
        let location = Location::Http(format!("signatures:{}", reference.normalised()));
        let entry = Reference { written, location, ..reference.clone() };
        if self.forbidden.is_none() {
            let files = fetch()?;
            // If they cannot be written, the signatures are fetched again.
            let body = serde_json::to_vec(&files).unwrap_or_default();
            let answer = HttpResponse { body, ..HttpResponse::default() };
            let _ = self.store.keep_fetched(&entry, answer, None);
            return Ok(files);
        }
        let stored = self.store.entry(&entry).and_then(|it| self.store.artifact(&it));
        let stored = stored.ok_or("the signatures are not fetched")?;
        serde_json::from_slice(&stored.bytes)
            .map_err(|_| "the signatures are not fetched".to_owned())
    }

    /// Downloads the signature files next to a URL: the URL with each of [`SIGNATURE_ENDINGS`].
    fn fetch_beside_url(&self, url: &str) -> Result<Vec<SignatureFile>, String> {
        let (path, query) = url.split_once('?').map_or((url, None), |(path, q)| (path, Some(q)));
        let mut files = Vec::new();
        for ending in SIGNATURE_ENDINGS {
            let query = query.map(|query| format!("?{query}")).unwrap_or_default();
            let url = format!("{path}{ending}{query}");
            let answer = self.downloads.get(&url, &[], MAX_SIGNATURE_BYTES)?;
            match answer.status {
                200 => {
                    let name = path.rsplit('/').next().unwrap_or_default();
                    let name = format!("{name}{ending}");
                    files.push(SignatureFile::beside(&name, &answer.body));
                }
                // Stores without a right to list answer with 403 for a missing file.
                403 | 404 | 410 => {}
                status => return Err(format!("Get {url:?}: status code {status}")),
            }
        }
        Ok(files)
    }
}

fn beside(tree: &Path, path: &str) -> Result<Vec<SignatureFile>, String> {
    let resolved = |path: &Path| fs_err::canonicalize(path).map_err(|error| error.to_string());
    let tree = resolved(tree)?;
    let mut file = resolved(&tree.join(path))?;
    if file.is_dir() {
        file = resolved(&file.join("catalog.yaml"))?;
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = Vec::new();
    for ending in SIGNATURE_ENDINGS {
        let name = format!("{name}{ending}");
        let Ok(found) = fs_err::canonicalize(file.with_file_name(&name)) else { continue };
        if found.starts_with(&tree) {
            let bytes = read_named(&found, MAX_SIGNATURE_BYTES)?;
            files.push(SignatureFile::beside(&name, &bytes));
        }
    }
    Ok(files)
}

/// The signatures of a manifest: those of cosign's tag, and the bundles that refer to it.
fn fetch_manifest_signatures(
    digest: Digest,
    blobs: &mut dyn BlobSource,
) -> Result<Vec<SignatureFile>, String> {
    let mut files = Vec::new();
    let tag = format!("sha256-{}.sig", digest.hex());
    if let Some(manifest) = blobs.manifest_if_present(&tag)? {
        for layer in layers(&manifest, SIMPLE_SIGNING)? {
            let payload = verified_blob(&layer, blobs)?;
            let annotations = layer.get("annotations").map(annotations_of).unwrap_or_default();
            let form = SignatureForm::Layer { payload, annotations };
            files.push(SignatureFile { name: tag.clone(), form });
        }
    }
    let referrers = blobs.referrers(&digest)?;
    let is_bundle = |entry: &&Value| {
        entry["artifactType"].as_str().is_some_and(|kind| kind.starts_with(BUNDLE))
    };
    let referrers = referrers.iter().filter(is_bundle).filter_map(digest_of);
    for referrer in referrers.take(MAX_SIGNATURES) {
        let manifest = blobs.manifest(&referrer.to_string())?;
        if Digest::compute(&manifest) != referrer {
            return Err(format!("sha256 mismatch for {referrer}"));
        }
        for layer in layers(&manifest, BUNDLE)? {
            let form = SignatureForm::Bundle(verified_blob(&layer, blobs)?);
            files.push(SignatureFile { name: format!("bundle {referrer}"), form });
        }
    }
    Ok(files)
}

fn layers(manifest: &[u8], media: &str) -> Result<Vec<Value>, String> {
    let manifest: Value =
        serde_json::from_slice(manifest).map_err(|error| format!("signatures: {error}"))?;
    let layers = manifest["layers"].as_array().cloned().unwrap_or_default();
    let is_it =
        |layer: &Value| layer["mediaType"].as_str().is_some_and(|found| found.starts_with(media));
    Ok(layers.into_iter().filter(is_it).take(MAX_SIGNATURES).collect())
}

fn verified_blob(layer: &Value, blobs: &mut dyn BlobSource) -> Result<Vec<u8>, String> {
    let digest = digest_of(layer).ok_or("signatures: a layer without a sha256 digest")?;
    let bytes = blobs.blob(&digest, MAX_SIGNATURE_BYTES)?;
    if Digest::compute(&bytes) != digest {
        return Err(format!("sha256 mismatch for {digest}"));
    }
    Ok(bytes)
}
