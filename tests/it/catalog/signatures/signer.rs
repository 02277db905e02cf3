//! Makes signatures with a separate authority, log and keys.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kzui::engine::load::Digest;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, CustomExtension, ExtendedKeyUsagePurpose,
    IsCa, KeyPair, PublicKeyData as _, SanType, SigningKey as _, date_time_ymd,
};
use serde_json::{Value, json};

pub(super) const JANE: &str = "jane@example.com";
pub(super) const ISSUER: &str = "https://accounts.example.com";
/// Noon of 2026-01-01, when the certificates of signers are valid.
pub(super) const NOON: u64 = 1_767_268_800;
const DAY_SECONDS: u64 = 86_400;

pub(super) fn base64(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

/// The base64 signature of a key, as in the file that cosign writes.
pub(super) fn detached_signature(key: &KeyPair, content: &[u8]) -> String {
    base64(key.sign(content).unwrap()) + "\n"
}

/// An authority for certificates and a transparency log.
pub(super) struct Sigstore {
    authority: CertifiedIssuer<'static, KeyPair>,
    log: KeyPair,
}

/// The properties of one keyless signature.
#[derive(Clone)]
pub(super) struct KeylessSigning {
    pub(super) identity: &'static str,
    pub(super) issuer: &'static str,
    pub(super) usage: ExtendedKeyUsagePurpose,
    /// The time of the entry in the log.
    pub(super) time: u64,
    /// The time that the log has signed.
    pub(super) promised_time: u64,
    /// The content in the log, if it differs from the signed content.
    pub(super) logged: Option<&'static [u8]>,
    /// False if another key signs than that of the certificate.
    pub(super) own_key: bool,
}

impl Default for KeylessSigning {
    fn default() -> Self {
        Self {
            identity: JANE,
            issuer: ISSUER,
            usage: ExtendedKeyUsagePurpose::CodeSigning,
            time: NOON,
            promised_time: NOON,
            logged: None,
            own_key: true,
        }
    }
}

impl KeylessSigning {
    pub(super) fn days_later(days: u64) -> Self {
        let time = NOON + days * DAY_SECONDS;
        Self { time, promised_time: time, ..Self::default() }
    }

    pub(super) fn days_earlier(days: u64) -> Self {
        let time = NOON - days * DAY_SECONDS;
        Self { time, promised_time: time, ..Self::default() }
    }
}

impl Sigstore {
    pub(super) fn new() -> Self {
        Self::valid_until(2030)
    }

    /// With an authority that is valid from 2020 to the start of a year.
    pub(super) fn valid_until(year: i32) -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap());
        Self { authority: authority.unwrap(), log: KeyPair::generate().unwrap() }
    }

    pub(super) fn ca(&self) -> String {
        self.authority.pem()
    }

    pub(super) fn log_key(&self) -> String {
        self.log.public_key_pem()
    }

    /// The authority and the log as the content of a `trusted_root.json`.
    pub(super) fn root(&self) -> String {
        let certificate = base64(self.authority.der());
        json!({
            "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
            "certificateAuthorities":
                [{"certChain": {"certificates": [{"rawBytes": certificate}]}}],
            "tlogs": [{"publicKey": {
                "rawBytes": base64(self.log.subject_public_key_info()),
                "validFor": {"start": "2020-01-01T00:00:00Z", "end": "2026-06-01T00:00:00Z"},
            }}],
        })
        .to_string()
    }

    /// A certificate of a signer, valid on 2026-01-01.
    fn certificate(&self, key: &KeyPair, signing: &KeylessSigning) -> rcgen::Certificate {
        let mut params = CertificateParams::new([]).unwrap();
        params.not_before = date_time_ymd(2026, 1, 1);
        params.not_after = date_time_ymd(2026, 1, 2);
        let identity = signing.identity.try_into().unwrap();
        params.subject_alt_names = vec![if signing.identity.contains("://") {
            SanType::URI(identity)
        } else {
            SanType::Rfc822Name(identity)
        }];
        params.extended_key_usages = vec![signing.usage.clone()];
        let length = u8::try_from(signing.issuer.len()).unwrap();
        let text = [&[0x0c, length], signing.issuer.as_bytes()].concat();
        let id = &[1, 3, 6, 1, 4, 1, 57264, 1, 8];
        params.custom_extensions = vec![CustomExtension::from_oid_content(id, text)];
        params.signed_by(key, &self.authority).unwrap()
    }

    /// The signature, certificate and log entry of a message; `entry` makes the body of the entry
    /// from content, signature and certificate.
    fn sign(
        &self,
        message: &[u8],
        signing: &KeylessSigning,
        entry: impl Fn(&[u8], &str, &str) -> Value,
    ) -> (String, rcgen::Certificate, Value) {
        let key = KeyPair::generate().unwrap();
        let certificate = self.certificate(&key, signing);
        let signer = if signing.own_key { key } else { KeyPair::generate().unwrap() };
        let signature = base64(signer.sign(message).unwrap());
        let pem = base64(certificate.pem());
        let body = base64(entry(signing.logged.unwrap_or(message), &signature, &pem).to_string());
        let log = Digest::compute(&self.log.subject_public_key_info()).hex();
        let promise = |time: u64| {
            let text = format!(
                "{{\"body\":\"{body}\",\"integratedTime\":{time},\"logID\":\"{log}\",\"logIndex\":7}}"
            );
            base64(self.log.sign(text.as_bytes()).unwrap())
        };
        let payload =
            json!({"body": body, "integratedTime": signing.time, "logID": log, "logIndex": 7});
        let stamp = promise(signing.promised_time);
        (signature, certificate, json!({"SignedEntryTimestamp": stamp, "Payload": payload}))
    }

    /// A bundle for a file.
    pub(super) fn bundle(&self, content: &[u8], signing: &KeylessSigning) -> Value {
        let (signature, certificate, entry) = self.sign(content, signing, hash_record);
        let message = json!({
            "messageDigest": {"algorithm": "SHA2_256", "digest": ""},
            "signature": signature,
        });
        json!({
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": material(&certificate, &entry),
            "messageSignature": message,
        })
    }

    /// A bundle for a file in the form of older releases of cosign.
    pub(super) fn older_bundle(&self, content: &[u8], signing: &KeylessSigning) -> Value {
        let (signature, certificate, entry) = self.sign(content, signing, hash_record);
        json!({
            "base64Signature": signature,
            "cert": base64(certificate.pem()),
            "rekorBundle": entry,
        })
    }

    /// A bundle with a statement about a digest.
    pub(super) fn statement(
        &self,
        digest: &str,
        predicate: &str,
        signing: &KeylessSigning,
    ) -> Value {
        let hex = digest.trim_start_matches("sha256:");
        let payload = json!({
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{"digest": {"sha256": hex}}],
            "predicateType": predicate,
            "predicate": {},
        })
        .to_string();
        let kind = "application/vnd.in-toto+json";
        let message = format!("DSSEv1 {} {kind} {} {payload}", kind.len(), payload.len());
        let body = |_: &[u8], signature: &str, certificate: &str| {
            let hash = Digest::compute(payload.as_bytes()).hex();
            json!({"apiVersion": "0.0.1", "kind": "dsse", "spec": {
                "payloadHash": {"algorithm": "sha256", "value": hash},
                "signatures": [{"signature": signature, "verifier": certificate}],
            }})
        };
        let (signature, certificate, entry) = self.sign(message.as_bytes(), signing, body);
        json!({
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": material(&certificate, &entry),
            "dsseEnvelope": {
                "payloadType": kind,
                "payload": base64(payload),
                "signatures": [{"sig": signature}],
            },
        })
    }

    /// The annotations of a keyless signature over a payload.
    pub(super) fn annotations(&self, payload: &str, signing: &KeylessSigning) -> Value {
        let (signature, certificate, entry) = self.sign(payload.as_bytes(), signing, hash_record);
        json!({
            "dev.cosignproject.cosign/signature": signature,
            "dev.sigstore.cosign/certificate": certificate.pem(),
            "dev.sigstore.cosign/bundle": entry.to_string(),
        })
    }
}

