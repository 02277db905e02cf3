//! The files that a catalog names: the scripts and programs that would run.

use std::path::Path;
use std::sync::Arc;

use crate::load::{ArtifactKind, Digest, FileError, Files, Location, Reference, ReferenceError};
use crate::manifest::{CatalogScript, CatalogVersion, Runtime};

use super::cache::{CachedCatalog, CatalogPorts};
use super::record::FileSnapshot;

/// The maximum length of a text that is shown and recorded; of a longer text only the digest is.
const MAX_SHOWN_TEXT_BYTES: usize = 64 << 10;

/// A script or program that a catalog names, with its present content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// As the catalog names it.
    pub path: String,
    /// [`ArtifactKind::Starlark`] for a script, [`ArtifactKind::Executable`] for a program.
    pub kind: ArtifactKind,
    /// The functions that run it: `group/version Kind`.
    pub functions: Vec<String>,
    pub pinned: Option<Digest>,
    pub content: NamedFileContent,
}

/// The present content of a named file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedFileContent {
    Read {
        digest: Digest,
        size: usize,
        /// The text, unless it is long or binary.
        text: Option<Arc<str>>,
    },
    /// The file has a URL and is not in the cache.
    NotFetched,
    Unreadable(String),
}

impl NamedFile {
    /// The files that a catalog names, each once, in its order. Local files are read; of the others
    /// the cached copy is used.
    pub fn all(opened: &CachedCatalog, ports: CatalogPorts<'_>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for function in &opened.catalog.functions {
            for version in &function.versions {
                for (path, kind, pinned) in named(version) {
                    let id = function.id(version);
                    let is_same =
                        |it: &&mut Self| (&*it.path, it.kind, it.pinned) == (path, kind, pinned);
                    if let Some(known) = all.iter_mut().find(is_same) {
                        if !known.functions.contains(&id) {
                            known.functions.push(id);
                        }
                        continue;
                    }
                    let content = content(path, kind, pinned, opened, ports);
                    let (path, functions) = (path.to_owned(), vec![id]);
                    all.push(Self { path, kind, functions, pinned, content });
                }
            }
        }
        all
    }

    /// True if only a trust decision can pin the content: a local script without a digest in the
    /// catalog. Without a digest, programs and remote scripts do not run.
    pub fn needs_pin(&self) -> bool {
        let is_local = is_path(&self.path) && self.content != NamedFileContent::NotFetched;
        self.pinned.is_none() && self.kind == ArtifactKind::Starlark && is_local
    }

    /// False for a path above a catalog that was read without a folder: the function cannot run.
    pub fn has_location(&self, opened: &CachedCatalog) -> bool {
        file_reference(&self.path, self.pinned, opened).is_some()
    }

    /// The bytes of a file in the folder of the catalog; `None` for any other file.
    pub fn local_bytes(
        &self,
        opened: &CachedCatalog,
        ports: CatalogPorts<'_>,
    ) -> Option<Arc<[u8]>> {
        let directory = opened.artifact.directory.as_deref().filter(|_| is_path(&self.path))?;
        read_beside(ports.files, directory, &self.path).ok()
    }

    /// True for an archive, whose digest in the catalog may be that of a file in it.
    pub fn is_archive(&self) -> bool {
        is_archive(&self.path)
    }

    /// The digest of the present content.
    pub fn digest(&self) -> Option<Digest> {
        match self.content {
            NamedFileContent::Read { digest, .. } => Some(digest),
            NamedFileContent::NotFetched | NamedFileContent::Unreadable(_) => None,
        }
    }

    /// The file for the record of a trust decision; `None` if its content is not known.
    pub(super) fn snapshot(&self) -> Option<FileSnapshot> {
        let NamedFileContent::Read { digest, size, text } = &self.content else { return None };
        Some(FileSnapshot {
            path: self.path.clone(),
            digest: *digest,
            size: *size,
            text: text.as_deref().map(str::to_owned),
        })
    }
}

fn named(version: &CatalogVersion) -> Vec<(&str, ArtifactKind, Option<Digest>)> {
    match &version.runtime {
        Runtime::Container(_) => Vec::new(),
        Runtime::Starlark(CatalogScript { uri, sha256 }) => {
            vec![(uri, ArtifactKind::Starlark, *sha256)]
        }
        Runtime::Exec(programs) => {
            let programs = programs.iter();
            programs.map(|it| (&*it.uri, ArtifactKind::Executable, it.sha256)).collect()
        }
    }
}

