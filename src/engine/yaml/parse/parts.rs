//! The parts of the first document of a text with their byte ranges, for editing.

use std::ops::Range;

use super::pieces::FilePiece;
use super::reader::{Part, Reader};
use super::text::checked;
use super::{Limits, ParseSettings, SourceId, TextCache, YamlDialect};
use crate::yaml::{YamlCause, YamlError};

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
