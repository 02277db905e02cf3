//! JSON whose objects have each name once, as the reader of Kustomize's schemas asks for.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Looks for a name that an object has twice.
///
/// # Errors
/// The first such name, and what is no JSON.
pub(super) fn each_once(text: &[u8]) -> Result<(), serde_json::Error> {
    serde_json::from_slice::<Once>(text).map(drop)
}

struct Once;

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Once)
    }
}

impl<'de> Visitor<'de> for Once {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self, A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(name) = object.next_key::<String>()? {
            if seen.contains(&name) {
                return Err(A::Error::custom(format!("duplicate name {name:?} in object")));
            }
            object.next_value::<Self>()?;
            seen.insert(name);
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, reader: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(reader).map(|_| self)
    }

    fn visit_unit<E: Error>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }
}
