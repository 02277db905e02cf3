//! Content that a build needs and that is not cached, with the exact requests, so that the user can
//! agree to each fetch.

use super::{ArtifactKind, BinaryRequest, GitTarget, Location, OciReference, Reference};

/// One thing that can be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetch {
    Git(GitTarget),
    /// A file, with the plain HTTP request that Kustomize would send.
    Http(String),
    Artifact {
        reference: Reference,
        kind: ArtifactKind,
    },
    Binary(BinaryRequest),
}

impl Fetch {
    /// A catalog by its reference.
    pub fn catalog(reference: Reference) -> Self {
        Self::Artifact { reference, kind: ArtifactKind::Catalog }
    }

    /// The exact request: a URL, a repository with its ref, an artifact with its tag or digest.
    pub fn request(&self) -> String {
        match self {
            Self::Git(target) => repository(target),
            Self::Http(url) => url.clone(),
            Self::Artifact { reference, .. } => place(reference),
            Self::Binary(request) => place(&request.reference),
        }
    }

    /// The host that the request goes to; for a repository without a host, the repository.
    pub fn from(&self) -> String {
        match self {
            Self::Git(target) => host(&target.repo),
            Self::Http(url) => host(url),
            Self::Artifact { reference, .. } | Self::Binary(BinaryRequest { reference, .. }) => {
                match &reference.location {
                    Location::Http(url) => host(url),
                    Location::Git(target) => host(&target.repo),
                    Location::Oci(OciReference { registry, .. }) => registry.clone(),
                    Location::File(path) => path.display().to_string(),
                    Location::Layout { directory, .. } => directory.display().to_string(),
                }
            }
        }
    }

    /// The kind of content and the protocol.
    pub fn protocol(&self) -> String {
        let (kind, reference) = match self {
            Self::Git(_) => {
                return "git: a shallow clone, with your git configuration".to_owned();
            }
            Self::Http(_) => return "HTTP: one file".to_owned(),
            Self::Artifact { reference, kind } => (*kind, reference),
            Self::Binary(request) => (ArtifactKind::Executable, &request.reference),
        };
        let (content, remark) = match kind {
            ArtifactKind::Catalog => ("a catalog", ""),
            ArtifactKind::Starlark => ("a script", ""),
            ArtifactKind::Executable => ("a program", "; fetching does not run it"),
        };
        match &reference.location {
            Location::Git(_) => {
                format!("{content}, from git: a shallow clone, with your git configuration")
            }
            Location::Oci(_) | Location::Layout { .. } => {
                format!("{content}, from a registry{remark}")
            }
            Location::Http(_) | Location::File(_) => {
                format!("{content}, over HTTP, without credentials{remark}")
            }
        }
    }

    /// True if one fetch covers the other: one clone serves every path in it.
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Git(one), Self::Git(other)) => {
                (&one.repo, &one.reference, one.submodules)
                    == (&other.repo, &other.reference, other.submodules)
            }
            _ => self == other,
        }
    }
}

fn repository(target: &GitTarget) -> String {
    let reference = if target.reference.is_empty() { "HEAD" } else { &target.reference };
    format!("{} at {reference}", target.repo)
}

fn place(reference: &Reference) -> String {
    match (&reference.location, reference.pin) {
        (Location::Git(target), _) => format!("{} ({})", repository(target), target.path),
        (Location::Oci(_), _) | (_, None) => reference.normalised(),
        (_, Some(pin)) => format!("{}@{pin}", reference.normalised()),
    }
}

/// The host of a URL or of `user@host:path`; the text itself if it has no host.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split_once('@').map_or(rest, |(_, rest)| rest);
    let end = if url.contains("://") { &['/', '?', '#'][..] } else { &[':'][..] };
    let host = rest.split(end).next().unwrap_or_default();
    if host.is_empty() { url.to_owned() } else { host.to_owned() }
}
