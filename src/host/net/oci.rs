//! The pull half of the distribution protocol, and OCI layouts on disk (B.8).

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::engine::load::{
    Artifact, ArtifactError, ArtifactKind, Digest, LAYER_TITLE, OciReference, is_loopback,
};

use super::credentials::credentials;
use super::download::{Downloads, HttpResponse, is_https_or_loopback};
use super::redirect::check_redirect;
use crate::host::fs::read::read_named;

/// The `Accept` header of a request for a manifest, and the limit of its bytes.
const MANIFEST: (&str, u64) = (
    "application/vnd.oci.image.manifest.v1+json, \
     application/vnd.oci.image.index.v1+json, \
     application/vnd.docker.distribution.manifest.v2+json, \
     application/vnd.docker.distribution.manifest.list.v2+json",
    MAX_MANIFEST_BYTES,
);
pub(in crate::host) const MAX_MANIFEST_BYTES: u64 = 4 << 20;

/// The characters that are encoded in a query.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The annotation of a descriptor in a layout with its tag.
pub(in crate::host) const TAG: &str = "org.opencontainers.image.ref.name";

#[derive(Debug)]
pub(in crate::host) struct PulledLayer {
    pub(in crate::host) bytes: Vec<u8>,
    pub(in crate::host) manifest: Digest,
    pub(in crate::host) manifest_bytes: Vec<u8>,
}

impl PulledLayer {
    pub(super) fn into_artifact(self) -> Artifact {
        Artifact { manifest: Some(self.manifest), ..Artifact::local(self.bytes.into(), None) }
    }
}

/// A source of manifests and blobs: a registry, the store, or a layout on disk.
pub(in crate::host) trait BlobSource {
    /// The bytes of a manifest, by tag or digest.
    fn manifest(&mut self, reference: &str) -> Result<Vec<u8>, String>;
    fn blob(&mut self, digest: &Digest, limit: u64) -> Result<Vec<u8>, String>;

    /// The bytes of a manifest; `None` if the registry has no such tag.
    fn manifest_if_present(&mut self, tag: &str) -> Result<Option<Vec<u8>>, String> {
        self.manifest(tag).map(Some)
    }

    /// The descriptors of the manifests that refer to a manifest.
    fn referrers(&mut self, _digest: &Digest) -> Result<Vec<Value>, String> {
        Ok(Vec::new())
    }
}

/// The descriptors of the manifests in an index; `subject` names the index in messages.
fn listed_manifests(subject: &str, index: &[u8]) -> Result<Vec<Value>, String> {
    Ok(json(subject, index)?["manifests"].as_array().cloned().unwrap_or_default())
}

#[derive(Clone, Copy, Debug)]
pub(in crate::host) struct WantedLayer<'a> {
    pub(in crate::host) kind: ArtifactKind,
    /// The title of the layer, if it is not the only one of its kind.
    pub(in crate::host) title: Option<&'a str>,
}

/// Pulls the one layer of the expected kind from the manifest at `reference` (a tag or digest) or,
/// if set, at `pin`. Every digest from the manifest to the layer is checked; `subject` names the
/// artifact in messages.
pub(in crate::host) fn pull(
    subject: &str,
    reference: &str,
    pin: Option<&Digest>,
    wanted: WantedLayer<'_>,
    limit: u64,
    blobs: &mut dyn BlobSource,
) -> Result<PulledLayer, ArtifactError> {
    let asked = pin.map_or_else(|| reference.to_owned(), ToString::to_string);
    let mut bytes = blobs.manifest(&asked)?;
    let (manifest, manifest_bytes) = (checked(subject, &bytes, pin)?, bytes.clone());
    let mut document = json(subject, &bytes)?;
    if let Some(list) = document["manifests"].as_array() {
        let digest = manifest_for_platform(list).ok_or_else(|| {
            format!("{subject}: the index has {} manifests, expected one", list.len())
        })?;
        bytes = blobs.manifest(&digest.to_string())?;
        checked(subject, &bytes, Some(&digest))?;
        document = json(subject, &bytes)?;
    }
    let (digest, size) = layer(subject, &document, wanted)?;
    if size > limit {
        let most = limit >> 20;
        return Err(format!("{subject}: the layer has {size} bytes, more than {most} MiB").into());
    }
    let blob = blobs.blob(&digest, limit)?;
    checked(subject, &blob, Some(&digest))?;
    if blob.len() as u64 != size {
        return Err(
            format!("{subject}: the layer has {} bytes, expected {size}", blob.len()).into()
        );
    }
    Ok(PulledLayer { bytes: blob, manifest, manifest_bytes })
}

