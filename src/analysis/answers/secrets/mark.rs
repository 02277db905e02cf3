//! The replacement `<secret …>` of a value of a Secret.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::engine::resource::Resource;

pub(super) const MARK_BYTES: usize = "<secret 01234567>".len();

pub fn is_secret(resource: &Resource) -> bool {
    resource.id.gvk.group.is_empty() && &*resource.id.gvk.kind == "Secret"
}

/// The decoded bytes of a value, so that equal values in `data` and `stringData` get the same
/// replacement.
pub(super) fn plain_value(text: &str, is_encoded: bool) -> Vec<u8> {
    let packed: String = text.split_whitespace().collect();
    let decoded = is_encoded.then(|| STANDARD.decode(packed).ok()).flatten();
    decoded.unwrap_or_else(|| text.as_bytes().to_vec())
}

/// The replacement `<secret …>` of a value, with a hash of the value and the salt.
pub(super) fn secret_mark(salt: [u8; 16], value: &[u8]) -> String {
    if value.is_empty() {
        return String::new();
    }
    let mut hash = Sha256::new();
    hash.update(salt);
    hash.update(value);
    let hash = hash.finalize();
    let short = hash.iter().take(4).fold(0u32, |short, byte| short << 8 | u32::from(*byte));
    format!("<secret {short:08x}>")
}
