//! What a plain scalar is: go-yaml v3's rules for resources, YAML 1.1's (go-yaml v2) for configuration.

/// The type that a plain text resolves to.
#[derive(Clone, Debug, PartialEq)]
pub enum ScalarType {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer that fits a signed or unsigned 64-bit number.
    Int(i128),
    /// A float.
    Float(f64),
    /// A timestamp, already in RFC 3339 form as Go prints it.
    Timestamp(String),
    /// A merge key `<<`.
    Merge,
    /// A string.
    Str,
}

/// Resolves a plain text as go-yaml v3 does (YAML 1.2 with exceptions; section 3.8 of the build reference).
pub fn resolve_v3(_text: &str) -> ScalarType {
    todo!()
}

/// Resolves a plain text as go-yaml v2 does (YAML 1.1: `yes`, `0644`, base 60 is a string here).
pub fn resolve_v1_1(_text: &str) -> ScalarType {
    todo!()
}
