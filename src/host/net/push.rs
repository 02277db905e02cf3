//! Publishes artifacts: the push half of the distribution protocol, and OCI layouts on disk.

use std::path::Path;

use serde_json::{Value, json};

use crate::engine::load::{
    Digest, Location, MANIFEST_MEDIA_TYPE, OciReference, Publication, Publisher, Reference,
};

use super::download::{Downloads, is_https_or_loopback};
use super::oci::{
    BlobSource, MAX_MANIFEST_BYTES, OciLayout, Registry, RegistryRequest, TAG, tag_of,
};
use super::redirect::{authority, check_redirect, joined};
use crate::host::fs::read::read_named;

const LAYOUT_FILE: &str = "oci-layout";
const INDEX_FILE: &str = "index.json";
const INDEX_MEDIA_TYPE: &str = "application/vnd.oci.image.index.v1+json";

/// Publishes with the user's credentials for registries.
#[derive(Default)]
pub struct ArtifactPublisher {
    downloads: Downloads,
}

impl ArtifactPublisher {
    fn registry<'a>(&'a self, reference: &'a OciReference) -> Registry<'a> {
        let actions = Some("pull,push");
        Registry { actions, ..Registry::new(&self.downloads, reference) }
    }
}

impl Publisher for ArtifactPublisher {
    fn published(&self, reference: &Reference) -> Result<Option<Digest>, String> {
        let manifest = match &reference.location {
            Location::Oci(oci) => self.registry(oci).manifest_if_present(&oci.tag)?,
            Location::Layout { directory, tag } => {
                if is_new_layout(directory)? {
                    return Ok(None);
                }
                let tag = tag.as_deref().unwrap_or_default();
                OciLayout { directory }.manifest_if_present(tag)?
            }
            _ => return Err(format!("{reference}: is neither in a registry nor in a layout")),
        };
        Ok(manifest.map(|bytes| Digest::compute(&bytes)))
    }

    fn publish(&self, reference: &Reference, publication: &Publication) -> Result<(), String> {
        match &reference.location {
            Location::Oci(oci) => push(&mut self.registry(oci), publication),
            Location::Layout { directory, tag } => {
                write_layout(directory, tag.as_deref().unwrap_or_default(), publication)
            }
            _ => Err(format!("{reference}: is neither in a registry nor in a layout")),
        }
    }
}

/// Uploads the blobs that the registry does not have, then the manifest with its tag.
fn push(registry: &mut Registry<'_>, publication: &Publication) -> Result<(), String> {
    for blob in &publication.blobs {
        upload(registry, blob)?;
    }
    let path = format!("manifests/{}", registry.reference.tag);
    let request = RegistryRequest {
        method: "PUT",
        header: ("Content-Type", MANIFEST_MEDIA_TYPE),
        body: Some(&publication.manifest),
        limit: MAX_MANIFEST_BYTES,
    };
    let (url, answer) = registry.answer(&path, request)?;
    match answer.status {
        200..=299 => Ok(()),
        status => Err(refused("PUT", &url, status, &answer.body)),
    }
}

/// Uploads a blob in one request, unless the registry has it.
fn upload(registry: &mut Registry<'_>, blob: &[u8]) -> Result<(), String> {
    let digest = Digest::compute(blob);
    let request = RegistryRequest {
        method: "HEAD",
        header: ("Accept", "*/*"),
        body: None,
        limit: MAX_MANIFEST_BYTES,
    };
    let (_, known) = registry.answer(&format!("blobs/{digest}"), request)?;
    if known.status == 200 {
        return Ok(());
    }
    let header = ("Content-Type", "application/octet-stream");
    let start = RegistryRequest { method: "POST", header, body: Some(&[]), ..request };
    let (url, answer) = registry.answer("blobs/uploads/", start)?;
    if answer.status != 202 {
        return Err(refused("POST", &url, answer.status, &answer.body));
    }
    let location = answer.header("location").unwrap_or_default();
    let upload = joined(&url, location)
        .ok_or_else(|| format!("POST {url:?}: no place for the upload in {location:?}"))?;
    // The credentials are for this registry only, and never sent without protection.
    check_redirect(&url, &upload)?;
    if authority(&upload) != authority(&url) || !is_https_or_loopback(&upload) {
        return Err(format!("POST {url:?}: an upload to {upload:?} is not started"));
    }
    let mark = if upload.contains('?') { '&' } else { '?' };
    let put = RegistryRequest { method: "PUT", header, body: Some(blob), ..request };
    let answer = registry.ask(&format!("{upload}{mark}digest={digest}"), put)?;
    match answer.status {
        200..=299 => Ok(()),
        status => Err(refused("PUT", &upload, status, &answer.body)),
    }
}

