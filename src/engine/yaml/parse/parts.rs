//! The parts of the first document of a text with their byte ranges, for editing.

use std::borrow::Cow;
use std::ops::Range;

use super::pieces::FilePiece;
use super::reader::Reader;
use super::text::checked;
use super::{Limits, ParseSettings, SourceId, TextCache, YamlDialect};
use crate::yaml::{Style, YamlCause, YamlError};

/// A part of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part<'t> {
    /// The `---` before the document, if it is written.
    DocumentStart,
    /// A scalar; a missing value is a plain one with an empty byte range. The range of a block
    /// covers its header and its lines.
    Scalar(Cow<'t, str>, Style),
    Alias,
    /// The start of a collection: its bracket or brace, an empty range if it is not written.
    Start {
        is_list: bool,
        is_flow: bool,
    },
    /// The end of a collection: its bracket or brace, an empty range if it is not written.
    End {
        is_list: bool,
    },
}

/// The parts of the first document of a text, as go-yaml v2 reads it, each with its bytes, anchors
/// and tags left out. Later documents are not read.
pub(crate) struct Parts<'t> {
    /// The parts, up to the error if there is one.
    pub(crate) list: Vec<(Part<'t>, Range<usize>)>,
    pub(crate) error: Option<YamlError>,
    /// The end of the document: after all of its parts, a comment below them included.
    pub(crate) end: usize,
}

impl<'t> Parts<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let read = match checked(&FilePiece { text: text.as_bytes(), line: 0 }) {
            Ok(read) => read,
            Err(error) => return Self { list: Vec::new(), error: Some(error), end: text.len() },
        };
        let limits = Limits::default();
        let settings = ParseSettings::new(SourceId::NONE, YamlDialect::V1_1, limits);
        let texts = &mut TextCache::for_text_size(0);
        let mut reader = Reader::new(read, settings, texts);
        reader.parts = Some(Vec::new());
        let mut error = reader.document().err();
        if let Some(YamlError { cause: YamlCause::Syntax { told, .. }, .. }) = &mut error {
            // Callers show the line separately.
            *told = None;
        }
        // A byte-order mark at the start is no part.
        let skipped = text.len() - read.len();
        let shift = |(part, bytes): (Part<'t>, Range<usize>)| {
            (part, bytes.start + skipped..bytes.end + skipped)
        };
        let end = error.as_ref().map_or(reader.cursor.point.at + skipped, |_| text.len());
        let list = reader.parts.take().unwrap_or_default().into_iter().map(shift).collect();
        Self { list, error, end }
    }
}