/// The digest of some bytes; an error if it is not the expected one, for which no older copy is
/// used instead.
pub(super) fn checked(
    subject: &str,
    bytes: &[u8],
    expected: Option<&Digest>,
) -> Result<Digest, ArtifactError> {
    let found = Digest::compute(bytes);
    match expected {
        Some(expected) if *expected != found => {
            let (subject, expected) = (subject.to_owned(), *expected);
            Err(ArtifactError::Mismatch { subject, expected, found })
        }
        _ => Ok(found),
    }
}

pub(super) fn json(subject: &str, bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("{subject}: the manifest: {error}"))
}

pub(super) fn digest_of(descriptor: &Value) -> Option<Digest> {
    descriptor["digest"].as_str()?.strip_prefix("sha256:").and_then(Digest::parse)
}

/// The only manifest of a list, or the manifest for this machine's platform.
fn manifest_for_platform(list: &[Value]) -> Option<Digest> {
    if let [one] = list {
        return digest_of(one);
    }
    let (os, arch) = platform();
    let platforms = list.iter().map(|entry| (entry, &entry["platform"]));
    let mut fitting = platforms.filter(|(_, it)| it["os"] == os && it["architecture"] == arch);
    fitting.next().and_then(|(entry, _)| digest_of(entry))
}

fn layer(
    subject: &str,
    manifest: &Value,
    wanted: WantedLayer<'_>,
) -> Result<(Digest, u64), String> {
    let layers = manifest["layers"].as_array().map_or(&[][..], Vec::as_slice);
    let media = |layer: &Value| layer["mediaType"].as_str().unwrap_or_default().to_owned();
    let media_types = wanted.kind.media_types();
    let fits = |layer: &&Value| {
        media_types.contains(&media(layer).as_str())
            && wanted.title.is_none_or(|title| layer["annotations"][LAYER_TITLE] == title)
    };
    let fitting: Vec<&Value> = layers.iter().filter(fits).collect();
    let mut expected = media_types.first().copied().unwrap_or_default().to_owned();
    if let Some(title) = wanted.title {
        expected = format!("{expected} with the title {title:?}");
    }
    match fitting.as_slice() {
        [layer] => {
            let digest = digest_of(layer)
                .ok_or_else(|| format!("{subject}: the layer has no sha256 digest"))?;
            let size = layer["size"].as_u64();
            Ok((digest, size.ok_or_else(|| format!("{subject}: the layer has no size"))?))
        }
        [] => {
            let found: Vec<String> = layers.iter().map(media).collect();
            Err(format!("{subject}: no layer of type {expected}; found {}", found.join(", ")))
        }
        several => {
            let count = several.len();
            Err(format!("{subject}: {count} layers of type {expected}, expected one"))
        }
    }
}

pub(in crate::host) struct Registry<'a> {
    pub(in crate::host) downloads: &'a Downloads,
    pub(in crate::host) reference: &'a OciReference,
    /// The value of `Authorization`, after a challenge of the registry.
    pub(in crate::host) authorization: Option<String>,
    /// The actions that a token has to allow, in the words of the distribution protocol; `None` for
    /// those that the challenge of the registry names.
    pub(in crate::host) actions: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(in crate::host) struct RegistryRequest<'r> {
    pub(in crate::host) method: &'r str,
    /// `Accept` or `Content-Type`.
    pub(in crate::host) header: (&'r str, &'r str),
    pub(in crate::host) body: Option<&'r [u8]>,
    pub(in crate::host) limit: u64,
}

