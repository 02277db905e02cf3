//! Verification of signatures, offline: keys of cosign, and Sigstore bundles whose certificate and
//! transparency log entry lead to a given root. Other signatures are refused.

mod certificate;
mod log_entry;
mod signature_forms;

pub(super) use signature_forms::{SignatureFile, SignatureForm, annotations_of};

use rustls_pki_types::{SignatureVerificationAlgorithm, SubjectPublicKeyInfoDer};
use webpki::ring;

use crate::engine::load::{Digest, RequiredSigner, SignatureSubject, SignatureVerdict};

use certificate::SignerCertificate;
use signature_forms::{Signature, SignedMessage};

/// The maximum number of signatures of one content; later ones are not read.
pub(in crate::host) const MAX_SIGNATURES: usize = 32;

pub(in crate::host) const MAX_SIGNATURE_BYTES: u64 = 4 << 20;

/// The accepted algorithms. The type of a key selects among them.
const ALGORITHMS: &[&dyn SignatureVerificationAlgorithm] = &[
    ring::ECDSA_P256_SHA256,
    ring::ECDSA_P256_SHA384,
    ring::ECDSA_P384_SHA256,
    ring::ECDSA_P384_SHA384,
    ring::ED25519,
    ring::RSA_PKCS1_2048_8192_SHA256,
];

const STATEMENT_TYPE: &str = "application/vnd.in-toto+json";
/// The predicate type of the statement that cosign makes for a signature. Other statements, such as
/// a list of components, are no signature of the content.
const SIGN_PREDICATE: &str = "https://sigstore.dev/cosign/sign/v1";
const SIMPLE_SIGNING_TYPE: &str = "cosign container image signature";

/// Verifies signatures against the required signers: one valid signature is enough.
pub(super) fn verify_all(
    files: &[SignatureFile],
    subject: SignatureSubject<'_>,
    signers: &[RequiredSigner],
) -> SignatureVerdict {
    if files.is_empty() {
        return SignatureVerdict::Unsigned;
    }
    let mut reasons: Vec<String> = Vec::new();
    for file in files.iter().take(MAX_SIGNATURES) {
        for signer in signers {
            match file.parse().and_then(|signature| verify(&signature, subject, signer)) {
                Ok(()) => return SignatureVerdict::SignedBy(signer.name()),
                Err(reason) => {
                    let reason = format!("{}: {reason}", file.name);
                    reasons.extend((!reasons.contains(&reason)).then_some(reason));
                }
            }
        }
    }
    reasons.truncate(3);
    SignatureVerdict::Invalid(reasons.join("; "))
}

fn verify(
    signature: &Signature,
    subject: SignatureSubject<'_>,
    signer: &RequiredSigner,
) -> Result<(), String> {
    let message = signed_message(signature, subject)?;
    match signer {
        RequiredSigner::Key(key) => verify_by_key(key, &message, &signature.value)
            .map_err(|()| format!("not made with {}, or made for other content", signer.name())),
        RequiredSigner::Certificate(signer) => {
            let certificate = signature.certificate.as_ref();
            let certificate =
                certificate.ok_or("no certificate: only a public key can verify it")?;
            let certificate = SignerCertificate::parse(certificate)?;
            certificate.check_identity(signer)?;
            let time = log_entry::inclusion_time(signature, &message, &signer.logs)?;
            certificate.check_chain(&signature.chain, &signer.authorities, time)?;
            certificate.verify(&message, &signature.value)
        }
    }
}

/// The bytes that the signature covers; an error if they are about other content than `subject`.
fn signed_message(signature: &Signature, subject: SignatureSubject<'_>) -> Result<Vec<u8>, String> {
    match (&signature.message, subject) {
        (SignedMessage::Content, SignatureSubject::File(bytes)) => Ok(bytes.to_vec()),
        (SignedMessage::Content, SignatureSubject::Manifest(_)) => {
            Err("covers a file, not a manifest".to_owned())
        }
        (SignedMessage::SimpleSigning(payload), SignatureSubject::Manifest(digest)) => {
            let text = |pointer: &str| text_at_pointer(payload, pointer);
            if text("/critical/type").as_deref() != Some(SIMPLE_SIGNING_TYPE) {
                return Err("not a signature of an image".to_owned());
            }
            let signed = text("/critical/image/docker-manifest-digest").unwrap_or_default();
            require_same_digest(&signed, digest)?;
            Ok(payload.clone())
        }
        (SignedMessage::SimpleSigning(_), SignatureSubject::File(_)) => {
            Err("covers a manifest, not a file".to_owned())
        }
        (SignedMessage::Statement { payload_type, payload }, subject) => {
            if payload_type != STATEMENT_TYPE {
                return Err(format!("unknown type of statement {payload_type:?}"));
            }
            let predicate = text_at_pointer(payload, "/predicateType").unwrap_or_default();
            if predicate != SIGN_PREDICATE {
                return Err(format!(
                    "a statement of type {predicate:?}, expected {SIGN_PREDICATE}"
                ));
            }
            let digest = match subject {
                SignatureSubject::File(bytes) => Digest::compute(bytes),
                SignatureSubject::Manifest(digest) => digest,
            };
            require_same_digest(&signature_forms::subject_of(payload, digest)?, digest)?;
            let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
            Ok([head.as_bytes(), payload].concat())
        }
    }
}

/// An error unless the signed text `sha256:HEX` is the digest.
fn require_same_digest(signed: &str, digest: Digest) -> Result<(), String> {
    if signed.strip_prefix("sha256:").and_then(Digest::parse) == Some(digest) {
        return Ok(());
    }
    Err(format!("covers {signed:?}, the content has {digest}"))
}

fn text_at_pointer(json: &[u8], pointer: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(json).ok()?;
    value.pointer(pointer)?.as_str().map(str::to_owned)
}

fn verify_by_key(key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), ()> {
    let key = SubjectPublicKeyInfoDer::from(key);
    let key = webpki::RawPublicKeyEntity::try_from(&key).map_err(|_| ())?;
    let is_valid = |algorithm: &&dyn SignatureVerificationAlgorithm| {
        key.verify_signature(*algorithm, message, signature).is_ok()
    };
    if ALGORITHMS.iter().any(is_valid) { Ok(()) } else { Err(()) }
}

#[cfg(test)]
mod tests;
