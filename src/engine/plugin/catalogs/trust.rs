//! Trust in catalogs (B.5). It depends on decisions of the user only (a flag, a preference, a
//! record), never on the content of the catalog.

use std::path::Path;

use crate::load::{Artifact, Digest, Location, Reference, RequiredSigner};

use super::record::{TrustRecord, TrustScope};

/// All trust decisions of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// `--trusted-catalog`, in the order of the command line.
    pub flags: Vec<TrustedCatalog>,
    /// `trustedCatalogs` of the preferences file.
    pub preferences: Vec<TrustedCatalog>,
    /// The records of earlier decisions, oldest first.
    pub records: Vec<TrustRecord>,
    /// `--require-signature`: only content that one of these signers has signed may run. A required
    /// signer is a restriction, and grants no trust.
    pub signers: Vec<RequiredSigner>,
    /// The confinement of catalog programs on this system. It grants no trust, but is shown to the
    /// user before a decision.
    pub sandbox: Sandbox,
}

/// The confinement of programs from trusted catalogs, set by the code that runs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// Programs run with the user's rights.
    #[default]
    None,
    /// Partly confined; the text describes the missing parts.
    Partial(String),
    /// Programs can read only system files and their own files, write only to their own folder, and
    /// have no network and limited resources.
    Full {
        /// Memory and processes are limited for all processes together, not for each alone.
        together: bool,
    },
}

impl Sandbox {
    /// One line about the confinement and its gaps.
    pub fn words(&self) -> String {
        match self {
            Self::None => "NOT CONFINED, runs with your rights".to_owned(),
            Self::Partial(gaps) => format!("PARTLY CONFINED to its own folder; {gaps}"),
            Self::Full { together } => {
                let limits = if *together {
                    "limited time, memory and processes"
                } else {
                    "limited time, and limited memory of each process (not of all together)"
                };
                format!(
                    "confined (reads the system's programs, writes to its own folder, no network), {limits}"
                )
            }
        }
    }
}

/// A catalog that the user trusts by a flag or a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedCatalog {
    /// The text of the flag or preference as the user wrote it.
    pub written: String,
    pub by: TrustedBy,
}

/// The kind of a trust decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustedBy {
    /// Any reference with this content (D-B6).
    Content(Digest),
    /// Any content of this reference; if the reference has a digest, only that content.
    Reference(Reference),
    /// Remote references with this prefix.
    Prefix(String),
}

impl TrustedCatalog {
    /// Reads a `--trusted-catalog`; a relative path starts at the working directory.
    ///
    /// # Errors
    /// A text that is no reference and no digest.
    pub fn parse(text: &str, current: &Path) -> Result<Self, String> {
        let written = text.to_owned();
        if text.contains('*') {
            return Err(bad_wildcard(text));
        }
        if let Some(hex) = text.strip_prefix("sha256:") {
            let digest = Digest::parse(hex);
            let digest =
                digest.ok_or_else(|| format!("{text}: sha256 must be 64 hexadecimal digits"))?;
            return Ok(Self { written, by: TrustedBy::Content(digest) });
        }
        let reference = Reference::parse(text, current).map_err(|error| error.to_string())?;
        Ok(Self { by: TrustedBy::Reference(reference), written })
    }

    /// Parses an entry of the preferences file; a remote reference may end in `*`.
    ///
    /// # Errors
    /// Those of [`Self::parse`]; a wildcard that does not follow a fixed host and at least one path
    /// segment.
    pub fn parse_preference(text: &str, directory: &Path) -> Result<Self, String> {
        let Some(prefix) = text.strip_suffix('*') else { return Self::parse(text, directory) };
        let (scheme, rest) = prefix.split_once("://").ok_or_else(|| bad_wildcard(text))?;
        let segments: Vec<&str> = rest.split('/').collect();
        let is_fixed = segments.len() >= 3 && segments.iter().take(2).all(|part| !part.is_empty());
        if prefix.contains(['*', '@', '#', '?'])
            || !prefix.ends_with('/')
            || !is_fixed
            || !["https", "oci"].contains(&scheme)
        {
            return Err(bad_wildcard(text));
        }
        // The host is compared in lower case, as in references.
        let host = segments.first().copied().unwrap_or_default();
        let prefix = prefix.replacen(host, &host.to_ascii_lowercase(), 1);
        Ok(Self { written: text.to_owned(), by: TrustedBy::Prefix(prefix) })
    }
}

