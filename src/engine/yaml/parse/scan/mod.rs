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

use super::Dialect;
pub(super) use comments::Texts;
use comments::Waiting;
use cursor::Cursor;
pub(super) use cursor::Point;
use keys::SimpleKey;
pub(super) use token::{Half, Refusal, Token, TokenKind};

/// The length up to which a text with a second byte-order mark is kept in one piece.
const FIRST_PIECE: usize = 512 - '\u{feff}'.len_utf8();
const BOM: char = '\u{feff}';

pub(super) struct Scanner<'t> {
    cursor: Cursor<'t>,
    keeps_comments: bool,
    /// From `head` on they are still to be read.
    tokens: Vec<Token<'t>>,
    head: usize,
    /// How many tokens were read.
    taken: usize,
    /// One for the block and one for each open flow collection.
    keys: Vec<SimpleKey>,
    key_allowed: bool,
    indent: isize,
    indents: Vec<isize>,
    flow_level: usize,
    comments: Vec<Waiting>,
    comments_head: usize,
    /// Kustomize: a text with a second byte-order mark loses the first character of its lines.
    loses_first: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, dialect: Dialect) -> Self {
        Self {
            cursor: Cursor::new(text),
            keeps_comments: dialect == Dialect::V3,
            tokens: vec![Token { kind: TokenKind::StreamStart, ..Token::default() }],
            head: 0,
            taken: 0,
            keys: vec![SimpleKey::default()],
            key_allowed: true,
            indent: -1,
            indents: Vec::new(),
            flow_level: 0,
            comments: Vec::new(),
            comments_head: 0,
            loses_first: text.starts_with(BOM),
        }
    }

    /// The next token, without taking it.
    pub(super) fn peek(&mut self) -> Result<&Token<'t>, Refusal> {
        let ahead = if self.keeps_comments { 2 } else { 0 };
        loop {
            if self.tokens.len() > self.head + ahead && !self.may_be_key()? {
                return Ok(&self.tokens[self.head]);
            }
            if matches!(self.tokens.last(), Some(Token { kind: TokenKind::StreamEnd, .. }))
                && self.tokens.len() > self.head
            {
                self.may_be_key()?;
                return Ok(&self.tokens[self.head]);
            }
            self.fetch()?;
        }
    }

    /// Takes the token of the last `peek`.
    pub(super) fn take(&mut self) -> Token<'t> {
        const MOST: usize = 64;
        if self.head > MOST {
            // Keep the last two, which decide on the owner of a comment.
            self.tokens.drain(..self.head - 2);
            self.head = 2;
        }
        let Some(token) = self.tokens.get_mut(self.head) else { return Token::default() };
        let kind = match &token.kind {
            TokenKind::Scalar(..) | TokenKind::Tag(..) | TokenKind::TagDirective(..) => {
                std::mem::take(&mut token.kind)
            }
            kind => kind.clone(),
        };
        let taken = Token { kind, ..*token };
        self.head += 1;
        self.taken += 1;
        taken
    }

    fn refuse(&self, context: Point, words: &'static str) -> Refusal {
        Refusal { half: Half::Scanner, context, problem: self.cursor.point, words }
    }

    fn push(&mut self, kind: TokenKind<'t>, start: Point) {
        self.tokens.push(Token { kind, start, end: self.cursor.point });
    }

    fn fetch(&mut self) -> Result<(), Refusal> {
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
        let is_entry = self.tokens.last().is_some_and(|last| last.kind == TokenKind::BlockEntry);
        if self.keeps_comments && !is_entry {
            self.scan_line_comment(owner);
        }
        Ok(())
    }

    fn fetch_content(&mut self, byte: u8) -> Result<(), Refusal> {
        let is_alone = self.cursor.is_gap(1);
        let is_sign = self.flow_level > 0 || is_alone;
        match byte {
            b'[' => self.fetch_flow_start(TokenKind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMappingStart),
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd),
            b',' => {
                self.remove_key()?;
                self.key_allowed = true;
                self.fetch_sign(TokenKind::FlowEntry);
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
            b'?' | b':' if self.flow_level > 0 => Err(self.no_token()),
            b'\t' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => Err(self.no_token()),
            _ => {
                self.save_key()?;
                self.key_allowed = false;
                self.scan_plain()
            }
        }
    }

    fn no_token(&self) -> Refusal {
        self.refuse(self.cursor.point, "found character that cannot start any token")
    }

    /// Over blanks, comments and line breaks.
    fn scan_to_next_token(&mut self) {
        let scan = self.cursor.point;
        loop {
            if self.loses_first
                && self.cursor.point.column == 0
                && self.cursor.point.at < FIRST_PIECE
            {
                self.cursor.skip();
            }
            let tabs = self.flow_level > 0 || !self.key_allowed;
            while self.cursor.byte(0) == b' ' || tabs && self.cursor.byte(0) == b'\t' {
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

    /// Closes every block: a document ends.
    fn leave_block(&mut self) -> Result<(), Refusal> {
        self.unroll_indent(-1, self.cursor.point);
        self.remove_key()?;
        self.key_allowed = false;
        Ok(())
    }

    fn fetch_stream_end(&mut self) -> Result<(), Refusal> {
        if self.cursor.point.column != 0 {
            self.cursor.point.column = 0;
            self.cursor.point.line += 1;
        }
        self.leave_block()?;
        self.push(TokenKind::StreamEnd, self.cursor.point);
        Ok(())
    }

    fn fetch_document_indicator(&mut self) -> Result<(), Refusal> {
        let is_start = self.cursor.byte(0) == b'-';
        self.leave_block()?;
        let start = self.cursor.point;
        self.cursor.skip_to(start.at + 3);
        let kind = if is_start { TokenKind::DocumentStart } else { TokenKind::DocumentEnd };
        self.push(kind, start);
        Ok(())
    }

    fn fetch_sign(&mut self, kind: TokenKind<'t>) {
        let start = self.cursor.point;
        self.cursor.skip();
        self.push(kind, start);
    }

    fn fetch_flow_start(&mut self, kind: TokenKind<'t>) -> Result<(), Refusal> {
        self.save_key()?;
        self.keys.push(SimpleKey::default());
        self.flow_level += 1;
        self.key_allowed = true;
        self.fetch_sign(kind);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind<'t>) -> Result<(), Refusal> {
        self.remove_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            self.keys.pop();
        }
        self.key_allowed = false;
        self.fetch_sign(kind);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), Refusal> {
        let here = self.cursor.point;
        if self.flow_level == 0 {
            if !self.key_allowed {
                let words = "block sequence entries are not allowed in this context";
                return Err(self.refuse(here, words));
            }
            self.roll_indent(here, None, TokenKind::BlockSequenceStart);
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.fetch_sign(TokenKind::BlockEntry);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), Refusal> {
        let here = self.cursor.point;
        if self.flow_level == 0 {
            if !self.key_allowed {
                return Err(self.refuse(here, "mapping keys are not allowed in this context"));
            }
            self.roll_indent(here, None, TokenKind::BlockMappingStart);
        }
        self.remove_key()?;
        self.key_allowed = self.flow_level == 0;
        self.fetch_sign(TokenKind::Key);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<(), Refusal> {
        let here = self.cursor.point;
        let last = self.keys.len() - 1;
        if self.is_valid(last)? {
            let SimpleKey { token, point, .. } = self.keys[last];
            self.insert(Some(token), TokenKind::Key, point);
            self.roll_indent(point, Some(token), TokenKind::BlockMappingStart);
            self.keys[last].possible = false;
            self.key_allowed = false;
        } else {
            if self.flow_level == 0 {
                if !self.key_allowed {
                    return Err(self.refuse(here, "mapping values are not allowed in this context"));
                }
                self.roll_indent(here, None, TokenKind::BlockMappingStart);
            }
            self.key_allowed = self.flow_level == 0;
        }
        self.fetch_sign(TokenKind::Value);
        Ok(())
    }
}
