//! The texts of files in kept drafts and writes: base64, because a file has any bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

use super::files::DraftText;

pub(super) fn serialize<S: Serializer>(text: &DraftText, to: S) -> Result<S::Ok, S::Error> {
    text.as_ref().map(|text| STANDARD.encode(text)).serialize(to)
}

pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<DraftText, D::Error> {
    let text: Option<String> = Option::deserialize(from)?;
    let decode = |text| STANDARD.decode(text).map(Into::into).map_err(D::Error::custom);
    text.map(decode).transpose()
}
