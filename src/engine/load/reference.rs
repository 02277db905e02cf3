//! The forms of a reference to a catalog, a script or a binary (B.8).

use std::path::{Path, PathBuf};

use super::{Digest, FileKind, Files, GitTarget, ImageReference, LoadError, clean};

/// A reference to a catalog, as written and as understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The text as written, without the digest.
    pub written: String,
    pub location: Location,
    pub pin: Option<Digest>,
    /// In a registry or layout: the title of the layer, if the reference is to a file that was
    /// published with a catalog. No reference that a user writes has one.
    pub layer: Option<String>,
}

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A file, or a directory with a `catalog.yaml` (D-B13); absolute.
    File(PathBuf),
    /// A file over HTTP, normalised.
    Http(String),
    Git(GitTarget),
    Oci(OciReference),
    /// An artifact in an OCI layout on disk (D-B15).
    Layout {
        directory: PathBuf,
        tag: Option<String>,
    },
}

/// An artifact in a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OciReference {
    pub registry: String,
    pub repository: String,
    /// The tag; `latest` if neither a tag nor a digest is set.
    pub tag: String,
}

/// A rejected reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{written}: {reason}")]
pub struct ReferenceError {
    written: String,
    reason: &'static str,
}

impl Reference {
    /// Parses a reference; a relative path starts at `directory`.
    ///
    /// # Errors
    /// Plain HTTP, credentials, `..` in a URL, or a text that is no reference.
    pub fn parse(written: &str, directory: &Path) -> Result<Self, ReferenceError> {
        let (mut text, mut pin) = cut_pin(written);
        let malformed = |reason| ReferenceError { written: written.to_owned(), reason };
        if text.is_empty() {
            return Err(malformed("a reference cannot be empty"));
        }
        if text.chars().any(|found| found.is_control() || found == ' ' && text.contains("://")) {
            return Err(malformed("a reference must not contain spaces or control characters"));
        }
        let location = if let Some(rest) = text.strip_prefix("oci://") {
            Location::Oci(oci(rest).ok_or_else(|| malformed("expected oci://registry/repository"))?)
        } else if let Some(rest) = text.strip_prefix("oci-layout:") {
            layout(rest, directory)
        } else if is_git(text) {
            let text = text.strip_prefix("git::").unwrap_or(text);
            let target = GitTarget::parse(text);
            Location::Git(target.ok_or_else(|| malformed("expected a git repository"))?)
        } else if let Some((scheme, _)) = text.split_once("://") {
            // The part of a URL after `#` is not sent to the server, so that the digest may precede
            // the `#`.
            if pin.is_none() {
                (text, pin) = cut_pin(text.split('#').next().unwrap_or_default());
            }
            // A `..` after `#` is not a valid path in a repository; without it, the rest of the URL
            // would be read as a repository.
            if is_git(text.split('#').next().unwrap_or_default()) {
                return Err(malformed("expected a git repository"));
            }
            parse_http(text, &scheme.to_ascii_lowercase(), pin)?
        } else {
            Location::File(clean(&directory.join(text)))
        };
        Ok(Self { written: text.to_owned(), location, pin, layer: None })
    }

    /// The canonical text, for comparisons (B.5).
    pub fn normalised(&self) -> String {
        let layer = self.layer.as_ref().map(|layer| format!("#{layer}")).unwrap_or_default();
        match &self.location {
            Location::File(path) => path.to_string_lossy().into_owned(),
            Location::Http(url) => url.clone(),
            Location::Git(target) => {
                let reference =
                    if target.reference.is_empty() { "HEAD" } else { &target.reference };
                format!("git::{}//{}?ref={reference}", target.repo, target.path)
            }
            Location::Oci(OciReference { registry, repository, tag }) => match self.pin {
                Some(pin) => format!("oci://{registry}/{repository}@{pin}{layer}"),
                None => format!("oci://{registry}/{repository}:{tag}{layer}"),
            },
            Location::Layout { directory, tag } => {
                let tag = tag.as_ref().map(|tag| format!(":{tag}")).unwrap_or_default();
                format!("oci-layout:{}{tag}{layer}", directory.display())
            }
        }
    }

    /// The reference as it would be written in a file of this directory: a relative path for a file
    /// or layout, anything else unchanged.
    pub fn seen_from(&self, directory: &Path) -> String {
        match &self.location {
            Location::File(path) => relative_path(directory, path),
            Location::Layout { directory: layout, tag } => {
                let tag = tag.as_ref().map(|tag| format!(":{tag}")).unwrap_or_default();
                format!("oci-layout:{}{tag}", relative_path(directory, layout))
            }
            Location::Http(_) | Location::Git(_) | Location::Oci(_) => self.written.clone(),
        }
    }