impl<'a> Registry<'a> {
    pub(in crate::host) fn new(downloads: &'a Downloads, reference: &'a OciReference) -> Self {
        Self { downloads, reference, authorization: None, actions: None }
    }

    /// The URL and the answer, which has the status 200 or one of `others`.
    fn get(
        &mut self,
        path: &str,
        (accept, limit): (&str, u64),
        others: &[u16],
    ) -> Result<(String, HttpResponse), String> {
        let header = ("Accept", accept);
        let request = RegistryRequest { method: "GET", header, body: None, limit };
        let (url, answer) = self.answer(path, request)?;
        match answer.status {
            status if status == 200 || others.contains(&status) => Ok((url, answer)),
            status => Err(format!("Get {url:?}: status code {status}")),
        }
    }

    /// The answer to an authorized request, with any status, and the URL.
    pub(in crate::host) fn answer(
        &mut self,
        path: &str,
        request: RegistryRequest<'_>,
    ) -> Result<(String, HttpResponse), String> {
        let OciReference { registry, repository, .. } = self.reference;
        let url_of = |scheme: &str| format!("{scheme}://{registry}/v2/{repository}/{path}");
        let secure = url_of("https");
        let (url, first) = if is_loopback(registry) {
            // A registry on this machine may use plain HTTP; one that requires HTTPS reports this
            // in various ways.
            let plain = url_of("http");
            match self.ask(&plain, request) {
                Ok(answer) if answer.status != 400 => (plain, Ok(answer)),
                other => match self.ask(&secure, request) {
                    Ok(answer) => (secure, Ok(answer)),
                    Err(_) => (plain, other),
                },
            }
        } else {
            let answer = self.ask(&secure, request);
            (secure, answer)
        };
        let mut answer = first?;
        if answer.status == 401 && self.authorization.is_none() {
            let challenge = answer.header("www-authenticate").unwrap_or_default().to_owned();
            self.authorization = self.answer_challenge(&url, &challenge)?;
            if self.authorization.is_some() {
                answer = self.ask(&url, request)?;
            }
        }
        Ok((url, answer))
    }

    /// Sends a request. Redirects are followed only for `GET`.
    pub(in crate::host) fn ask(
        &self,
        url: &str,
        request: RegistryRequest<'_>,
    ) -> Result<HttpResponse, String> {
        let RegistryRequest { method, header, body, limit } = request;
        let mut headers = vec![header];
        if let Some(authorization) = &self.authorization {
            headers.push(("Authorization", authorization));
        }
        if method == "GET" {
            return self.downloads.get(url, &headers, limit);
        }
        self.downloads.send_once(method, url, headers.iter(), body, limit)
    }

    /// The `Authorization` value for a registry's challenge; `None` if the user has no credentials
    /// for the registry.
    fn answer_challenge(&self, url: &str, challenge: &str) -> Result<Option<String>, String> {
        let OciReference { registry, repository, .. } = self.reference;
        let basic = credentials(registry).map(|pair| format!("Basic {}", STANDARD.encode(pair)));
        if !challenge.to_ascii_lowercase().starts_with("bearer ") {
            return Ok(basic);
        }
        let realm = parameter(challenge, "realm").unwrap_or_default();
        if !is_allowed_token_server(url, &realm) {
            let where_to = "which is neither an https URL nor, like the registry, on this machine";
            return Err(format!("{registry}: asks for a token from {realm:?}, {where_to}"));
        }
        let service = parameter(challenge, "service").unwrap_or_default();
        let own_scope = |actions: &str| format!("repository:{repository}:{actions}");
        let scope = self.actions.map(own_scope).or_else(|| parameter(challenge, "scope"));
        let scope = scope.unwrap_or_else(|| own_scope("pull"));
        let mark = if realm.contains('?') { '&' } else { '?' };
        let url = format!(
            "{realm}{mark}service={}&scope={}",
            utf8_percent_encode(&service, QUERY),
            utf8_percent_encode(&scope, QUERY)
        );
        let headers: Vec<(&str, &str)> =
            basic.as_deref().map(|basic| ("Authorization", basic)).into_iter().collect();
        let answer = self.downloads.get(&url, &headers, MAX_MANIFEST_BYTES)?;
        let token: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        match token["token"].as_str().or_else(|| token["access_token"].as_str()) {
            Some(token) if answer.status == 200 => Ok(Some(format!("Bearer {token}"))),
            _ => Err(format!("Get {realm:?}: no token (status code {})", answer.status)),
        }
    }
}