fn content(
    path: &str,
    kind: ArtifactKind,
    pinned: Option<Digest>,
    opened: &CachedCatalog,
    ports: CatalogPorts<'_>,
) -> NamedFileContent {
    let directory = opened.artifact.directory.as_deref();
    if is_path(path)
        && let Some(directory) = directory
    {
        return match read_beside(ports.files, directory, path) {
            Ok(bytes) => read(&bytes),
            Err(error) => NamedFileContent::Unreadable(error),
        };
    }
    let kept = || {
        let reference = file_reference(path, pinned, opened)?.ok()?;
        if matches!(reference.location, Location::Layout { .. })
            && let Err(error) = ports.artifacts.fetch(&reference, kind, None)
        {
            // A layout is on this machine, so that no later fetch adds the file.
            return Some(NamedFileContent::Unreadable(error.to_string()));
        }
        let artifact = ports.artifacts.kept(&reference, kind)?;
        let pin = pinned.or(reference.pin.filter(|_| reference.layer.is_none()))?;
        artifact.matches_pin(&pin).then(|| read(&artifact.bytes))
    };
    // The digest can be that of a member of the archive.
    let kept = if is_archive(path) { None } else { kept() };
    kept.unwrap_or(NamedFileContent::NotFetched)
}

/// True for a path, false for a URL.
pub(super) fn is_path(uri: &str) -> bool {
    !uri.contains("://") && !["git@", "git::", "oci-layout:"].iter().any(|at| uri.starts_with(at))
}

pub(super) fn is_archive(path: &str) -> bool {
    [".tar.gz", ".tgz", ".tar", ".zip"].iter().any(|ending| path.ends_with(ending))
}

fn read(bytes: &[u8]) -> NamedFileContent {
    let is_shown = bytes.len() <= MAX_SHOWN_TEXT_BYTES && !bytes.contains(&0);
    let text = is_shown.then(|| std::str::from_utf8(bytes).ok()).flatten();
    let digest = Digest::compute(bytes);
    NamedFileContent::Read { digest, size: bytes.len(), text: text.map(Into::into) }
}

/// The reference of a file that a catalog names: a path is relative to the directory or the URL of
/// the catalog, and in a registry or layout the title of a layer beside that of the catalog. `None`
/// for a path that leads above a catalog without a directory.
pub(super) fn file_reference(
    uri: &str,
    sha256: Option<Digest>,
    opened: &CachedCatalog,
) -> Option<Result<Reference, ReferenceError>> {
    let CachedCatalog { reference, artifact, .. } = opened;
    let directory = artifact.directory.as_deref();
    if !is_path(uri) || directory.is_some() {
        return Some(parse(uri, sha256, directory.unwrap_or(Path::new("/"))));
    }
    let path = layer_title(uri)?;
    match &reference.location {
        Location::Http(url) => {
            let url = url.split(['?', '#']).next().unwrap_or_default();
            let (folder, _) = url.rsplit_once('/')?;
            Some(parse(&format!("{folder}/{path}"), sha256, Path::new("/")))
        }
        Location::Oci(_) | Location::Layout { .. } => Some(Ok(Reference {
            written: format!("{}#{path}", reference.written),
            pin: artifact.manifest.or(reference.pin),
            layer: Some(path.to_owned()),
            ..reference.clone()
        })),
        Location::File(_) | Location::Git(_) => None,
    }
}

/// Parses a location. Content with a digest may be fetched over plain HTTP.
fn parse(uri: &str, sha256: Option<Digest>, directory: &Path) -> Result<Reference, ReferenceError> {
    let own = sha256.filter(|_| uri.starts_with("http://") && !uri.contains("@sha256:"));
    let Some(sha256) = own else { return Reference::parse(uri, directory) };
    let parsed = Reference::parse(&format!("{uri}@{sha256}"), directory)?;
    // The digest may be that of the file in the archive, so that the download itself must not be
    // compared with it.
    Ok(Reference { pin: None, ..parsed })
}

/// The title of the layer with a file that a published catalog names; `None` for a path that leads
/// above the catalog.
pub fn layer_title(path: &str) -> Option<&str> {
    let path = path.trim_start_matches("./");
    let is_below = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
    is_below.then_some(path)
}

/// The bytes of a file below the directory of a catalog, or the reason why there are none; links out
/// of it are not followed.
pub(super) fn read_beside(
    files: &dyn Files,
    directory: &Path,
    path: &str,
) -> Result<Arc<[u8]>, String> {
    let unreadable = |file: &Path, error: FileError| format!("{}: {error}", file.display());
    let resolve = |file: &Path| {
        let resolved = files.resolve(file).map(|(resolved, _)| resolved);
        resolved.map_err(|error| unreadable(file, error))
    };
    let resolved = resolve(directory)?;
    let file = resolve(&directory.join(path))?;
    if !file.starts_with(&resolved) {
        return Err(format!("it is outside '{}'", resolved.display()));
    }
    files.read(&file).map_err(|error| unreadable(&file, error))
}
