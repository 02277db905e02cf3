//! The byte ranges of a text, for editing: the events of its first document, with their bytes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::events::{EventKind, Events};
use super::pieces::Piece;
use super::text::checked;
use super::{Dialect, Limits, Origin, Reading, SourceId, WriterId, YamlError, error};
use crate::yaml::{Style, YamlCause};

/// The kinds of parts of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part<'t> {
    /// Its bytes are those of the `---`; empty if not written.
    DocumentStart,
    Alias(&'t str),
    /// An absent value is a plain text without bytes. The bytes of a block are its header and its
    /// lines.
    Scalar {
        text: Cow<'t, str>,
        style: Style,
        /// It has an anchor or a tag.
        has_properties: bool,
    },
    /// Its bytes are its bracket, none without one.
    SequenceStart(Layout),
    SequenceEnd,
    /// Its bytes are its brace, none without one.
    MappingStart(Layout),
    MappingEnd,
}

/// How a collection is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Block,
    Flow,
}

/// The parts of the first document of a text, each with its bytes, as go-yaml v2 reads it. Later
/// documents are not read.
pub(crate) struct Parts<'t> {
    /// `None` after the end and after an error.
    events: Option<Events<'t>>,
    refused: Option<YamlError>,
    /// The bytes of a mark in front.
    skipped: usize,
    anchors: BTreeSet<&'t str>,
    /// The end of the document, once known.
    end: Option<usize>,
}

impl<'t> Parts<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let read = checked(&Piece { text: text.as_bytes(), line: 0 });
        let skipped = read.as_ref().map_or(0, |read| text.len() - read.len());
        let (events, refused) = match read {
            Ok(read) => (Some(Events::new(read, Dialect::V1_1)), None),
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

    fn part(&mut self) -> Option<Result<(Part<'t>, Range<usize>), YamlError>> {
        let events = self.events.as_mut()?;
        let event = match events.next() {
            Ok(event) => event,
            Err(refusal) => {
                let origin = Origin::new(SourceId::NONE, WriterId::NONE);
                let reading = Reading::new(origin, Dialect::V1_1, Limits::default());
                // The line is shown separately.
                let cause = YamlCause::Syntax { told: None, words: refusal.words };
                return Some(Err(YamlError { cause, ..error::said(&refusal, reading) }));
            }
        };
        let bytes = events.bytes();
        self.anchors.extend(event.anchor);
        let layout = |flow: bool| if flow { Layout::Flow } else { Layout::Block };
        let part = match event.kind {
            EventKind::DocumentStart => Part::DocumentStart,
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
            EventKind::Alias(name) => Part::Alias(name),
            EventKind::Scalar(text, style) => {
                let has_properties = event.anchor.is_some() || event.tag.is_some();
                Part::Scalar { text, style, has_properties }
            }
            EventKind::SequenceStart(flow) => Part::SequenceStart(layout(flow)),
            EventKind::SequenceEnd => Part::SequenceEnd,
            EventKind::MappingStart(flow) => Part::MappingStart(layout(flow)),
            EventKind::MappingEnd => Part::MappingEnd,
        };
        Some(Ok((part, self.shifted(&bytes))))
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = Result<(Part<'t>, Range<usize>), YamlError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.refused.take().map(Err).or_else(|| self.part());
        if !matches!(next, Some(Ok(_))) {
            self.events = None;
        }
        next
    }
}
