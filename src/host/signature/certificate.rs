//! The certificate of a signer: its identity, its issuer, and its chain to a given authority.

use std::time::Duration;

use rustls_pki_types::{CertificateDer, UnixTime};
use webpki::{EndEntityCert, KeyUsage, anchor_from_trusted_cert};

use crate::engine::load::CertificateSigner;

use super::ALGORITHMS;
use crate::host::store::trust_file::rfc3339;

/// The object identifier 1.3.6.1.5.5.7.3.3, in DER.
const CODE_SIGNING: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 3];
/// The object identifier 2.5.29.17, in DER.
const SUBJECT_ALTERNATIVE_NAME: &[u8] = &[0x55, 0x1d, 0x11];
/// The object identifier 1.3.6.1.4.1.57264.1.1, in DER: an extension with the issuer as plain
/// bytes.
const OLDER_ISSUER: &[u8] = &[0x2b, 6, 1, 4, 1, 0x83, 0xbf, 0x30, 1, 1];
/// The object identifier 1.3.6.1.4.1.57264.1.8, in DER: an extension with the issuer as a DER text.
const ISSUER: &[u8] = &[0x2b, 6, 1, 4, 1, 0x83, 0xbf, 0x30, 1, 8];

const SEQUENCE: u8 = 0x30;
const OBJECT_ID: u8 = 6;
const OCTETS: u8 = 4;
const UTF8: u8 = 0x0c;
/// The DER tag of a time with a year of two digits.
const UTC_TIME: u8 = 0x17;
/// The DER tag of an email address in the alternative names.
const EMAIL: u8 = 0x81;
/// The DER tag of a URI in the alternative names.
const URI: u8 = 0x86;
/// The DER tag of the extensions of a certificate.
const EXTENSIONS: u8 = 0xa3;

pub(super) struct SignerCertificate<'a> {
    der: CertificateDer<'a>,
    identities: Vec<String>,
    issuer: Option<String>,
}

impl<'a> SignerCertificate<'a> {
    pub(super) fn parse(der: &'a [u8]) -> Result<Self, String> {
        let malformed = || "malformed certificate".to_owned();
        let parts = CertificateParts::parse(der).ok_or_else(malformed)?;
        let names = parts.extension(SUBJECT_ALTERNATIVE_NAME).map_err(|()| malformed())?;
        let names = names.map_or(Some(Vec::new()), |value| {
            elements(element(value)?.1).map(|names| {
                let texts = names.into_iter().filter(|(tag, _)| [EMAIL, URI].contains(tag));
                texts.map(|(_, text)| String::from_utf8_lossy(text).into_owned()).collect()
            })
        });
        let issuer = parts.extension(ISSUER).map_err(|()| malformed())?;
        let issuer = match issuer.map(element) {
            Some(Some((UTF8, text, []))) => Some(text),
            Some(_) => return Err(malformed()),
            None => parts.extension(OLDER_ISSUER).map_err(|()| malformed())?,
        };
        Ok(Self {
            der: CertificateDer::from(der),
            identities: names.ok_or_else(malformed)?,
            issuer: issuer.map(|text| String::from_utf8_lossy(text).into_owned()),
        })
    }

    pub(super) fn check_identity(&self, signer: &CertificateSigner) -> Result<(), String> {
        let is_same = self.identities.contains(&signer.identity)
            && self.issuer.as_ref() == Some(&signer.issuer);
        if is_same {
            return Ok(());
        }
        let names = self.identities.join(", ");
        let names = if names.is_empty() { "no identity" } else { &names };
        let issuer = self.issuer.as_deref().unwrap_or("no issuer");
        let CertificateSigner { identity, issuer: expected, .. } = signer;
        Err(format!("its certificate names {names} ({issuer}), not {identity} ({expected})"))
    }

