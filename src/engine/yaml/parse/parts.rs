//! The events of the first document of a text with their byte ranges, for editing.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::events::{EventKind, Events};
use super::pieces::FilePiece;
use super::text::checked;
use super::{Limits, ParseSettings, SourceId, YamlDialect, YamlError, error};
use crate::yaml::{Style, YamlCause};

/// A part of a document, in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DocumentPart<'t> {
    /// The byte range is that of the `---`; empty if it is not written.
    DocumentStart,
    Alias(&'t str),
    /// A missing value is a plain scalar with an empty byte range. The range of a block scalar
    /// covers its header and its lines.
    Scalar {
        text: Cow<'t, str>,
        style: Style,
        /// True if the scalar has an anchor or a tag.
        has_properties: bool,
    },
    /// The byte range is that of the bracket; empty without a bracket.
    SequenceStart(CollectionStyle),
    SequenceEnd,
    /// The byte range is that of the brace; empty without a brace.
    MappingStart(CollectionStyle),
    MappingEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CollectionStyle {
    Block,
    Flow,
}

/// The parts of the first document of a text, each with its bytes, as go-yaml v2 reads it. Later
/// documents are not read.
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

    fn shifted(&self, bytes: &Range<usize>) -> Range<usize> {
        bytes.start + self.skipped..bytes.end + self.skipped
    }

    fn part(&mut self) -> Option<Result<(DocumentPart<'t>, Range<usize>), YamlError>> {
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
        self.anchors.extend(event.anchor);
        let layout = |flow: bool| if flow { CollectionStyle::Flow } else { CollectionStyle::Block };
        let part = match event.kind {
            EventKind::DocumentStart => DocumentPart::DocumentStart,
            EventKind::DocumentEnd | EventKind::StreamEnd => {
                self.end = Some(self.shifted(&bytes).start);
                return None;
            }
            EventKind::Alias(name) if !self.anchors.contains(name) => {
                return Some(Err(YamlError {
                    line: u32::try_from(event.start.row).map_or(u32::MAX, |row| row + 1),
                    column: u32::try_from(event.start.column).map_or(u32::MAX, |column| column + 1),
                    cause: YamlCause::UnknownAnchor(name.to_owned()),
                }));
            }
            EventKind::Alias(name) => DocumentPart::Alias(name),
            EventKind::Scalar(text, style) => {
                let has_properties = event.anchor.is_some() || event.tag.is_some();
                DocumentPart::Scalar { text, style, has_properties }
            }
            EventKind::SequenceStart(flow) => DocumentPart::SequenceStart(layout(flow)),
            EventKind::SequenceEnd => DocumentPart::SequenceEnd,
            EventKind::MappingStart(flow) => DocumentPart::MappingStart(layout(flow)),
            EventKind::MappingEnd => DocumentPart::MappingEnd,
        };
        Some(Ok((part, self.shifted(&bytes))))
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = Result<(DocumentPart<'t>, Range<usize>), YamlError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.refused.take().map(Err).or_else(|| self.part());
        if !matches!(next, Some(Ok(_))) {
            self.events = None;
        }
        next
    }
}
