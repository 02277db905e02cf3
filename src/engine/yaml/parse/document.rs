//! A document: its start, its root and its comments.

use super::block::Place;
use super::comments::comments_mut;
use super::cursor::TextPosition;
use super::properties::Properties;
use super::reader::Reader;
use crate::yaml::{Node, Style, YamlError};

impl Reader<'_, '_> {
    pub(super) fn document(&mut self) -> Result<Option<Node>, YamlError> {
        self.skip_gap();
        if self.cursor.is_end() {
            return Ok(None);
        }
        let has_version = self.cursor.point.column == 0 && self.cursor.byte(0) == b'%';
        if has_version {
            self.skip_directive()?;
        }
        self.collect_comments();
        let mut head = String::new();
        if self.cursor.is_document_indicator() && self.cursor.byte(0) == b'-' {
            let start = self.cursor.point;
            self.cursor.skip_to(start.at + 3);
            self.key_allowed = false;
            self.last_token = start;
            self.skip_gap();
            self.collect_comments();
        } else if has_version {
            let words = "did not find expected <document start>";
            return Err(self.parse_error(TextPosition::default(), words));
        } else {
            head = self.split_document_comments();
        }
        let start = self.cursor.point;
        let mut root = if self.is_document_end() {
            self.empty(start)?
        } else {
            self.block_node(Properties::at(start), Place::Any, 0)?
        };
        self.collect_comments();
        let texts = std::mem::take(&mut self.comments.texts);
        let foot = if texts.foot.is_empty() { texts.head } else { texts.foot };
        // A block collection gets the comments of its document, because it has no others.
        let is_block = root.collection_style() == Some(Style::Plain);
        if is_block && !(head.is_empty() && foot.is_empty()) {
            let comments = comments_mut(&mut root);
            (comments.head, comments.foot) = (head, foot);
        }
        Ok(Some(root))
    }
}
