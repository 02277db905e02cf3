//! Signatures of catalogs, artifacts and images: the signers that the user requires, and the result
//! of a verification. The port [`super::Artifacts`] verifies.

use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{Digest, Files, Reference, clean};

/// A signer that the user requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequiredSigner {
    /// The owner of a public key, as a DER `SubjectPublicKeyInfo`.
    Key(Vec<u8>),
    Certificate(CertificateSigner),
}

/// A signer with a short-lived certificate ("keyless").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CertificateSigner {
    /// The e-mail address or URI in the certificate.
    pub identity: String,
    /// The `OpenID` Connect issuer that confirmed the identity.
    pub issuer: String,
    pub authorities: Vec<Vec<u8>>,
    /// The transparency logs that may confirm the time of a signature.
    pub logs: Vec<LogKey>,
}

/// The key of a transparency log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogKey {
    /// The DER `SubjectPublicKeyInfo`.
    pub key: Vec<u8>,
    /// The first and last time of its use, as RFC 3339 in UTC; empty without a limit.
    pub valid: [String; 2],
}

impl RequiredSigner {
    /// Parses `FILE`, `key=FILE`, or `identity=NAME,issuer=URL` with `ca=FILE,log=FILE` or
    /// `root=FILE`, and reads the files; relative paths start at `directory`.
    ///
    /// # Errors
    /// An unknown or missing part, or a file without the expected content.
    pub fn parse(text: &str, directory: &Path, files: &dyn Files) -> Result<Self, String> {
        let read = |path: &str| {
            let file = clean(&directory.join(path));
            files.read(&file).map_err(|error| format!("{path}: {error}"))
        };
        let key = |path: &str| {
            let keys = pem_blocks(&read(path)?, "PUBLIC KEY");
            match <[Vec<u8>; 1]>::try_from(keys) {
                Ok([key]) => Ok(key),
                Err(_) => {
                    Err(format!("{path}: expected a public key in PEM form (BEGIN PUBLIC KEY)"))
                }
            }
        };
        let is_certificate = text.split(',').any(|part| part.starts_with("identity="));
        if !is_certificate {
            return Ok(Self::Key(key(text.strip_prefix("key=").unwrap_or(text))?));
        }
        let mut signer = CertificateSigner::default();
        for part in text.split(',') {
            match part.split_once('=') {
                Some(("identity", value)) => value.clone_into(&mut signer.identity),
                Some(("issuer", value)) => value.clone_into(&mut signer.issuer),
                Some(("ca", path)) => {
                    let found = pem_blocks(&read(path)?, "CERTIFICATE");
                    if found.is_empty() {
                        let expected = "certificates in PEM form (BEGIN CERTIFICATE)";
                        return Err(format!("{path}: expected {expected}"));
                    }
                    signer.authorities.extend(found);
                }
                Some(("log", path)) => {
                    signer.logs.push(LogKey { key: key(path)?, valid: Default::default() });
                }
                Some(("root", path)) => {
                    let root = trusted_root(&read(path)?);
                    let expected = "a trusted root of Sigstore in JSON form, with times in UTC";
                    let (authorities, logs) =
                        root.ok_or_else(|| format!("{path}: expected {expected}"))?;
                    signer.authorities.extend(authorities);
                    signer.logs.extend(logs);
                }
                _ => {
                    let known = "key, identity, issuer, ca, log and root";
                    return Err(format!("unknown part '{part}'; it takes {known}"));
                }
            }
        }
        let parts = [
            ("identity=NAME", signer.identity.is_empty()),
            ("issuer=URL", signer.issuer.is_empty()),
            ("ca=FILE", signer.authorities.is_empty()),
            ("log=FILE", signer.logs.is_empty()),
        ];
        match parts.into_iter().find(|(_, is_missing)| *is_missing) {
            Some((part, _)) => Err(format!(
                "expected identity=NAME,issuer=URL,ca=FILE,log=FILE or identity=NAME,issuer=URL,root=FILE: \
                 {part} is missing"
            )),
            None => Ok(Self::Certificate(signer)),
        }
    }

    /// The signer in records and lock files.
    pub fn name(&self) -> String {
        match self {
            Self::Key(key) => format!("key {}", Digest::compute(key)),
            Self::Certificate(CertificateSigner { identity, issuer, .. }) => {
                format!("{identity} ({issuer})")
            }
        }
    }
}

/// The contents of the PEM blocks with this label.
pub fn pem_blocks(text: &[u8], label: &str) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let (begin, end) = (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
    let mut blocks = Vec::new();
    let mut rest = &*text;
    while let Some((_, after)) = rest.split_once(&begin) {
        let Some((body, after)) = after.split_once(&end) else { break };
        let body: String = body.split_whitespace().collect();
        blocks.extend(STANDARD.decode(body));
        rest = after;
    }
    blocks
}