    /// True if the content can change while the reference stays the same.
    pub fn is_mutable(&self) -> bool {
        self.pin.is_none()
    }

    /// True if loading the content needs a network connection.
    pub fn is_remote(&self) -> bool {
        matches!(self.location, Location::Http(_) | Location::Git(_) | Location::Oci(_))
    }

    /// The same reference with symbolic links followed and a directory replaced by its
    /// `catalog.yaml` (D-B13).
    ///
    /// # Errors
    /// The path does not exist.
    pub fn resolved(&self, files: &dyn Files) -> Result<Self, LoadError> {
        let Location::File(path) = &self.location else { return Ok(self.clone()) };
        let resolve = |path: &Path| {
            files.resolve(path).map_err(|source| LoadError::unresolved(path, source, files))
        };
        let (mut resolved, kind) = resolve(path)?;
        if kind == FileKind::Directory {
            resolved = resolve(&resolved.join("catalog.yaml"))?.0;
        }
        Ok(Self { location: Location::File(resolved), ..self.clone() })
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.written)?;
        self.pin.map_or(Ok(()), |pin| write!(f, "@{pin}"))
    }
}

/// Cuts `@sha256:…` off the end.
fn cut_pin(text: &str) -> (&str, Option<Digest>) {
    match text.rsplit_once("@sha256:") {
        Some((rest, hex)) if Digest::parse(hex).is_some() => (rest, Digest::parse(hex)),
        _ => (text, None),
    }
}

fn oci(rest: &str) -> Option<OciReference> {
    let image = ImageReference::parse(rest);
    let (registry, repository) = image.name.split_once('/')?;
    let plain = |text: &str, more: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    let fits = plain(registry, ".-:[]")
        && plain(repository, "._-/")
        && repository.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
        && image.digest.is_none();
    let tag = image.tag.unwrap_or_else(|| "latest".to_owned());
    (fits && plain(&tag, "._-")).then(|| OciReference {
        registry: registry.to_ascii_lowercase(),
        repository: repository.to_owned(),
        tag,
    })
}

fn layout(rest: &str, directory: &Path) -> Location {
    let ImageReference { name, tag, .. } = ImageReference::parse(rest);
    Location::Layout { directory: clean(&directory.join(name)), tag }
}

/// True for a git URL: by its scheme or prefix, by `//` after the host, or by `?ref=` (B.8).
fn is_git(text: &str) -> bool {
    if text.starts_with("git::") || text.starts_with("git@") || text.starts_with("ssh://") {
        return true;
    }
    let Some((_, rest)) = text.split_once("://") else { return false };
    (rest.contains("//") || rest.contains("?ref=") || rest.contains("&ref="))
        && GitTarget::parse(text).is_some()
}

fn parse_http(text: &str, scheme: &str, pin: Option<Digest>) -> Result<Location, ReferenceError> {
    let malformed = |reason| Err(ReferenceError { written: text.to_owned(), reason });
    let rest = text.split_once("://").map_or("", |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    if authority.contains('@') {
        // Fetches are anonymous.
        return malformed(
            "a URL with a user name is not accepted; catalogs are fetched anonymously",
        );
    }
    let authority = authority.to_ascii_lowercase();
    // A `..` would lead out of the trusted path.
    if leads_up(path) {
        return malformed("a URL with '..' is not accepted");
    }
    let default_port = match scheme {
        "https" => ":443",
        "http" if pin.is_some() || is_loopback(&authority) => ":80",
        // D-B14
        "http" => {
            return malformed(
                "plain http is not allowed for catalogs; use https or pin with @sha256:",
            );
        }
        _ => {
            return malformed("expected a path, https://, a git repository, oci:// or oci-layout:");
        }
    };
    let host = authority.strip_suffix(default_port).unwrap_or(&authority);
    if host.is_empty() {
        return malformed("the URL has no host");
    }
    if !has_host_and_port(&authority) {
        return malformed("expected a host, or a host, a colon and the number of a port");
    }
    Ok(Location::Http(format!("{scheme}://{host}{path}")))
}

/// True for a host with or without one numeric port. A host with `&`, `=`, `;` or `+` is rejected,
/// because these characters separate the parameters of a query.
fn has_host_and_port(authority: &str) -> bool {
    let (host, port) = match authority.split_once(']') {
        Some((host, rest)) if host.starts_with('[') => {
            (host, rest.strip_prefix(':').unwrap_or(rest))
        }
        _ => authority.split_once(':').unwrap_or((authority, "")),
    };
    let is_of_query = |c: char| matches!(c, '&' | '=' | ';' | '+');
    !host.is_empty()
        && !host.contains(is_of_query)
        && (port.is_empty() || port.parse::<u16>().is_ok())
}

/// True if a part of a URL's path is `..` in any spelling: servers decode `%2e` and `%5c`, and some
/// treat a backslash as a slash.
fn leads_up(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let decoded: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
    decoded.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| part == b"..")
}

