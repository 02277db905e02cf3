//! A store of fetched content, by the digest of its bytes (B.9).

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::engine::load::{Artifact, ArtifactError, Digest, Reference};

use super::download::HttpResponse;
use super::oci::BlobSource;
use crate::host::bounds::{MAX_CATALOG_BYTES, MAX_DOWNLOAD_BYTES, MAX_SETTINGS_BYTES};
use crate::host::fs::ownership;
use crate::host::fs::read::read_named;
use crate::host::store::private_files::write_atomically;
use crate::host::store::trust_file::now;

/// The store's record of a reference: its digests, and the headers and time of the fetch.
#[derive(Debug)]
pub(in crate::host) struct StoredReference {
    pub(in crate::host) digest: Option<Digest>,
    pub(in crate::host) manifest: Option<Digest>,
    pub(in crate::host) etag: Option<String>,
    pub(in crate::host) last_modified: Option<String>,
    pub(in crate::host) fetched: String,
}

#[derive(Debug)]
pub(in crate::host) struct DigestStore {
    pub(in crate::host) folder: PathBuf,
}

impl DigestStore {
    fn path(&self, digest: &Digest) -> PathBuf {
        let hex = digest.hex();
        self.folder.join("sha256").join(&hex[..2]).join(hex)
    }

    fn index(&self, reference: &Reference) -> PathBuf {
        let key = format!("{} {:?}", reference.normalised(), reference.pin);
        self.folder
            .join("references")
            .join(format!("{}.json", Digest::compute(key.as_bytes()).hex()))
    }

    /// The stored bytes with this digest, hashed again; on a mismatch the file is removed.
    pub(in crate::host) fn checked(
        &self,
        digest: &Digest,
    ) -> Result<Option<Vec<u8>>, ArtifactError> {
        let path = self.path(digest);
        let Ok(bytes) = read_named(&path, MAX_DOWNLOAD_BYTES) else { return Ok(None) };
        let found = Digest::compute(&bytes);
        if found != *digest {
            self.remove(digest);
            let what = path.display().to_string();
            return Err(ArtifactError::Mismatch { subject: what, expected: *digest, found });
        }
        Ok(Some(bytes))
    }

    pub(in crate::host) fn remove(&self, digest: &Digest) {
        let _ = fs_err::remove_file(self.path(digest));
    }

    pub(in crate::host) fn keep(&self, bytes: &[u8]) -> Result<Digest, String> {
        let digest = Digest::compute(bytes);
        let path = self.path(&digest);
        write_atomically(&path, bytes).map_err(|error| error.to_string())?;
        Ok(digest)
    }

    /// Keeps the body of an answer, with a record of the reference.
    pub(in crate::host) fn keep_fetched(
        &self,
        reference: &Reference,
        answer: HttpResponse,
        manifest: Option<Digest>,
    ) -> Result<Artifact, String> {
        let digest = self.keep(&answer.body)?;
        let fetched = now();
        let text = json!({
            "reference": reference.to_string(),
            "digest": digest.to_string(),
            "manifest": manifest.map(|manifest| manifest.to_string()),
            "etag": answer.header("etag"),
            "lastModified": answer.header("last-modified"),
            "fetchedAt": fetched,
        });
        // If the record cannot be written, the content is fetched again.
        let _ = write_atomically(&self.index(reference), format!("{text:#}\n").as_bytes());
        let local = Artifact::local(answer.body.into(), None);
        Ok(Artifact { manifest, fetched: Some(fetched), ..local })
    }

    pub(in crate::host) fn entry(&self, reference: &Reference) -> Option<StoredReference> {
        let text = ownership::read(&self.index(reference), MAX_SETTINGS_BYTES).ok()?;
        let value: Value = serde_json::from_slice(&text).ok()?;
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Some(StoredReference {
            digest: text("digest").as_deref().and_then(Digest::parse),
            manifest: text("manifest").as_deref().and_then(Digest::parse),
            etag: text("etag"),
            last_modified: text("lastModified"),
            fetched: text("fetchedAt").unwrap_or_default(),
        })
    }

    pub(in crate::host) fn artifact(&self, entry: &StoredReference) -> Option<Artifact> {
        let bytes = self.checked(&entry.digest?).ok()??;
        let fetched = Some(entry.fetched.clone());
        let local = Artifact::local(bytes.into(), None);
        Some(Artifact { fetched, manifest: entry.manifest, ..local })
    }
}

impl BlobSource for &DigestStore {
    fn manifest(&mut self, reference: &str) -> Result<Vec<u8>, String> {
        let digest = Digest::parse(reference).ok_or("no digest")?;
        self.blob(&digest, MAX_CATALOG_BYTES)
    }

    fn blob(&mut self, digest: &Digest, _limit: u64) -> Result<Vec<u8>, String> {
        let found = self.checked(digest).map_err(|error| error.to_string())?;
        found.ok_or_else(|| "not in the store".to_owned())
    }
}