fn trusted_root(text: &[u8]) -> Option<(Vec<Vec<u8>>, Vec<LogKey>)> {
    let root: Value = serde_json::from_slice(text).ok()?;
    let list = |value: &Value, pointer: &str| {
        value.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let bytes =
        |value: &Value, pointer: &str| STANDARD.decode(value.pointer(pointer)?.as_str()?).ok();
    let authorities = list(&root, "/certificateAuthorities");
    let authorities = authorities.iter().flat_map(|it| list(it, "/certChain/certificates"));
    let authorities = authorities.map(|it| bytes(&it, "/rawBytes"));
    // A log without a start of its use is no log of a trusted root.
    let logs = list(&root, "/tlogs").into_iter();
    let logs = logs.filter(|log| log.pointer("/publicKey/validFor/start").is_some());
    let logs = logs.map(|log| {
        let time = |pointer: &str| match log.pointer(pointer).and_then(Value::as_str) {
            None => Some(String::new()),
            Some(time) => time.ends_with('Z').then(|| time.to_owned()),
        };
        Some(LogKey {
            key: bytes(&log, "/publicKey/rawBytes")?,
            valid: [time("/publicKey/validFor/start")?, time("/publicKey/validFor/end")?],
        })
    });
    Some((authorities.collect::<Option<_>>()?, logs.collect::<Option<_>>()?))
}

/// The signed content, and the signers that count.
pub struct SignatureRequest<'a> {
    /// The reference of the content: its signatures are beside it.
    pub reference: &'a Reference,
    pub subject: SignatureSubject<'a>,
    /// The signature files beside a local file: name and content.
    pub beside: Vec<(String, Arc<[u8]>)>,
    /// The required signers: a signature of one of them is enough.
    pub signers: &'a [RequiredSigner],
}

/// The content that a signature covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureSubject<'a> {
    File(&'a [u8]),
    /// The manifest of an artifact or image.
    Manifest(Digest),
}

/// The endings of signature files beside a file, in the order of the search.
pub const SIGNATURE_ENDINGS: [&str; 4] = [".sigstore.json", ".sigstore", ".bundle", ".sig"];

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub enum SignatureVerdict {
    /// The user requires no signer.
    #[default]
    #[error("not verified: no --require-signature")]
    NotVerified,
    /// The required signer.
    #[error("signed by {0}")]
    SignedBy(String),
    #[error("not signed")]
    Unsigned,
    /// No signature verifies: the reason.
    #[error("signature does not verify: {0}")]
    Invalid(String),
    /// The signatures cannot be read: the reason.
    #[error("not known: {0}")]
    Unavailable(String),
}

impl SignatureVerdict {
    /// The verified signer.
    pub fn signer(&self) -> Option<&str> {
        match self {
            Self::SignedBy(signer) => Some(signer),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MemoryFiles;
    use super::*;

    const KEY: &str = "-----BEGIN PUBLIC KEY-----\nAAEC\n-----END PUBLIC KEY-----\n";
    const CA: &str = "x\n-----BEGIN CERTIFICATE-----\nAwQF\n-----END CERTIFICATE-----\n\
                      -----BEGIN CERTIFICATE-----\nBgcI\n-----END CERTIFICATE-----\n";
    const ROOT: &str = r#"{"certificateAuthorities": [{"certChain": {"certificates": [{"rawBytes": "AwQF"}]}}],
        "tlogs": [{"publicKey": {"rawBytes": "AAEC", "validFor": {"start": "2021-01-12T11:53:27Z"}}}]}"#;

    fn parse(text: &str) -> Result<RequiredSigner, String> {
        let files = MemoryFiles::default().file("/w/k.pub", KEY).file("/w/ca.pem", CA);
        let files = files.file("/w/root.json", ROOT).file("/w/local.json", ROOT.replace('Z', ""));
        RequiredSigner::parse(text, Path::new("/w"), &files)
    }

    #[test]
    fn signer_is_a_key_or_an_identity_with_a_root() {
        let key = vec![0, 1, 2];
        assert_eq!(parse("k.pub"), Ok(RequiredSigner::Key(key.clone())));
        assert_eq!(parse("key=k.pub"), parse("k.pub"));
        let signer = CertificateSigner {
            identity: "jane@example.com".to_owned(),
            issuer: "https://accounts.example.com".to_owned(),
            authorities: vec![vec![3, 4, 5], vec![6, 7, 8]],
            logs: vec![LogKey { key: key.clone(), valid: Default::default() }],
        };
        let who = "identity=jane@example.com,issuer=https://accounts.example.com";
        let found = parse(&format!("{who},ca=ca.pem,log=k.pub")).unwrap();
        assert_eq!(found.name(), "jane@example.com (https://accounts.example.com)");
        assert_eq!(found, RequiredSigner::Certificate(signer.clone()));
        let valid = ["2021-01-12T11:53:27Z".to_owned(), String::new()];
        let logs = vec![LogKey { key, valid }];
        let authorities = vec![vec![3, 4, 5]];
        let signer = CertificateSigner { authorities, logs, ..signer };
        let found = parse(&format!("{who},root=root.json"));
        assert_eq!(found, Ok(RequiredSigner::Certificate(signer)));
    }

    #[test]
    fn incomplete_signer_is_refused_with_the_missing_part() {
        for (text, reason) in [
            ("gone.pub", "no such file"),
            ("ca.pem", "expected a public key"),
            ("identity=j,issuer=i,ca=k.pub,log=k.pub", "expected certificates"),
            ("identity=j,issuer=i,ca=ca.pem", "log=FILE is missing"),
            ("identity=j,ca=ca.pem,log=k.pub", "issuer=URL is missing"),
            ("identity=,issuer=i,ca=ca.pem,log=k.pub", "identity=NAME is missing"),
            ("identity=j,issuer=i,log=k.pub", "ca=FILE is missing"),
            ("identity=j,issuer=i,root=k.pub", "expected a trusted root"),
            ("identity=j,issuer=i,root=local.json", "expected a trusted root"),
            ("identity=j,issuer=i,tsa=ca.pem", "unknown part 'tsa=ca.pem'"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
