//! Documents, and nodes of blocks: sequences of dashes, mappings on lines of their own.

use std::sync::Arc;

use crate::yaml::{Node, Style, Value, YamlCause, YamlError};

use super::comments::{comments_mut, split_stem};
use super::cursor::TextPosition;
use super::nodes::{KeyUse, OpenMapping, Properties};
use super::reader::{MAPPING_VALUES, Reader};

const NO_SEQUENCE: &str = "block sequence entries are not allowed in this context";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Any,
    /// Also a sequence with the indentation of its key.
    OfKey,
}

impl<'t> Reader<'t, '_> {
    /// Reads a node in a block. `outer` are the properties on earlier lines; `stem` is the length of
    /// the comment above the dash of the node.
    pub(super) fn block_node(
        &mut self,
        outer: Properties<'t>,
        place: Place,
        stem: usize,
    ) -> Result<Node, YamlError> {
        self.collect_comments();
        let (here, may_be_key, around) = (self.cursor.point, self.key_allowed, self.indent);
        if self.is_indicator(b'-') {
            return self.block_sequence(outer, stem);
        }
        if self.is_indicator(b'?') && may_be_key {
            let head = split_stem(&mut self.comments.texts.head, stem);
            self.indent = self.column();
            return self.block_mapping(outer, (here, around), head, None);
        }
        if self.is_indicator(b':') && may_be_key {
            return Err(self.parse_error(here, "did not find expected key"));
        }
        let own = self.properties()?;
        if !own.is_empty() && (self.key_allowed || self.is_document_end()) {
            let is_repeated = own.anchor.and(outer.anchor).is_some();
            if is_repeated || own.tag.is_some() && outer.tag.is_some() {
                return Err(self.parse_error(outer.start, "did not find expected node content"));
            }
            let outer = outer.or(own);
            if self.ends_child(place) {
                return self.empty_with(outer);
            }
            return self.block_node(outer, place, stem);
        }
        let key_use = if may_be_key { KeyUse::Possible } else { KeyUse::Never };
        let mut outer = outer;
        let (mut node, colon) = self.inline(&mut outer, own, key_use)?;
        let Some(colon) = colon else { return Ok(node) };
        let mut head = String::new();
        if stem > 0 {
            let comments = comments_mut(&mut node);
            head = split_stem(&mut comments.head, stem);
            if !comments.has_texts() {
                node.comments = None;
            }
        }
        self.block_mapping(outer, (here, around), head, Some((node, Some(colon))))
    }

    /// Reads the node after an indicator that ends at `end`: a null if no node follows.
    fn block_child(
        &mut self,
        end: TextPosition,
        place: Place,
        stem: usize,
    ) -> Result<Node, YamlError> {
        self.collect_comments();
        if self.ends_child(place) {
            return self.empty(end);
        }
        self.block_node(Properties::at(self.cursor.point), place, stem)
    }

    /// True if no node follows at this place in the innermost block.
    fn ends_child(&self, place: Place) -> bool {
        let is_left = self.column() < self.indent
            || self.column() == self.indent && !(place == Place::OfKey && self.is_indicator(b'-'));
        is_left || self.is_document_end()
    }

    /// Takes the indicator at the cursor; returns its end.
    fn take_indicator(&mut self) -> TextPosition {
        let start = self.cursor.point;
        let (is_dash, is_colon) = (self.cursor.byte(0) == b'-', self.cursor.byte(0) == b':');
        let owner = if is_colon { self.last_token } else { start };
        self.cursor.skip();
        let end = self.cursor.point;
        self.key_allowed = true;
        (self.last_token, self.is_behind_colon) = (start, is_colon);
        // A comment after a dash belongs to the next node.
        if !is_dash {
            self.line_comment(owner.at);
        }
        self.skip_gap();
        end
    }

    fn close_block(&mut self, outer: isize) {
        self.comments.close_block(self.indent);
        self.indent = outer;
    }

    fn block_sequence(&mut self, outer: Properties<'t>, stem: usize) -> Result<Node, YamlError> {
        let here = self.cursor.point;
        if !self.key_allowed {
            return Err(self.scan_error(here, NO_SEQUENCE));
        }
        self.open(outer.start)?;
        let is_indented = self.column() > self.indent;
        let head = split_stem(&mut self.comments.texts.head, stem);
        let column = self.column();
        let around = std::mem::replace(&mut self.indent, column);
        let first = self.items.len();
        while self.is_indicator(b'-') && self.column() == self.indent {
            self.collect_comments();
            let stem = self.comments.texts.head.len();
            let end = self.take_indicator();
            let item = self.block_child(end, Place::Any, stem)?;
            self.items.push(item);
            self.collect_comments();
        }
        if is_indented {
            if !self.is_block_end() {
                return Err(self.refuse_entry(here, "did not find expected '-' indicator"));
            }
            self.close_block(around);
        }
        let items = self.items.drain(first..).collect();
        self.collection(Value::Sequence(Arc::new(items), Style::Plain), outer, head)
    }

    /// Reads a mapping whose first key is at `here`, in a block with the indentation `around`. The
    /// key may be read already, with the end of its `:`.
    fn block_mapping(
        &mut self,
        outer: Properties<'t>,
        (here, around): (TextPosition, isize),
        head: String,
        mut read: Option<(Node, Option<TextPosition>)>,
    ) -> Result<Node, YamlError> {
        self.open(outer.start)?;
        let mut open = OpenMapping::new(self.entries.len(), Style::Plain);
        loop {
            let (key, colon) = match read.take() {
                Some(read) => read,
                None => self.block_key(here)?,
            };
            let key = self.key(key, &open)?;
            let is_alias = self.cursor.byte(0) == b'*';
            let value = match colon {
                Some(end) => self.block_child(end, Place::OfKey, 0)?,
                None => self.empty(self.cursor.point)?,
            };
            self.add_entry(key, value, is_alias, &mut open);
            self.collect_comments();
            if self.is_block_end() {
                break;
            }
        }
        let foot = std::mem::take(&mut self.comments.texts).foot;
        self.close_block(around);
        if let Some(last) = self.entries.last_mut().filter(|_| !foot.is_empty()) {
            comments_mut(&mut last.key).foot = foot;
        }
        let value = self.close_mapping(open, outer.start)?;
        self.collection(value, outer, head)
    }

    /// Reads the next key of the mapping that begins at `mapping`, and its `:`.
    fn block_key(
        &mut self,
        mapping: TextPosition,
    ) -> Result<(Node, Option<TextPosition>), YamlError> {
        let is_junk = matches!(self.cursor.byte(0), b']' | b'}' | b',' | b'|' | b'>')
            || self.is_indicator(b'-')
            || self.is_indicator(b':');
        if self.column() != self.indent || is_junk {
            return Err(self.refuse_entry(mapping, "did not find expected key"));
        }
        if !self.is_indicator(b'?') {
            let own = self.properties()?;
            let start = own.start;
            let read = self.inline(&mut Properties::at(start), own, KeyUse::Required);
            return read.map_err(|error| match error.cause {
                // go-yaml searches for the `:` before it parses a key in braces.
                YamlCause::Syntax { words, .. } if words.starts_with("did not find expected") => {
                    self.missing_colon_error(start)
                }
                _ => error,
            });
        }
        let end = self.take_indicator();
        let key = self.block_child(end, Place::OfKey, 0)?;
        self.collect_comments();
        let has_value = self.is_indicator(b':') && self.column() == self.indent;
        let colon = has_value.then(|| self.take_indicator());
        Ok((key, colon))
    }

    /// The error of a token that neither continues nor ends the collection that begins at `context`.
    /// Errors of a scalar at this place come first, as in go-yaml.
    fn refuse_entry(&mut self, context: TextPosition, words: &'static str) -> YamlError {
        let (here, error) = (self.cursor.point, self.parse_error(context, words));
        match self.cursor.byte(0) {
            b']' | b'}' | b',' | b'|' | b'>' => error,
            b':' if self.cursor.is_gap(1) && !self.key_allowed => {
                self.scan_error(here, MAPPING_VALUES)
            }
            b'-' if self.cursor.is_gap(1) && !self.key_allowed => {
                self.scan_error(here, NO_SEQUENCE)
            }
            b'-' | b':' | b'?' if self.cursor.is_gap(1) => error,
            _ => {
                let is_key = self.column() == self.indent;
                let key_use = if is_key { KeyUse::Required } else { KeyUse::Possible };
                let read = self.inline(&mut Properties::default(), Properties::at(here), key_use);
                read.err().unwrap_or(error)
            }
        }
    }
}

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