fn bad_wildcard(text: &str) -> String {
    format!(
        "{text}: a wildcard is allowed only in the preferences file, at the end of a remote reference with a host and one more segment, as in https://example.co/team/*"
    )
}

/// The trust in a reference before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustVerdict {
    /// Trusted if its content has one of the digests; with any content if the list is empty.
    Trusted {
        pins: Vec<Digest>,
    },
    /// The reference itself is not trusted, but content with one of these digests is.
    ByContent {
        digests: Vec<Digest>,
    },
    Untrusted,
}

impl Trust {
    /// Checks the trust in a reference before it is read; links must be resolved.
    pub fn judge(&self, reference: &Reference) -> TrustVerdict {
        let mut pins = Vec::new();
        let mut digests = Vec::new();
        for trusted in self.flags.iter().chain(&self.preferences) {
            match &trusted.by {
                TrustedBy::Content(digest) => digests.push(*digest),
                TrustedBy::Prefix(prefix) if begins_with(reference, prefix) => {
                    return TrustVerdict::Trusted { pins: Vec::new() };
                }
                TrustedBy::Reference(own) if has_same_target(own, reference) => match own.pin {
                    None => return TrustVerdict::Trusted { pins: Vec::new() },
                    Some(pin) => pins.push(pin),
                },
                TrustedBy::Prefix(_) | TrustedBy::Reference(_) => {}
            }
        }
        match self.record_of(reference).map(|record| (record.scope, record.digest)) {
            Some((TrustScope::Reference | TrustScope::Prefix, _)) => {
                return TrustVerdict::Trusted { pins: Vec::new() };
            }
            Some((TrustScope::Digest, digest)) => pins.push(digest),
            Some((TrustScope::Revoked, _)) | None => {}
        }
        if let Some(pin) = reference.pin.filter(|pin| digests.contains(pin)) {
            return TrustVerdict::Trusted { pins: vec![pin] };
        }
        match (pins.is_empty(), digests.is_empty()) {
            (false, _) => {
                pins.extend(digests);
                TrustVerdict::Trusted { pins }
            }
            (true, false) => TrustVerdict::ByContent { digests },
            (true, true) => TrustVerdict::Untrusted,
        }
    }

    /// True if the user decided to trust the same content, under any reference, and has not revoked
    /// the trust in this reference: trust follows content.
    pub fn is_trusted_by_content(&self, reference: &Reference, artifact: &Artifact) -> bool {
        let own = self.record_of(reference);
        own.is_none_or(|record| record.scope != TrustScope::Revoked)
            && self.decisions().any(|record| artifact.matches_pin(&record.digest))
    }

    /// True if [`Self::is_trusted_by_content`] can be decided without a fetch, or by fetching only
    /// content that is pinned and trusted.
    pub fn can_check_content_trust(&self, reference: &Reference) -> bool {
        let Some(pin) = reference.pin else { return !reference.is_remote() };
        self.decisions().any(|record| record.digest == pin)
    }

    /// The records that trust one content, the latest of each reference.
    pub(super) fn decisions(&self) -> impl Iterator<Item = &TrustRecord> {
        self.records.iter().filter(|record| self.is_decision(record))
    }

    /// True for the latest record of its reference, if it trusts one content.
    pub(super) fn is_decision(&self, record: &TrustRecord) -> bool {
        let latest = self.records.iter().rev().find(|it| it.reference == record.reference);
        record.scope == TrustScope::Digest && latest == Some(record)
    }

