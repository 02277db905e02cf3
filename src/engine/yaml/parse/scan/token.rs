//! The output of the scanner.

use std::borrow::Cow;

use crate::yaml::Style;

use super::cursor::TextPosition;

#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) enum ScanTokenKind<'t> {
    /// A token that was taken.
    #[default]
    Gone,
    StreamStart,
    StreamEnd,
    /// `%YAML 1.1`
    Version,
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    /// `-`
    BlockEntry,
    /// `,`
    FlowEntry,
    /// `?`, or the start of a key without `?`.
    Key,
    /// `:`
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    Tag(String, String),
    Scalar(Cow<'t, str>, Style),
}

#[derive(Clone, Debug, Default)]
pub(in super::super) struct ScanToken<'t> {
    pub(in super::super) kind: ScanTokenKind<'t>,
    pub(in super::super) start: TextPosition,
    pub(in super::super) end: TextPosition,
}

/// The half of go-yaml that reports an error: scanner and parser count lines differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum GoYamlHalf {
    Scanner,
    Parser,
}

#[derive(Clone, Debug)]
pub(in super::super) struct ScanError {
    pub(in super::super) half: GoYamlHalf,
    pub(in super::super) context: TextPosition,
    pub(in super::super) problem: TextPosition,
    pub(in super::super) words: &'static str,
}
