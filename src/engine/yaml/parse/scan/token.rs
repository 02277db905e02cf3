//! The output of the scanner.

use std::borrow::Cow;

use crate::yaml::Style;

use super::cursor::Point;

#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) enum TokenKind<'t> {
    /// A token that was taken.
    #[default]
    Gone,
    StreamStart,
    StreamEnd,
    /// `%YAML`
    Version(u8, u8),
    /// `%TAG`, with handle and prefix
    TagDirective(String, String),
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
    /// `?`, or where a key without one begins
    Key,
    /// `:`
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    Tag(String, String),
    Scalar(Cow<'t, str>, Style),
}

#[derive(Clone, Debug, Default)]
pub(in super::super) struct Token<'t> {
    pub(in super::super) kind: TokenKind<'t>,
    pub(in super::super) start: Point,
    pub(in super::super) end: Point,
}

/// Which half of go-yaml refuses: they count lines in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Half {
    Scanner,
    Parser,
}

/// go-yaml's error for a text that it refuses.
#[derive(Clone, Debug)]
pub(in super::super) struct Refusal {
    pub(in super::super) half: Half,
    pub(in super::super) context: Point,
    pub(in super::super) problem: Point,
    pub(in super::super) words: &'static str,
}