    /// The latest record about a reference.
    pub fn record_of(&self, reference: &Reference) -> Option<&TrustRecord> {
        let normalised = reference.normalised();
        self.records.iter().rev().find(|record| match record.scope {
            TrustScope::Prefix => begins_with(reference, record.reference.trim_end_matches('*')),
            _ => record.reference == normalised,
        })
    }

    /// The flags whose reference is not used in a build (D-B9).
    pub fn unused<'a>(&'a self, referenced: &[Reference]) -> Vec<&'a str> {
        let is_unused = |trusted: &&TrustedCatalog| match &trusted.by {
            TrustedBy::Reference(own) => {
                !referenced.iter().any(|other| has_same_target(own, other))
            }
            TrustedBy::Content(_) | TrustedBy::Prefix(_) => false,
        };
        self.flags.iter().filter(is_unused).map(|trusted| trusted.written.as_str()).collect()
    }
}

impl TrustVerdict {
    /// The accepted digest, if there is exactly one: the cache may then have the content.
    pub fn pin(&self) -> Option<&Digest> {
        match self {
            Self::Trusted { pins } => match pins.as_slice() {
                [pin] => Some(pin),
                _ => None,
            },
            Self::ByContent { .. } | Self::Untrusted => None,
        }
    }

    /// True if the content is trusted.
    pub fn allows(&self, artifact: &Artifact) -> bool {
        match self {
            Self::Trusted { pins } => {
                pins.is_empty() || pins.iter().any(|pin| artifact.matches_pin(pin))
            }
            Self::ByContent { digests } => {
                digests.iter().any(|digest| artifact.matches_pin(digest))
            }
            Self::Untrusted => false,
        }
    }
}

fn has_same_target(trusted: &Reference, other: &Reference) -> bool {
    match (&trusted.location, &other.location) {
        // A digest determines the content regardless of the tag; it is verified when the content is
        // read.
        (Location::Oci(one), Location::Oci(two)) if trusted.pin.is_some() => {
            one.registry == two.registry && one.repository == two.repository
        }
        _ => trusted.normalised() == other.normalised(),
    }
}

fn begins_with(reference: &Reference, prefix: &str) -> bool {
    reference.is_remote()
        && !matches!(reference.location, Location::Git(_))
        && reference.normalised().strip_prefix(prefix).is_some_and(|rest| !rest.is_empty())
}

/// The contents that the user's decisions about a catalog cover, for the files to which the catalog
/// gives no digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileTrust {
    /// The reference is trusted with any content.
    AnyContent,
    /// Only the contents at the time of the decisions: path and digest of each file.
    Recorded(Vec<(String, Digest)>),
}

impl FileTrust {
    /// The contents that the file at `path` may have; `None` for any.
    pub fn digests_of(&self, path: &str) -> Option<Vec<Digest>> {
        let Self::Recorded(recorded) = self else { return None };
        let own = recorded.iter().filter(|(other, _)| other == path);
        Some(own.map(|(_, digest)| *digest).collect())
    }
}

