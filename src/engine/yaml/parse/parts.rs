//! The events of the first document of a text with their byte ranges, for editing.

use std::collections::BTreeSet;
use std::ops::Range;

use super::build::refuse_at;
use super::events::{Event, EventKind, Events};
use super::pieces::FilePiece;
use super::text::checked;
use super::{Limits, Mark, ParseSettings, SourceId, YamlDialect, YamlError, error};
use crate::yaml::YamlCause;

/// The events of the first document of a text, each with its bytes, as go-yaml v2 reads it. Later
/// documents are not read.
///
/// The bytes of the start of a document are those of the `---`, and those of the start of a
/// collection its bracket or brace: empty if it is not written. A missing value is a plain scalar
/// with an empty byte range. The range of a block scalar covers its header and its lines.
pub(crate) struct Parts<'t> {
    /// `None` after the end and after an error.
    events: Option<Events<'t>>,
    refused: Option<YamlError>,
    /// The length in bytes of a byte-order mark at the start.
    skipped: usize,
    anchors: BTreeSet<&'t str>,
    /// The end of the document, once known.
    end: Option<usize>,
}

impl<'t> Parts<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let read = checked(&FilePiece { text: text.as_bytes(), line: 0 });
        let skipped = read.as_ref().map_or(0, |read| text.len() - read.len());
        let (events, refused) = match read {
            Ok(read) => (Some(Events::new(read, YamlDialect::V1_1)), None),
            Err(refused) => (None, Some(refused)),
        };
        Self { events, refused, skipped, anchors: BTreeSet::new(), end: None }
    }

    /// The end of the document: after all of its parts, a comment below them included.
    pub(crate) fn end(&self) -> Option<usize> {
        self.end
    }

    fn part(&mut self) -> Option<Result<(Event<'t>, Range<usize>), YamlError>> {
        let events = self.events.as_mut()?;
        let event = match events.next() {
            Ok(event) => event,
            Err(refusal) => {
                let (dialect, limits) = (YamlDialect::V1_1, Limits::default());
                let reading = ParseSettings::new(SourceId::NONE, dialect, limits);
                // The text of the error has no line, because callers show the line separately.
                let cause = YamlCause::Syntax { told: None, words: refusal.words };
                return Some(Err(YamlError { cause, ..error::as_yaml_error(&refusal, reading) }));
            }
        };
        let bytes = events.bytes();
        let bytes = bytes.start + self.skipped..bytes.end + self.skipped;
        self.anchors.extend(event.anchor);
        match event.kind {
            EventKind::DocumentEnd | EventKind::StreamEnd => {
                self.end = Some(bytes.start);
                None
            }
            EventKind::Alias(name) if !self.anchors.contains(name) => {
                let mark = event.start.mark(0, Mark::default());
                Some(Err(refuse_at(mark, YamlCause::UnknownAnchor(name.to_owned()))))
            }
            _ => Some(Ok((event, bytes))),
        }
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = Result<(Event<'t>, Range<usize>), YamlError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.refused.take().map(Err).or_else(|| self.part());
        if !matches!(next, Some(Ok(_))) {
            self.events = None;
        }
        next
    }
}
