//! Reads one document by recursive descent. Comments are assigned to nodes as in go-yaml v3, and
//! errors have its words and lines.

use std::collections::BTreeMap;
use std::ops::Range;

use super::comments::CommentQueue;
use super::cursor::{Cursor, TextPosition};
use super::{Allowance, ParseSettings, TextCache, YamlCause, YamlDialect, YamlError};
use crate::yaml::{MappingEntry, Mark, Node};

pub(super) const MAPPING_VALUES: &str = "mapping values are not allowed in this context";

/// For each node but those of block collections and missing values, by line and column of its mark:
/// its start, and the bytes of its content without anchor and tag.
pub(super) type Extents = BTreeMap<(u32, u32), (usize, Range<usize>)>;

/// Reads the first document of a text. Between two calls the cursor is at a token: the gap after
/// each token is skipped with it.
pub(super) struct Reader<'t, 'c> {
    pub(super) cursor: Cursor<'t>,
    pub(super) settings: ParseSettings,
    pub(super) texts: &'c mut TextCache,
    pub(super) comments: CommentQueue,
    /// The column of the innermost open block, -1 outside of all blocks.
    pub(super) indent: isize,
    pub(super) flow_level: usize,
    pub(super) depth: usize,
    /// True where a key without `?` or a dash may begin.
    pub(super) key_allowed: bool,
    /// The start of the last token but a comma.
    pub(super) last_token: TextPosition,
    pub(super) is_behind_colon: bool,
    /// The end of the last scalar, alias or bracket.
    pub(super) token_end: usize,
    /// The entries of all open mappings and the items of all open sequences, so that each list is
    /// allocated once, at its final size.
    pub(super) entries: Vec<MappingEntry>,
    pub(super) items: Vec<Node>,
    /// For each anchor the node that it names at this point; `None` while that node is read.
    pub(super) anchors: BTreeMap<&'t str, Option<Node>>,
    pub(super) extents: Option<Extents>,
}

impl<'t, 'c> Reader<'t, 'c> {
    pub(super) fn new(text: &'t str, settings: ParseSettings, texts: &'c mut TextCache) -> Self {
        Self {
            cursor: Cursor::new(text),
            settings,
            texts,
            comments: CommentQueue::default(),
            indent: -1,
            flow_level: 0,
            depth: 0,
            key_allowed: true,
            last_token: TextPosition::default(),
            is_behind_colon: false,
            token_end: 0,
            entries: Vec::new(),
            items: Vec::new(),
            anchors: BTreeMap::new(),
            extents: None,
        }
    }

    /// The root of the document, and the remaining allowance; `None` for a text without content.
    pub(super) fn read(mut self) -> Result<(Option<Node>, Allowance), YamlError> {
        let root = self.document()?;
        Ok((root, self.settings.allowance))
    }

    pub(super) fn keeps_comments(&self) -> bool {
        self.settings.dialect == YamlDialect::V3 && self.extents.is_none()
    }

    /// Skips blanks, line breaks and comments up to the next token.
    pub(super) fn skip_gap(&mut self) {
        let scan = self.cursor.point;
        self.comments.start_gap(scan.at);
        loop {
            let allows_tabs = self.flow_level > 0 || !self.key_allowed;
            while self.cursor.byte(0) == b' ' || allows_tabs && self.cursor.byte(0) == b'\t' {
                self.cursor.skip();
            }
            if self.cursor.byte(0) == b'#' {
                if self.keeps_comments() {
                    self.scan_comments(scan);
                } else {
                    self.cursor.take_rest_of_line();
                }
            }
            if !self.cursor.is_break(0) {
                return;
            }
            self.cursor.skip_line();
            self.key_allowed |= self.flow_level == 0;
        }
    }

    /// Ends a token that begins at `start`: reads the comment after it, which belongs to the token
    /// at `owner`, and the gap up to the next token.
    pub(super) fn end_token(&mut self, start: TextPosition, owner: usize) {
        (self.last_token, self.is_behind_colon) = (start, false);
        self.line_comment(owner);
        self.skip_gap();
    }

    /// Collects the comments that belong to the token at the cursor, or precede it.
    pub(super) fn collect_comments(&mut self) {
        if self.keeps_comments() {
            let here = self.cursor.point.at;
            let is_block_end = self.is_block_end() && self.indent >= 0;
            let document_end = (self.column() >= self.indent).then(|| here.saturating_sub(1));
            let block_end = || self.comments.block_end(self.indent, document_end);
            let at = if is_block_end { block_end() } else { here };
            self.comments.collect(at, is_block_end);
        }
    }

    pub(super) fn column(&self) -> isize {
        isize::try_from(self.cursor.point.column).unwrap_or(isize::MAX)
    }

    /// True at the end of the text and at the `---` or `...` that ends the document.
    pub(super) fn is_document_end(&self) -> bool {
        self.cursor.is_end() || self.cursor.is_document_indicator()
    }

    /// True if the innermost block ends at the cursor.
    pub(super) fn is_block_end(&self) -> bool {
        self.flow_level == 0 && (self.column() < self.indent || self.is_document_end())
    }

    /// True at this character as an indicator of a block: a blank or a line end follows.
    pub(super) fn is_indicator(&self, indicator: u8) -> bool {
        self.cursor.byte(0) == indicator && self.cursor.is_gap(1)
    }

    pub(super) fn mark(&self, point: TextPosition) -> Mark {
        point.mark(self.settings.line, self.settings.origin)
    }

    /// The error of a character: the line that go-yaml reports is that of the context in version 3,
    /// and that of the cursor in version 2. It does not report the first line.
    pub(super) fn scan_error(&self, context: TextPosition, words: &'static str) -> YamlError {
        let line = |told: usize| u32::try_from(told).unwrap_or(u32::MAX).saturating_add(1);
        let told = self.told_line(context).map(line);
        refuse_at(self.mark(context), YamlCause::Syntax { told, words })
    }

    /// The error of a token in a collection that begins at `context`: go-yaml counts the lines from
    /// 0.
    pub(super) fn parse_error(&self, context: TextPosition, words: &'static str) -> YamlError {
        let told = self.told_line(context).map(|line| u32::try_from(line).unwrap_or(u32::MAX));
        refuse_at(self.mark(self.cursor.point), YamlCause::Syntax { told, words })
    }

    fn told_line(&self, context: TextPosition) -> Option<usize> {
        let mut lines = [context.line, self.cursor.point.line];
        if self.settings.dialect == YamlDialect::V1_1 {
            lines.reverse();
        }
        lines.into_iter().find(|line| *line > 0)
    }
}

pub(super) fn refuse_at(mark: Mark, cause: YamlCause) -> YamlError {
    YamlError { line: mark.line, column: mark.column, cause }
}