impl Trust {
    /// The trust in the files of a trusted catalog. Decisions about the same content under another
    /// reference count: trust follows content.
    pub fn file_trust(&self, reference: &Reference, artifact: &Artifact) -> FileTrust {
        if matches!(self.judge(reference), TrustVerdict::Trusted { pins } if pins.is_empty()) {
            return FileTrust::AnyContent;
        }
        let own = self.record_of(reference);
        let others = self.decisions().filter(|record| Some(*record) != own);
        // The latest decision about this reference replaces those about other references.
        let own = own.into_iter().filter(|record| self.is_decision(record));
        let own: Vec<_> = own.filter(|record| artifact.matches_pin(&record.digest)).collect();
        let records = if own.is_empty() {
            others.filter(|record| artifact.matches_pin(&record.digest)).collect()
        } else {
            own
        };
        let files = records.into_iter().flat_map(|record| &record.files);
        FileTrust::Recorded(files.map(|file| (file.path.clone(), file.digest)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(text: &str) -> Reference {
        Reference::parse(text, Path::new("/w")).unwrap()
    }

    fn trust_with_flags(flags: &[&str]) -> Trust {
        let parse = |text: &&str| TrustedCatalog::parse(text, Path::new("/w")).unwrap();
        Trust { flags: flags.iter().map(parse).collect(), ..Trust::default() }
    }

    #[test]
    fn trust_is_by_reference_or_by_content() {
        let digest = Digest::compute(b"x");
        let pinned = format!("https://a.co/c.yaml@{digest}");
        let content = digest.to_string();
        let artifact = format!("oci://r.io/c:v1@{digest}");
        let any = TrustVerdict::Trusted { pins: vec![] };
        let cases = [
            (vec!["c.yaml"], "./c.yaml", any.clone()),
            (vec!["c.yaml"], "d/../c.yaml", any.clone()),
            (vec!["c.yaml"], "d/c.yaml", TrustVerdict::Untrusted),
            (vec!["https://A.co:443/c.yaml"], "https://a.co/c.yaml", any),
            (vec!["https://a.co/c.yaml"], "https://a.co/C.yaml", TrustVerdict::Untrusted),
            (vec!["https://a.co/c.yaml"], "https://a.co.evil.co/c.yaml", TrustVerdict::Untrusted),
            (vec![&*pinned], "https://a.co/c.yaml", TrustVerdict::Trusted { pins: vec![digest] }),
            (
                vec![&*content],
                "https://a.co/c.yaml",
                TrustVerdict::ByContent { digests: vec![digest] },
            ),
            (vec!["oci://r.io/c:v1"], "oci://r.io/c:v2", TrustVerdict::Untrusted),
            (vec![&*artifact], "oci://r.io/c:v2", TrustVerdict::Trusted { pins: vec![digest] }),
            (vec![&*artifact], "oci://evil.io/c:v2", TrustVerdict::Untrusted),
            (vec![&*artifact], "oci://r.io/d:v2", TrustVerdict::Untrusted),
        ];
        for (flags, text, verdict) in cases {
            assert_eq!(
                trust_with_flags(&flags).judge(&reference(text)),
                verdict,
                "{flags:?} {text}"
            );
        }
        let unused = trust_with_flags(&["c.yaml", "https://a.co/c.yaml"]);
        assert_eq!(unused.unused(&[reference("c.yaml")]), ["https://a.co/c.yaml"]);
    }

    #[test]
    fn a_wildcard_needs_a_host_and_a_segment() {
        let parse = |text| TrustedCatalog::parse_preference(text, Path::new("/w"));
        let trusted = parse("https://Example.co/team/*").unwrap();
        let trust = Trust { preferences: vec![trusted], ..Trust::default() };
        let any = TrustVerdict::Trusted { pins: vec![] };
        assert_eq!(trust.judge(&reference("https://example.co/team/c.yaml")), any);
        for text in [
            "https://example.co/teams/c.yaml",
            "https://example.co/team/",
            "https://example.co/team",
            "git::https://example.co/team/repo//cat?ref=v1",
            "https://example.co/team/repo.git//cat?ref=v1",
        ] {
            assert_eq!(trust.judge(&reference(text)), TrustVerdict::Untrusted, "{text}");
        }
        for text in
            ["https://*", "https://a.co/*", "https://*.co/team/*", "/w/*", "https://a.co/t*"]
        {
            assert!(parse(text).unwrap_err().contains("a wildcard is allowed only"), "{text}");
        }
        let flag = TrustedCatalog::parse("https://a.co/team/*", Path::new("/w"));
        assert!(flag.unwrap_err().contains("a wildcard is allowed only"));
    }
}
