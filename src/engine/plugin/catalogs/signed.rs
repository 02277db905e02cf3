//! Signatures of catalogs and images (KEP-2906, risks: "cosign"), if the user requires a signer.
//!
//! The signature of a catalog covers the files and images that it pins by digest, and no other.

use std::path::Path;

use crate::load::{
    Artifact, Digest, ImageReference, Location, Reference, SIGNATURE_ENDINGS, SignatureRequest,
    SignatureSubject, SignatureVerdict,
};

use super::super::resolve::{RunRefusal, display};
use super::super::spec::{FunctionSpec, SpecKind};
use super::cache::CatalogPorts;
use super::images::registry_of;
use super::trust::Trust;
use crate::resource::ResId;

/// Verifies the signatures of a catalog. Without a required signer no remote is read.
pub(super) fn catalog_signature(
    reference: &Reference,
    artifact: &Artifact,
    trust: &Trust,
    ports: CatalogPorts<'_>,
) -> SignatureVerdict {
    let beside = match &reference.location {
        Location::File(path) => signatures_beside(path, ports),
        _ if trust.signers.is_empty() => return SignatureVerdict::NotVerified,
        _ => Vec::new(),
    };
    if trust.signers.is_empty() {
        let is_signed = !beside.is_empty();
        return if is_signed { SignatureVerdict::NotVerified } else { SignatureVerdict::Unsigned };
    }
    let subject = artifact
        .manifest
        .map_or(SignatureSubject::File(&artifact.bytes), SignatureSubject::Manifest);
    let signers = &trust.signers;
    ports.artifacts.signature(&SignatureRequest { reference, subject, beside, signers })
}

fn signatures_beside(path: &Path, ports: CatalogPorts<'_>) -> Vec<(String, std::sync::Arc<[u8]>)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let names = SIGNATURE_ENDINGS.into_iter().map(|ending| format!("{name}{ending}"));
    names
        .filter_map(|name| {
            let bytes = ports.files.read(&path.with_file_name(&name)).ok()?;
            Some((name, bytes))
        })
        .collect()
}

pub(super) fn image_signature(
    image: &str,
    trust: &Trust,
    ports: CatalogPorts<'_>,
) -> SignatureVerdict {
    if trust.signers.is_empty() {
        return SignatureVerdict::NotVerified;
    }
    let parsed = ImageReference::parse(image);
    let Some(digest) = parsed.digest.as_deref().and_then(Digest::parse) else {
        return SignatureVerdict::Invalid(format!("image '{image}' has no digest"));
    };
    let location = Location::Oci(registry_of(&parsed));
    let reference =
        Reference { written: image.to_owned(), location, pin: Some(digest), layer: None };
    let subject = SignatureSubject::Manifest(digest);
    let (beside, signers) = (Vec::new(), trust.signers.as_slice());
    let request = SignatureRequest { reference: &reference, subject, beside, signers };
    ports.artifacts.signature(&request)
}

pub(super) fn require_signature(
    subject: impl FnOnce() -> String,
    verdict: &SignatureVerdict,
) -> Result<(), RunRefusal> {
    match verdict {
        SignatureVerdict::SignedBy(_) => Ok(()),
        verdict => Err(signature_refusal(&subject(), &verdict.to_string())),
    }
}

pub(super) fn signature_refusal(subject: &str, reason: &str) -> RunRefusal {
    RunRefusal::needs_flag(
        format!("signature required for {subject}: {reason}"),
        "require another signer with --require-signature, or have it signed",
    )
}

/// With required signers a function whose runtime is set in the tree runs only as a signed image:
/// other runtimes have no signature.
///
/// # Errors
/// The refusal of the function.
pub fn require_signed_runtime(
    spec: &FunctionSpec,
    id: &ResId,
    trust: &Trust,
    ports: CatalogPorts<'_>,
) -> Result<(), RunRefusal> {
    if trust.signers.is_empty() {
        return Ok(());
    }
    let kind = match spec.kind {
        SpecKind::Container => {
            let image = &spec.location;
            let verdict = image_signature(image, trust, ports);
            return require_signature(|| format!("image '{image}'"), &verdict);
        }
        SpecKind::Exec => "exec",
        SpecKind::Starlark => "starlark",
    };
    let reason = "only catalogs and images have signatures";
    Err(signature_refusal(&format!("{kind} function {}", display(id)), reason))
}