    pub(super) fn check_chain(
        &self,
        chain: &[Vec<u8>],
        authorities: &[Vec<u8>],
        time: u64,
    ) -> Result<(), String> {
        let when = rfc3339(time);
        let is_valid = |der: &&CertificateDer<'_>| {
            CertificateParts::parse(der).is_some_and(
                |CertificateParts { valid: [start, end], .. }| start <= when && when <= end,
            )
        };
        let given: Vec<CertificateDer<'_>> =
            authorities.iter().map(|der| CertificateDer::from(der.as_slice())).collect();
        let anchors = given.iter().filter(is_valid);
        let anchors: Vec<_> = anchors.filter_map(|it| anchor_from_trusted_cert(it).ok()).collect();
        if anchors.is_empty() {
            return Err(format!("no given certificate authority was valid at {when}"));
        }
        let chain: Vec<CertificateDer<'_>> =
            chain.iter().map(|der| CertificateDer::from(der.as_slice())).collect();
        let certificate = self.end_entity()?;
        let verified = certificate.verify_for_usage(
            ALGORITHMS,
            &anchors,
            &chain,
            UnixTime::since_unix_epoch(Duration::from_secs(time)),
            KeyUsage::required(CODE_SIGNING),
            None,
            None,
        );
        verified.map(drop).map_err(|error| {
            let reason = match error {
                webpki::Error::CertExpired { .. } | webpki::Error::CertNotValidYet { .. } => {
                    "it was not valid at that time".to_owned()
                }
                webpki::Error::UnknownIssuer | webpki::Error::InvalidSignatureForPublicKey => {
                    "no given certificate authority issued it".to_owned()
                }
                webpki::Error::RequiredEkuNotFoundContext(_) => {
                    "it is not for code signing".to_owned()
                }
                error => error.to_string(),
            };
            format!("the certificate does not verify at {when}, the time in the log: {reason}")
        })
    }

    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), String> {
        let certificate = self.end_entity()?;
        let is_valid = ALGORITHMS
            .iter()
            .any(|algorithm| certificate.verify_signature(*algorithm, message, signature).is_ok());
        let wrong =
            || "not made with the key of its certificate, or made for other content".to_owned();
        is_valid.then_some(()).ok_or_else(wrong)
    }

    fn end_entity(&self) -> Result<EndEntityCert<'_>, String> {
        EndEntityCert::try_from(&self.der).map_err(|error| format!("certificate: {error}"))
    }
}

/// The parts of a certificate that the verification of its chain does not return.
struct CertificateParts<'a> {
    valid: [String; 2],
    extensions: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> CertificateParts<'a> {
    fn parse(der: &'a [u8]) -> Option<Self> {
        let (SEQUENCE, certificate, []) = element(der)? else { return None };
        let (SEQUENCE, body, _) = element(certificate)? else { return None };
        let parts = elements(body)?;
        // The elements are version, serial number, algorithm, issuer and validity, in this order.
        let &(SEQUENCE, validity) = parts.get(4)? else { return None };
        let [start, end] = <[_; 2]>::try_from(elements(validity)?).ok()?;
        let valid = [time_text(start)?, time_text(end)?];
        let found = parts.iter().find(|(tag, _)| *tag == EXTENSIONS);
        let found = found.map_or(Some(Vec::new()), |(_, wrapped)| elements(element(wrapped)?.1))?;
        let extensions = found.into_iter().map(|(_, extension)| {
            let fields = elements(extension)?;
            let (OBJECT_ID, id) = *fields.first()? else { return None };
            let (OCTETS, value) = *fields.last()? else { return None };
            Some((id, value))
        });
        Some(Self { valid, extensions: extensions.collect::<Option<_>>()? })
    }

    /// The value of an extension, which occurs at most once.
    fn extension(&self, id: &[u8]) -> Result<Option<&'a [u8]>, ()> {
        let mut values = self.extensions.iter().filter(|(other, _)| *other == id);
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(()),
            (value, None) => Ok(value.map(|(_, value)| *value)),
        }
    }
}

fn time_text((tag, digits): (u8, &[u8])) -> Option<String> {
    let mut text = std::str::from_utf8(digits).ok()?.to_owned();
    if tag == UTC_TIME {
        let century = if text.get(..2)?.parse::<u8>().ok()? < 50 { "20" } else { "19" };
        text.insert_str(0, century);
    }
    let is_plain = text.len() == 15
        && text.ends_with('Z')
        && text.bytes().take(14).all(|digit| digit.is_ascii_digit());
    if !is_plain {
        return None;
    }
    let part = |start: usize, end: usize| text.get(start..end);
    let [year, month, day] = [part(0, 4)?, part(4, 6)?, part(6, 8)?];
    let [hour, minute, second] = [part(8, 10)?, part(10, 12)?, part(12, 14)?];
    Some(format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z"))
}

fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[tag, first], mut rest) = der.split_first_chunk::<2>()?;
    let length = if first < 0x80 {
        usize::from(first)
    } else {
        let count = usize::from(first & 0x7f);
        if count == 0 || count > 4 {
            return None;
        }
        let (digits, after) = rest.split_at_checked(count)?;
        rest = after;
        digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit))
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// All DER elements in the content of an element; `None` if one is malformed.
fn elements(mut content: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let mut all = Vec::new();
    while !content.is_empty() {
        let (tag, inner, rest) = element(content)?;
        all.push((tag, inner));
        content = rest;
    }
    Some(all)
}
