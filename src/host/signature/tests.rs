//! Damaged certificates and signatures.

use rcgen::{CertificateParams, KeyPair, PublicKeyData as _, SigningKey as _};

use super::certificate::SignerCertificate;
use super::verify_by_key;

#[test]
fn truncated_certificate_of_any_length_is_refused() {
    let params = CertificateParams::new(["example.com".to_owned()]).unwrap();
    let certificate = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
    let der: &[u8] = certificate.der();
    assert!(SignerCertificate::parse(der).is_ok());
    for length in 0..der.len() {
        assert!(SignerCertificate::parse(&der[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn every_changed_bit_of_a_signature_is_refused() {
    let key = KeyPair::generate().unwrap();
    let public = key.subject_public_key_info();
    let signature = key.sign(b"content").unwrap();
    assert_eq!(verify_by_key(&public, b"content", &signature), Ok(()));
    for at in 0..signature.len() * 8 {
        let mut changed = signature.clone();
        changed[at / 8] ^= 1 << (at % 8);
        assert_eq!(verify_by_key(&public, b"content", &changed), Err(()), "bit {at}");
    }
}