/// The entry of the transparency log for a signed file.
fn hash_record(content: &[u8], signature: &str, certificate: &str) -> Value {
    json!({"apiVersion": "0.0.1", "kind": "hashedrekord", "spec": {
        "data": {"hash": {"algorithm": "sha256", "value": Digest::compute(content).hex()}},
        "signature": {"content": signature, "publicKey": {"content": certificate}},
    }})
}

/// The certificate and the log entry in the form of a bundle.
fn material(certificate: &rcgen::Certificate, entry: &Value) -> Value {
    let text = |pointer: &str| entry.pointer(pointer).unwrap().as_str().unwrap().to_owned();
    let log = text("/Payload/logID");
    let bytes = (0..log.len()).step_by(2).map(|at| u8::from_str_radix(&log[at..at + 2], 16));
    let key = base64(bytes.collect::<Result<Vec<u8>, _>>().unwrap());
    let time = entry.pointer("/Payload/integratedTime").unwrap().to_string();
    json!({
        "certificate": {"rawBytes": base64(certificate.der())},
        "tlogEntries": [{
            "logIndex": "7",
            "logId": {"keyId": key},
            "kindVersion": {"kind": "any", "version": "0.0.1"},
            "integratedTime": time,
            "inclusionPromise": {"signedEntryTimestamp": text("/SignedEntryTimestamp")},
            "canonicalizedBody": text("/Payload/body"),
        }],
    })
}

/// The document that cosign signs for a manifest.
pub(super) fn simple_signing(digest: &str) -> String {
    json!({
        "critical": {
            "identity": {"docker-reference": "r.example.com/fns"},
            "image": {"docker-manifest-digest": digest},
            "type": "cosign container image signature",
        },
        "optional": null,
    })
    .to_string()
}