/// The error for a refused request, with the first message of the registry.
fn refused(method: &str, url: &str, status: u16, body: &[u8]) -> String {
    let message = serde_json::from_slice::<Value>(body).ok().and_then(|answer| {
        let error = &answer["errors"][0];
        let message = error["message"].as_str().filter(|text| !text.is_empty());
        message.or_else(|| error["code"].as_str()).map(str::to_owned)
    });
    let message = message.map(|message| format!(": {message}")).unwrap_or_default();
    format!("{method} {url:?}: status code {status}{message}")
}

/// True for a folder that does not exist or is empty, false for an OCI layout.
fn is_new_layout(directory: &Path) -> Result<bool, String> {
    if directory.join(LAYOUT_FILE).is_file() {
        return Ok(false);
    }
    let is_empty = match fs_err::read_dir(directory) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(error.to_string()),
    };
    if is_empty {
        return Ok(true);
    }
    Err(format!("{}: the folder has other files and is no OCI layout", directory.display()))
}

/// Adds an artifact to a layout. The index is written last, so that a layout that was written in
/// part is as before.
fn write_layout(directory: &Path, tag: &str, publication: &Publication) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let is_new = is_new_layout(directory)?;
    let blobs = directory.join("blobs").join("sha256");
    fs_err::create_dir_all(&blobs).map_err(told)?;
    // A link in the folder must not lead the write to another place.
    let real = |path: &Path| fs_err::canonicalize(path).map_err(told);
    if real(&blobs)? != real(directory)?.join("blobs").join("sha256") {
        return Err(format!("{}: leads out of the layout", blobs.display()));
    }
    let manifest = Digest::compute(&publication.manifest);
    let contents = publication.blobs.iter().map(|blob| &**blob);
    for bytes in contents.chain([publication.manifest.as_slice()]) {
        replace(&blobs.join(Digest::compute(bytes).hex()), bytes).map_err(told)?;
    }
    let mut index = json!({"schemaVersion": 2, "mediaType": INDEX_MEDIA_TYPE});
    let mut manifests = Vec::new();
    if !is_new {
        let bytes = read_named(&directory.join(INDEX_FILE), MAX_MANIFEST_BYTES)?;
        index = serde_json::from_slice(&bytes)
            .map_err(|error| format!("{}: {error}", directory.join(INDEX_FILE).display()))?;
        manifests = OciLayout { directory }.list()?;
    }
    manifests.retain(|entry| tag_of(entry) != Some(tag));
    manifests.push(json!({
        "mediaType": MANIFEST_MEDIA_TYPE,
        "digest": manifest.to_string(),
        "size": publication.manifest.len(),
        "annotations": {TAG: tag},
    }));
    let fields = index.as_object_mut().ok_or("the index of the layout is no mapping")?;
    fields.insert("manifests".to_owned(), manifests.into());
    replace(&directory.join(INDEX_FILE), format!("{index:#}\n").as_bytes()).map_err(told)?;
    replace(&directory.join(LAYOUT_FILE), b"{\"imageLayoutVersion\": \"1.0.0\"}\n").map_err(told)
}

/// Writes a file beside its place and renames it, so that no link is followed.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    let folder = path.parent().unwrap_or(Path::new("."));
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has permissions to set"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
