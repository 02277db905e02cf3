//! The time of a signature, confirmed by a transparency log.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::engine::load::{Digest, LogKey, pem_blocks};

use super::signature_forms::{LogEntry, Signature, SignedMessage};
use super::verify_by_key;
use crate::host::store::trust_file::rfc3339;

/// The time at which a given log included the signature, in seconds since 1970.
pub(super) fn inclusion_time(
    signature: &Signature,
    message: &[u8],
    logs: &[LogKey],
) -> Result<u64, String> {
    if signature.log_entries.is_empty() {
        return Err("no entry of a transparency log confirms the time of the signature".to_owned());
    }
    let mut reason = String::new();
    for entry in &signature.log_entries {
        let checked = check_promise(entry, logs).and_then(|()| {
            check_body(entry, signature, message)
                .ok_or_else(|| "the log entry is about another signature".to_owned())
        });
        match checked {
            Ok(()) => return Ok(entry.time),
            Err(error) => reason = error,
        }
    }
    Err(reason)
}

fn check_promise(entry: &LogEntry, logs: &[LogKey]) -> Result<(), String> {
    if entry.promise.is_empty() || entry.time == 0 {
        return Err("the log entry has no signed time (a timestamp authority or a log without \
                    signed times is not supported)"
            .to_owned());
    }
    let log = logs.iter().find(|log| Digest::compute(&log.key) == entry.log);
    let log =
        log.ok_or_else(|| format!("the log {:?} is not one of the given logs", entry.log.hex()))?;
    // The JSON is canonical: sorted keys, no spaces.
    let promised = format!(
        "{{\"body\":\"{}\",\"integratedTime\":{},\"logID\":\"{}\",\"logIndex\":{}}}",
        STANDARD.encode(&entry.body),
        entry.time,
        entry.log.hex(),
        entry.index
    );
    verify_by_key(&log.key, promised.as_bytes(), &entry.promise)
        .map_err(|()| "the log entry is not signed by the log".to_owned())?;
    let time = rfc3339(entry.time);
    let [start, end] = &log.valid;
    // Both times are in UTC, so their texts up to the seconds sort like the times.
    let seconds = |text: &str| text.get(..19).unwrap_or(text).to_owned();
    let is_valid = (start.is_empty() || seconds(start) <= seconds(&time))
        && (end.is_empty() || seconds(&time) <= seconds(end));
    if is_valid {
        Ok(())
    } else {
        Err(format!("the key of the transparency log was not in use at {time}"))
    }
}

/// `Some` if the entry is about this signature: the same content, signature and certificate.
fn check_body(entry: &LogEntry, signature: &Signature, message: &[u8]) -> Option<()> {
    let body: Value = serde_json::from_slice(&entry.body).ok()?;
    let text = |value: &Value, pointer: &str| value.pointer(pointer)?.as_str().map(str::to_owned);
    let kind = (text(&body, "/kind")?, text(&body, "/apiVersion")?);
    let (content, logged) = match (kind.0.as_str(), kind.1.as_str(), &signature.message) {
        ("hashedrekord", "0.0.1", SignedMessage::Content | SignedMessage::SimpleSigning(_)) => {
            (message, (body.pointer("/spec/data/hash")?, body.pointer("/spec/signature")?))
        }
        ("dsse", "0.0.1", SignedMessage::Statement { payload, .. }) => {
            let [logged] = body.pointer("/spec/signatures")?.as_array()?.as_slice() else {
                return None;
            };
            (payload.as_slice(), (body.pointer("/spec/payloadHash")?, logged))
        }
        _ => return None,
    };
    let (hash, logged) = logged;
    let logged_signature = text(logged, "/content").or_else(|| text(logged, "/signature"))?;
    let verifier = text(logged, "/publicKey/content").or_else(|| text(logged, "/verifier"))?;
    let verifier = pem_blocks(&STANDARD.decode(verifier).ok()?, "CERTIFICATE");
    let is_same = text(hash, "/algorithm")? == "sha256"
        && text(hash, "/value")? == Digest::compute(content).hex()
        && STANDARD.decode(logged_signature).ok()? == signature.value
        && verifier.first() == signature.certificate.as_ref();
    is_same.then_some(())
}