impl BlobSource for Registry<'_> {
    fn manifest(&mut self, reference: &str) -> Result<Vec<u8>, String> {
        Ok(self.get(&format!("manifests/{reference}"), MANIFEST, &[])?.1.body)
    }

    fn blob(&mut self, digest: &Digest, limit: u64) -> Result<Vec<u8>, String> {
        Ok(self.get(&format!("blobs/{digest}"), ("*/*", limit), &[])?.1.body)
    }

    fn manifest_if_present(&mut self, tag: &str) -> Result<Option<Vec<u8>>, String> {
        let (_, answer) = self.get(&format!("manifests/{tag}"), MANIFEST, &[404])?;
        Ok((answer.status == 200).then_some(answer.body))
    }

    fn referrers(&mut self, digest: &Digest) -> Result<Vec<Value>, String> {
        let (url, answer) = self.get(&format!("referrers/{digest}"), MANIFEST, &[400, 404, 405])?;
        if answer.status == 200 {
            return listed_manifests(&url, &answer.body);
        }
        // A registry that does not support this request may have the descriptors in an index with
        // this tag.
        referrers_of_tag(digest, self)
    }
}

/// The descriptors in the index with the tag for the referrers of a manifest.
fn referrers_of_tag(digest: &Digest, blobs: &mut dyn BlobSource) -> Result<Vec<Value>, String> {
    let tag = format!("sha256-{}", digest.hex());
    let index = blobs.manifest_if_present(&tag)?;
    index.map_or(Ok(Vec::new()), |index| listed_manifests(&tag, &index))
}

/// True if the registry may send credentials to this token server, by the same rule as for
/// redirects: a remote registry may not name a server on this machine.
fn is_allowed_token_server(url: &str, realm: &str) -> bool {
    is_https_or_loopback(realm) && check_redirect(url, realm).is_ok()
}

fn parameter(challenge: &str, name: &str) -> Option<String> {
    let start = challenge.find(&format!("{name}=\""))? + name.len() + 2;
    let rest = challenge.get(start..)?;
    Some(rest.split('"').next()?.to_owned())
}

pub(in crate::host) struct OciLayout<'a> {
    pub(in crate::host) directory: &'a Path,
}

impl OciLayout<'_> {
    pub(in crate::host) fn list(&self) -> Result<Vec<Value>, String> {
        let bytes = read_named(&self.directory.join("index.json"), MAX_MANIFEST_BYTES)?;
        listed_manifests(&self.directory.display().to_string(), &bytes)
    }
}

/// The tag of a descriptor in the index of a layout.
pub(in crate::host) fn tag_of(entry: &Value) -> Option<&str> {
    entry["annotations"][TAG].as_str()
}

/// True for a descriptor of a signature or of another artifact about a manifest.
fn is_referrer(entry: &Value) -> bool {
    let kind = entry["artifactType"].as_str();
    kind.is_some_and(|kind| kind.starts_with("application/vnd.dev."))
        || tag_of(entry).is_some_and(|tag| tag.starts_with("sha256-"))
}

