//! The forms of a signature: detached, a layer of a signature artifact, and bundles.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::load::{Digest, pem_blocks};

/// A signature file, or a layer of a signature artifact, as it was read; the cache keeps it as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(in crate::host) struct SignatureFile {
    pub(in crate::host) name: String,
    pub(in crate::host) form: SignatureForm,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(in crate::host) enum SignatureForm {
    /// Base64 text or plain bytes.
    Detached(#[serde(with = "base64_text")] Vec<u8>),
    /// A bundle of Sigstore or of older releases of cosign, in JSON.
    Bundle(#[serde(with = "base64_text")] Vec<u8>),
    /// A layer of a signature artifact, with its annotations.
    Layer {
        #[serde(with = "base64_text")]
        payload: Vec<u8>,
        annotations: BTreeMap<String, String>,
    },
}

mod base64_text {
    use base64::Engine as _;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::STANDARD;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
    }
}

#[derive(Debug, Default)]
pub(super) struct Signature {
    pub(super) message: SignedMessage,
    pub(super) value: Vec<u8>,
    pub(super) certificate: Option<Vec<u8>>,
    /// Further DER certificates, between that of the signer and an authority.
    pub(super) chain: Vec<Vec<u8>>,
    pub(super) log_entries: Vec<LogEntry>,
}

/// The bytes to which a signature applies.
#[derive(Debug, Default)]
pub(super) enum SignedMessage {
    #[default]
    Content,
    /// A document that contains the digest of a manifest.
    SimpleSigning(Vec<u8>),
    /// An in-toto statement in a DSSE envelope.
    Statement { payload_type: String, payload: Vec<u8> },
}

/// An entry of a transparency log with the promise of the log to include it.
#[derive(Debug)]
pub(super) struct LogEntry {
    /// The canonical JSON of the entry.
    pub(super) body: Vec<u8>,
    /// The time at which the log included the entry, in seconds since 1970.
    pub(super) time: u64,
    pub(super) index: u64,
    /// The digest of the log's key.
    pub(super) log: Digest,
    /// The log's signature over the four fields above; empty if the log made no promise.
    pub(super) promise: Vec<u8>,
}

const SIGNATURE: &str = "dev.cosignproject.cosign/signature";
const CERTIFICATE: &str = "dev.sigstore.cosign/certificate";
const CHAIN: &str = "dev.sigstore.cosign/chain";
const BUNDLE: &str = "dev.sigstore.cosign/bundle";

impl SignatureFile {
    /// The signature file with this name beside some content; the ending of the name determines its
    /// form.
    pub(in crate::host) fn beside(name: &str, bytes: &[u8]) -> Self {
        let bytes = bytes.to_vec();
        let is_detached = Path::new(name).extension().is_some_and(|it| it == "sig");
        let form =
            if is_detached { SignatureForm::Detached(bytes) } else { SignatureForm::Bundle(bytes) };
        Self { name: name.to_owned(), form }
    }

    pub(super) fn parse(&self) -> Result<Signature, String> {
        match &self.form {
            SignatureForm::Detached(bytes) => {
                Ok(Signature { value: decode_detached(bytes), ..Signature::default() })
            }
            SignatureForm::Bundle(bytes) => {
                let json: Value = serde_json::from_slice(bytes)
                    .map_err(|error| format!("malformed bundle: {error}"))?;
                let is_older = json.get("base64Signature").is_some();
                let parsed = if is_older { older_bundle(&json) } else { bundle(&json) };
                parsed.ok_or_else(|| "malformed bundle".to_owned())
            }
            SignatureForm::Layer { payload, annotations } => {
                layer(payload, annotations).ok_or_else(|| "malformed annotations".to_owned())
            }
        }
    }
}

pub(in crate::host) fn annotations_of(annotations: &Value) -> BTreeMap<String, String> {
    let pairs = annotations.as_object().into_iter().flatten();
    pairs.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}

/// The bytes of a detached signature: decoded if it is base64 (cosign), otherwise unchanged (other
/// tools).
fn decode_detached(bytes: &[u8]) -> Vec<u8> {
    let text: Vec<u8> = bytes.iter().copied().filter(|it| !it.is_ascii_whitespace()).collect();
    STANDARD.decode(text).unwrap_or_else(|_| bytes.to_vec())
}

fn decode_base64_at(value: &Value, pointer: &str) -> Option<Vec<u8>> {
    STANDARD.decode(value.pointer(pointer)?.as_str()?).ok()
}

/// A number, which the JSON form of protocol buffers writes as a string.
fn number(value: &Value, pointer: &str) -> Option<u64> {
    let value = value.pointer(pointer)?;
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// A Sigstore bundle. `None` if it is malformed, or of an unknown version.
fn bundle(json: &Value) -> Option<Signature> {
    let media = json.get("mediaType")?.as_str()?;
    let known = [
        "application/vnd.dev.sigstore.bundle+json;version=0.1",
        "application/vnd.dev.sigstore.bundle+json;version=0.2",
        "application/vnd.dev.sigstore.bundle+json;version=0.3",
        "application/vnd.dev.sigstore.bundle.v0.3+json",
    ];
    if !known.contains(&media) {
        return None;
    }
    let material = json.get("verificationMaterial")?;
    let certificates: &[Value] = match material.pointer("/x509CertificateChain/certificates") {
        Some(chain) => chain.as_array()?,
        None => material.get("certificate").map(std::slice::from_ref).unwrap_or_default(),
    };
    let certificates = certificates.iter().map(|it| decode_base64_at(it, "/rawBytes"));
    let mut certificates = certificates.collect::<Option<Vec<_>>>()?.into_iter();
    let certificate = certificates.next();
    let entries = material.get("tlogEntries").and_then(Value::as_array);
    let log_entries = entries.into_iter().flatten().map(|entry| {
        Some(LogEntry {
            body: decode_base64_at(entry, "/canonicalizedBody")?,
            time: number(entry, "/integratedTime").unwrap_or_default(),
            index: number(entry, "/logIndex").unwrap_or_default(),
            log: <[u8; 32]>::try_from(decode_base64_at(entry, "/logId/keyId")?).ok()?.into(),
            promise: decode_base64_at(entry, "/inclusionPromise/signedEntryTimestamp")
                .unwrap_or_default(),
        })
    });
    let log_entries = log_entries.collect::<Option<_>>()?;
    let (message, signature) = if let Some(envelope) = json.get("dsseEnvelope") {
        let [signature] = envelope.get("signatures")?.as_array()?.as_slice() else { return None };
        let message = SignedMessage::Statement {
            payload_type: envelope.get("payloadType")?.as_str()?.to_owned(),
            payload: decode_base64_at(envelope, "/payload")?,
        };
        (message, decode_base64_at(signature, "/sig")?)
    } else {
        (SignedMessage::Content, decode_base64_at(json, "/messageSignature/signature")?)
    };
    Some(Signature {
        message,
        value: signature,
        certificate,
        chain: certificates.collect(),
        log_entries,
    })
}

/// A bundle of `cosign sign-blob --bundle` before version 3.
fn older_bundle(json: &Value) -> Option<Signature> {
    // The field `cert` is the base64 of a PEM certificate, or of the public key if a key was used
    // to sign.
    let certificate = decode_base64_at(json, "/cert").unwrap_or_default();
    let log_entries = match json.get("rekorBundle") {
        None | Some(Value::Null) => Vec::new(),
        Some(entry) => vec![promised_entry(entry)?],
    };
    Some(Signature {
        value: decode_base64_at(json, "/base64Signature")?,
        certificate: pem_blocks(&certificate, "CERTIFICATE").into_iter().next(),
        log_entries,
        ..Signature::default()
    })
}

/// A log entry as cosign stores it.
fn promised_entry(entry: &Value) -> Option<LogEntry> {
    Some(LogEntry {
        body: decode_base64_at(entry, "/Payload/body")?,
        time: number(entry, "/Payload/integratedTime")?,
        index: number(entry, "/Payload/logIndex")?,
        log: Digest::parse(entry.pointer("/Payload/logID")?.as_str()?)?,
        promise: decode_base64_at(entry, "/SignedEntryTimestamp")?,
    })
}

fn layer(payload: &[u8], annotations: &BTreeMap<String, String>) -> Option<Signature> {
    let certificates = |key: &str| {
        let text = annotations.get(key).map(String::as_bytes).unwrap_or_default();
        pem_blocks(text, "CERTIFICATE")
    };
    let log_entries = match annotations.get(BUNDLE) {
        None => Vec::new(),
        Some(text) => vec![promised_entry(&serde_json::from_str(text).ok()?)?],
    };
    Some(Signature {
        message: SignedMessage::SimpleSigning(payload.to_vec()),
        value: STANDARD.decode(annotations.get(SIGNATURE)?).ok()?,
        certificate: certificates(CERTIFICATE).into_iter().next(),
        chain: certificates(CHAIN),
        log_entries,
    })
}

/// The digest in an in-toto statement: the expected one if the statement contains it, otherwise the
/// first one.
pub(super) fn subject_of(statement: &[u8], expected: Digest) -> Result<String, String> {
    let statement: Value = serde_json::from_slice(statement)
        .map_err(|error| format!("malformed statement: {error}"))?;
    let subjects = statement.get("subject").and_then(Value::as_array);
    let digests = subjects
        .into_iter()
        .flatten()
        .filter_map(|it| Some(format!("sha256:{}", it.pointer("/digest/sha256")?.as_str()?)));
    let digests: Vec<String> = digests.collect();
    let is_expected = |it: &&String| **it == expected.to_string();
    let found = digests.iter().find(is_expected).or(digests.first());
    found.cloned().ok_or_else(|| "a statement without a sha256 digest".to_owned())
}
