//! Text to tokens, as in go-yaml's scanner: the positions of keys, the ends of scalars, the owners
//! of comments.
//!
//! Version 3 keeps comments, for which it reads three tokens ahead; version 2 reads one ahead.

mod block;
mod comments;
mod cursor;
mod keys;
mod plain;
mod properties;
mod quoted;
mod token;

use crate::yaml::Style;

use super::YamlDialect;
use comments::PendingComment;
use cursor::ScanCursor;
pub(super) use cursor::TextPosition;
use keys::SimpleKey;
pub(super) use token::{GoYamlHalf, ScanError, ScanToken, ScanTokenKind};

/// Splits a text into tokens, as go-yaml's scanner does.
pub(super) struct Scanner<'t> {
    cursor: ScanCursor<'t>,
    keeps_comments: bool,
    /// The scanned tokens; those before the index `head` are already taken.
    tokens: Vec<ScanToken<'t>>,
    head: usize,
    /// The number of tokens taken.
    taken: usize,
    /// The possible keys: one for the block, and one for each open flow collection.
    keys: Vec<SimpleKey>,
    key_allowed: bool,
    indent: isize,
    indents: Vec<isize>,
    flow_level: usize,
    comments: Vec<PendingComment>,
    comments_head: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, dialect: YamlDialect) -> Self {
        Self {
            cursor: ScanCursor::new(text),
            keeps_comments: dialect == YamlDialect::V3,
            tokens: vec![ScanToken { kind: ScanTokenKind::StreamStart, ..ScanToken::default() }],
            head: 0,
            taken: 0,
            keys: vec![SimpleKey::default()],
            key_allowed: true,
            indent: -1,
            indents: Vec::new(),
            flow_level: 0,
            comments: Vec::new(),
            comments_head: 0,
        }
    }

    pub(super) fn peek(&mut self) -> Result<&ScanToken<'t>, ScanError> {
        let ahead = if self.keeps_comments { 2 } else { 0 };
        loop {
            if self.tokens.len() > self.head + ahead && !self.may_be_key()? {
                return Ok(&self.tokens[self.head]);
            }
            if matches!(self.tokens.last(), Some(ScanToken { kind: ScanTokenKind::StreamEnd, .. }))
                && self.tokens.len() > self.head
            {
                self.may_be_key()?;
                return Ok(&self.tokens[self.head]);
            }
            self.fetch()?;
        }
    }

    /// Takes the token of the last `peek`.
    pub(super) fn take(&mut self) -> ScanToken<'t> {
        /// The number of taken tokens after which they are removed from the list.
        const MAX_CONSUMED_TOKENS: usize = 64;
        if self.head > MAX_CONSUMED_TOKENS {
            // Keep the last two, which decide on the owner of a comment.
            self.tokens.drain(..self.head - 2);
            self.head = 2;
        }
        let Some(token) = self.tokens.get_mut(self.head) else { return ScanToken::default() };
        let kind = match &token.kind {
            ScanTokenKind::Scalar(..) | ScanTokenKind::Tag(..) => std::mem::take(&mut token.kind),
            kind => kind.clone(),
        };
        let taken = ScanToken { kind, ..*token };
        self.head += 1;
        self.taken += 1;
        taken
    }

    fn refuse(&self, context: TextPosition, words: &'static str) -> ScanError {
        ScanError { half: GoYamlHalf::Scanner, context, problem: self.cursor.point, words }
    }

    fn push(&mut self, kind: ScanTokenKind<'t>, start: TextPosition) {
        self.tokens.push(ScanToken { kind, start, end: self.cursor.point });
    }

    fn fetch(&mut self) -> Result<(), ScanError> {
        let scan = self.cursor.point;
        self.scan_to_next_token();
        let column = isize::try_from(self.cursor.point.column).unwrap_or(isize::MAX);
        self.unroll_indent(column, scan);
        if self.cursor.is_end() {
            return self.fetch_stream_end();
        }
        let byte = self.cursor.byte(0);
        if self.cursor.point.column == 0 && byte == b'%' {
            self.leave_block()?;
            return self.scan_directive();
        }
        if self.cursor.is_document_indicator() {
            return self.fetch_document_indicator();
        }
        let is_separator = match self.flow_level {
            0 => byte == b':',
            _ => byte == b',',
        };
        let owner = match self.tokens.last() {
            Some(token) if is_separator => token.start,
            _ => self.cursor.point,
        };
        self.fetch_content(byte)?;
        let is_entry =
            self.tokens.last().is_some_and(|last| last.kind == ScanTokenKind::BlockEntry);
        if self.keeps_comments && !is_entry {
            self.scan_line_comment(owner);
        }
        Ok(())
    }

    /// Adds the next token, which begins with this byte.
    fn fetch_content(&mut self, byte: u8) -> Result<(), ScanError> {
        let is_alone = self.cursor.is_gap(1);
        let is_sign = self.flow_level > 0 || is_alone;
        match byte {
            b'[' => self.fetch_flow_start(ScanTokenKind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(ScanTokenKind::FlowMappingStart),
            b']' => self.fetch_flow_end(ScanTokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(ScanTokenKind::FlowMappingEnd),
            b',' => {
                self.remove_key()?;
                self.key_allowed = true;
                self.fetch_one_character_token(ScanTokenKind::FlowEntry);
                Ok(())
            }
            b'-' if is_alone => self.fetch_block_entry(),
            b'?' if is_sign => self.fetch_key(),
            b':' if is_sign => self.fetch_value(),
            b'*' | b'&' => {
                self.save_key()?;
                self.key_allowed = false;
                self.scan_anchor(byte == b'*')
            }
            b'!' => {
                self.save_key()?;
                self.key_allowed = false;
                self.scan_tag()
            }
            b'|' | b'>' if self.flow_level == 0 => {
                self.remove_key()?;
                self.key_allowed = true;
                self.scan_block_scalar(if byte == b'|' { Style::Literal } else { Style::Folded })
            }
            b'\'' | b'"' => {
                self.save_key()?;
                self.key_allowed = false;
                self.scan_quoted(byte)
            }
            b'?' | b':' if self.flow_level > 0 => Err(self.no_token_error()),
            b'\t' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => Err(self.no_token_error()),
            _ => {
                self.save_key()?;
                self.key_allowed = false;
                self.scan_plain()
            }
        }
    }

    fn no_token_error(&self) -> ScanError {
        self.refuse(self.cursor.point, "found character that cannot start any token")
    }

    fn scan_to_next_token(&mut self) {
        let scan = self.cursor.point;
        loop {
            let allows_tabs = self.flow_level > 0 || !self.key_allowed;
            while self.cursor.byte(0) == b' ' || allows_tabs && self.cursor.byte(0) == b'\t' {
                self.cursor.skip();
            }
            if self.keeps_comments {
                self.lift_line_comment();
            }
            if self.cursor.byte(0) == b'#' {
                if self.keeps_comments {
                    self.scan_comments(scan);
                } else {
                    self.cursor.take_rest_of_line();
                }
            }
            if !self.cursor.is_break(0) {
                return;
            }
            self.cursor.skip_line();
            if self.flow_level == 0 {
                self.key_allowed = true;
            }
        }
    }

    /// Closes every open block, because a document ends.
    fn leave_block(&mut self) -> Result<(), ScanError> {
        self.unroll_indent(-1, self.cursor.point);
        self.remove_key()?;
        self.key_allowed = false;
        Ok(())
    }

    fn fetch_stream_end(&mut self) -> Result<(), ScanError> {
        if self.cursor.point.column != 0 {
            self.cursor.point.column = 0;
            self.cursor.point.line += 1;
        }
        self.leave_block()?;
        self.push(ScanTokenKind::StreamEnd, self.cursor.point);
        Ok(())
    }

    fn fetch_document_indicator(&mut self) -> Result<(), ScanError> {
        let is_start = self.cursor.byte(0) == b'-';
        self.leave_block()?;
        let start = self.cursor.point;
        self.cursor.skip_to(start.at + 3);
        let kind = if is_start { ScanTokenKind::DocumentStart } else { ScanTokenKind::DocumentEnd };
        self.push(kind, start);
        Ok(())
    }

    fn fetch_one_character_token(&mut self, kind: ScanTokenKind<'t>) {
        let start = self.cursor.point;
        self.cursor.skip();
        self.push(kind, start);
    }

    fn fetch_flow_start(&mut self, kind: ScanTokenKind<'t>) -> Result<(), ScanError> {
        self.save_key()?;
        self.keys.push(SimpleKey::default());
        self.flow_level += 1;
        self.key_allowed = true;
        self.fetch_one_character_token(kind);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: ScanTokenKind<'t>) -> Result<(), ScanError> {
        self.remove_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            self.keys.pop();
        }
        self.key_allowed = false;
        self.fetch_one_character_token(kind);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), ScanError> {
        let here = self.cursor.point;
        if self.flow_level == 0 {
            if !self.key_allowed {
                let words = "block sequence entries are not allowed in this context";
                return Err(self.refuse(here, words));
            }
            self.roll_indent(here, None, ScanTokenKind::BlockSequenceStart);
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.fetch_one_character_token(ScanTokenKind::BlockEntry);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), ScanError> {
        let here = self.cursor.point;
        if self.flow_level == 0 {
            if !self.key_allowed {
                return Err(self.refuse(here, "mapping keys are not allowed in this context"));
            }
            self.roll_indent(here, None, ScanTokenKind::BlockMappingStart);
        }
        self.remove_key()?;
        self.key_allowed = self.flow_level == 0;
        self.fetch_one_character_token(ScanTokenKind::Key);
        Ok(())
    }

    /// Adds the token of a `:`, and that of the key before it.
    fn fetch_value(&mut self) -> Result<(), ScanError> {
        let here = self.cursor.point;
        let last = self.keys.len() - 1;
        if self.is_valid_key(last)? {
            let SimpleKey { token, point, .. } = self.keys[last];
            self.insert(Some(token), ScanTokenKind::Key, point);
            self.roll_indent(point, Some(token), ScanTokenKind::BlockMappingStart);
            self.keys[last].possible = false;
            self.key_allowed = false;
        } else {
            if self.flow_level == 0 {
                if !self.key_allowed {
                    return Err(self.refuse(here, "mapping values are not allowed in this context"));
                }
                self.roll_indent(here, None, ScanTokenKind::BlockMappingStart);
            }
            self.key_allowed = self.flow_level == 0;
        }
        self.fetch_one_character_token(ScanTokenKind::Value);
        Ok(())
    }
}
