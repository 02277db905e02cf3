//! The lines of a kustomization file by field and entry, those that are commented out included.

use std::ops::Range;

/// The lines of a kustomization file, as far as lists can be edited in it. Bytes, so that an edit touches no other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The top-level fields in the order of the file.
    pub fields: Vec<OutlineField>,
}

/// One top-level field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineField {
    /// Its name as written.
    pub name: String,
    /// The bytes of the field: its key line and everything that belongs to it.
    pub bytes: Range<usize>,
    /// 1-based line of its key.
    pub line: u32,
    /// The whole field is commented out.
    pub disabled: bool,
    /// Its entries, when it is a list.
    pub entries: Vec<OutlineEntry>,
}

/// One entry of a list: active, or commented out where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The bytes of the entry's lines, its own head comments left out.
    pub bytes: Range<usize>,
    /// 1-based line of its dash.
    pub line: u32,
    /// Commented out.
    pub disabled: bool,
    /// The entry's text as YAML, without dash, comment signs and indentation.
    pub text: String,
}