/// True if the host, with or without port, is this machine.
pub fn is_loopback(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let numbers: Option<Vec<u8>> = host.split('.').map(|part| part.parse().ok()).collect();
    let is_v4 = numbers.is_some_and(|numbers| matches!(numbers.as_slice(), [127, _, _, _]));
    host == "localhost" || host == "::1" || is_v4
}

fn relative_path(from: &Path, to: &Path) -> String {
    let way = super::relative_path(from, to);
    if way.is_empty() { ".".to_owned() } else { way }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(text: &str) -> Result<String, String> {
        let parsed = Reference::parse(text, Path::new("/w/app"));
        parsed.map(|found| found.normalised()).map_err(|error| error.to_string())
    }

    #[test]
    fn references_are_compared_in_one_spelling() {
        let pin = format!("sha256:{}", "a".repeat(64));
        let cases = [
            ("../catalog.yaml", "/w/catalog.yaml"),
            ("HTTPS://Example.CO:443/K/c.yaml#x", "https://example.co/K/c.yaml"),
            ("https://example.co/c.yaml?token=1", "https://example.co/c.yaml?token=1"),
            ("https://example.co/c.yaml@PIN", "https://example.co/c.yaml"),
            ("https://example.co/c.yaml@PIN#x", "https://example.co/c.yaml"),
            ("oci://Reg.io/a/b:v1", "oci://reg.io/a/b:v1"),
            ("oci://reg.io/a/b", "oci://reg.io/a/b:latest"),
            ("oci://reg.io:5000/a/b:v1@PIN", "oci://reg.io:5000/a/b@PIN"),
            ("oci-layout:lay:v1", "oci-layout:/w/app/lay:v1"),
            ("http://127.0.0.1:8080/c.yaml", "http://127.0.0.1:8080/c.yaml"),
            ("http://[::1]:80/c.yaml", "http://[::1]/c.yaml"),
            ("https://[2001:db8::1]/c.yaml", "https://[2001:db8::1]/c.yaml"),
            ("http://example.co/c.yaml@PIN", "http://example.co/c.yaml"),
            // Both paths stay inside: a name with two dots, and a literal percent sign.
            ("https://example.co/a..b/100%/c.yaml", "https://example.co/a..b/100%/c.yaml"),
        ];
        for (text, expected) in cases {
            let [given, expected] = [text, expected].map(|it| it.replace("PIN", &pin));
            assert_eq!(normalised(&given), Ok(expected), "{text}");
        }
    }

    #[test]
    fn unsafe_references_are_rejected() {
        let cases = [
            (
                "http://example.co/c.yaml",
                "plain http is not allowed for catalogs; use https or pin with @sha256:",
            ),
            ("http://127.0.0.1.evil.co/c.yaml", "plain http is not allowed"),
            ("https://example.co@evil.co/c.yaml", "a URL with a user name is not accepted"),
            ("https://example.co/team/%2e%2e/evil/c.yaml", "a URL with '..' is not accepted"),
            ("https://example.co/team/%2E.%2Fevil/c.yaml", "a URL with '..' is not accepted"),
            ("https://example.co/team/%5c.%2e%5Cevil/c.yaml", "a URL with '..' is not accepted"),
            ("ftp://example.co/c.yaml", "expected a path, https://"),
            ("oci://reg.io/../b", "expected oci://registry/repository"),
            ("https:///c.yaml", "the URL has no host"),
            ("https://example//exac#/org/repo//../base", "expected a git repository"),
            ("http://127.0.0.1:80:80/c.yaml", "a colon and the number of a port"),
            ("https://example.co:port/c.yaml", "a colon and the number of a port"),
            ("https://[::1/c.yaml", "a colon and the number of a port"),
        ];
        for (text, message) in cases {
            let error = normalised(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