impl BlobSource for OciLayout<'_> {
    fn manifest(&mut self, reference: &str) -> Result<Vec<u8>, String> {
        if let Some(digest) = Digest::parse(reference) {
            return self.blob(&digest, MAX_MANIFEST_BYTES);
        }
        let shown = self.directory.display();
        let list = self.list()?;
        let found = if reference.is_empty() {
            // Without a name the layout must have exactly one manifest; signatures and other
            // artifacts that refer to a manifest are not counted.
            let content: Vec<&Value> = list.iter().filter(|entry| !is_referrer(entry)).collect();
            let [one] = content.as_slice() else {
                let names: Vec<&str> = content.into_iter().filter_map(tag_of).collect();
                return Err(format!("{shown}: name one of its tags: {}", names.join(", ")));
            };
            Some(*one)
        } else {
            list.iter().find(|entry| tag_of(entry) == Some(reference))
        };
        let digest = found.and_then(digest_of);
        let digest = digest.ok_or_else(|| format!("{shown}: has no tag {reference:?}"))?;
        self.blob(&digest, MAX_MANIFEST_BYTES)
    }

    fn blob(&mut self, digest: &Digest, limit: u64) -> Result<Vec<u8>, String> {
        let path = self.directory.join("blobs").join("sha256").join(digest.hex());
        read_named(&path, limit)
    }

    fn manifest_if_present(&mut self, tag: &str) -> Result<Option<Vec<u8>>, String> {
        let is_listed = self.list()?.iter().any(|entry| tag_of(entry) == Some(tag));
        if is_listed { self.manifest(tag).map(Some) } else { Ok(None) }
    }

    fn referrers(&mut self, digest: &Digest) -> Result<Vec<Value>, String> {
        let mut found = Vec::new();
        for mut entry in self.list()? {
            let Some(own) = digest_of(&entry) else { continue };
            let manifest = json("a manifest", &self.blob(&own, MAX_MANIFEST_BYTES)?)?;
            if digest_of(&manifest["subject"]) == Some(*digest) {
                // Tools leave the type out of the index.
                if let Some(kind) = manifest.get("artifactType") {
                    entry["artifactType"] = kind.clone();
                }
                found.push(entry);
            }
        }
        found.extend(referrers_of_tag(digest, self)?);
        Ok(found)
    }
}

/// The operating system and processor, in the words of catalogs.
pub(in crate::host) fn platform() -> (String, String) {
    let os = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    (os.to_owned(), arch.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::host::net::oci::*;

    #[test]
    fn remote_registry_may_not_name_a_local_token_server() {
        let elsewhere = "https://registry.example.com/v2/fns/manifests/v1";
        assert!(is_allowed_token_server(elsewhere, "https://auth.example.com/token"));
        assert!(!is_allowed_token_server(elsewhere, "http://auth.example.com/token"));
        assert!(!is_allowed_token_server(elsewhere, "http://127.0.0.1:8080/token"));
        assert!(!is_allowed_token_server(elsewhere, "https://localhost/token"));
        assert!(!is_allowed_token_server(elsewhere, "https://user:secret@auth.example.com/token"));
        assert!(!is_allowed_token_server(elsewhere, "file:///etc/passwd"));
        assert!(!is_allowed_token_server(elsewhere, ""));
        let here = "http://localhost:5000/v2/fns/manifests/v1";
        assert!(is_allowed_token_server(here, "http://localhost:5001/token"));
        assert!(!is_allowed_token_server(here, "http://auth.example.com/token"));
    }

    #[test]
    fn cut_off_challenge_is_read_to_its_end() {
        let challenge = "Bearer realm=\"https://a/t\",service=\"s\",scope=\"x\"";
        assert_eq!(parameter(challenge, "realm").as_deref(), Some("https://a/t"));
        assert_eq!(parameter(challenge, "scope").as_deref(), Some("x"));
        assert_eq!(parameter("Bearer realm=\"https://a", "realm").as_deref(), Some("https://a"));
        assert_eq!(parameter("Bearer", "realm"), None);
    }
}
