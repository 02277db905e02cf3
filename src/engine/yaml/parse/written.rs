//! The first document of a text with the bytes of its nodes, for editing.

use std::ops::Range;

use crate::yaml::{Node, Style, YamlCause, YamlError};

use super::reader::{Extents, Reader};
use super::text::{FilePiece, checked};
use super::{Limits, ParseSettings, SourceId, TextCache, YamlDialect};

/// The first document of a text with its aliases, merge keys and duplicate keys, and the bytes of
/// its nodes in the text.
pub(crate) struct WrittenDocument<'t> {
    pub(crate) text: &'t str,
    /// `None` for a document without content.
    pub(crate) root: Option<Node>,
    /// The end of the document: after all of its nodes, a comment below them included.
    pub(crate) end: usize,
    extents: Extents,
    /// The byte in the text of offset 0 of the extents.
    base: usize,
}

const MAX_EMPTY_DOCUMENTS: usize = 4;

impl<'t> WrittenDocument<'t> {
    pub(crate) fn parse(text: &'t str) -> Result<Self, YamlError> {
        Self::parse_part(text, 0..text.len(), 0)
    }

    /// The first of a few documents that has content: the first ones can be empty, as around a
    /// licence.
    pub(crate) fn parse_content(text: &'t str) -> Result<Self, YamlError> {
        let mut found = Self::parse(text)?;
        for _ in 0..MAX_EMPTY_DOCUMENTS {
            let is_empty = |root: &Node| root.is_null() && root.text() == Some("");
            if !found.root.as_ref().is_none_or(is_empty) || found.end >= text.len() {
                break;
            }
            let lines = text[..found.end].matches('\n').count();
            let line = u32::try_from(lines).unwrap_or(u32::MAX);
            found = Self::parse_part(text, found.end..text.len(), line)?;
        }
        Ok(found)
    }

    /// Reads a part of a text; `line` is the number of lines before it.
    pub(crate) fn parse_part(
        text: &'t str,
        part: Range<usize>,
        line: u32,
    ) -> Result<Self, YamlError> {
        let whole = text.get(part.clone()).unwrap_or_default();
        let read = checked(&FilePiece { text: whole.as_bytes(), line })?;
        // A byte-order mark at the start is skipped.
        let base = part.start + whole.len() - read.len();
        let settings = ParseSettings::new(SourceId::NONE, YamlDialect::V3, Limits::default());
        let settings = ParseSettings { line, as_written: true, ..settings };
        let texts = &mut TextCache::for_text_size(0);
        let mut reader = Reader::new(read, settings, texts);
        reader.extents = Some(Extents::default());
        let root = reader.document().map_err(|mut error| {
            if let YamlCause::Syntax { told, .. } = &mut error.cause {
                // Callers show the line separately.
                *told = None;
            }
            error
        })?;
        let extents = reader.extents.take().unwrap_or_default();
        Ok(Self { text, root, end: base + reader.cursor.point.at, extents, base })
    }

    fn extent(&self, node: &Node) -> Option<&(usize, Range<usize>)> {
        self.extents.get(&(node.mark.line, node.mark.column))
    }

    /// The byte at which a node starts, with its anchor and tag; `None` for a missing value.
    pub(crate) fn start(&self, node: &Node) -> Option<usize> {
        Some(self.base + self.extent(node)?.0)
    }

    /// The bytes of the content of a node, from its first to its last character, without anchor and
    /// tag; `None` for a missing value.
    pub(crate) fn bytes(&self, node: &Node) -> Option<Range<usize>> {
        let own = self.extent(node).map(|(_, it)| self.base + it.start..self.base + it.end);
        let is_leaf = node.is_alias() || node.as_scalar().is_some();
        if is_leaf || own.as_ref().is_some_and(|own| self.written(own).starts_with(['[', '{'])) {
            return own;
        }
        let keys = node.entries().iter().map(|entry| &entry.key);
        let below = keys.chain(node.children()).filter_map(|child| self.bytes(child));
        below.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
    }

    pub(crate) fn written(&self, bytes: &Range<usize>) -> &'t str {
        self.text.get(bytes.clone()).unwrap_or_default()
    }

    /// The nodes of the document, keys included, without those of aliased nodes.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        let mut open: Vec<&Node> = self.root.iter().collect();
        std::iter::from_fn(move || {
            let node = open.pop()?;
            if !node.is_alias() {
                open.extend(node.children());
                open.extend(node.entries().iter().map(|entry| &entry.key));
            }
            Some(node)
        })
    }

    /// True for a plain scalar of several lines.
    pub(crate) fn is_folded_plain(&self, node: &Node) -> bool {
        let is_plain = node.as_scalar().is_some_and(|scalar| scalar.style == Style::Plain);
        is_plain && self.bytes(node).is_some_and(|bytes| self.written(&bytes).contains('\n'))
    }
}
