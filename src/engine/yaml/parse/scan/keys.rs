//! The positions of keys, and the indentation of blocks.

use super::token::{ScanError, ScanToken, ScanTokenKind};
use super::{Scanner, TextPosition};

/// The maximum length of a key without `?`, in characters.
const MAX_KEY_CHARS: usize = 1024;
const MISSING_COLON: &str = "could not find expected ':'";

/// A position at which a key without `?` may begin.
#[derive(Clone, Copy, Default)]
pub(super) struct SimpleKey {
    pub(super) possible: bool,
    pub(super) required: bool,
    /// The number of the key's first token.
    pub(super) token: usize,
    pub(super) point: TextPosition,
}

impl<'t> Scanner<'t> {
    /// Whether the next token may be the start of a key.
    pub(super) fn may_be_key(&mut self) -> Result<bool, ScanError> {
        let is_next = |key: &SimpleKey| key.possible && key.token == self.taken;
        match self.keys.iter().position(is_next) {
            Some(index) => self.is_valid_key(index),
            None => Ok(false),
        }
    }

    /// Whether the position with this index may still begin a key: the key must be on the current
    /// line and not too long. An error if the key is required.
    pub(super) fn is_valid_key(&mut self, index: usize) -> Result<bool, ScanError> {
        let here = self.cursor.point;
        let key = self.keys[index];
        if !key.possible {
            return Ok(false);
        }
        if key.point.line == here.line && key.point.index + MAX_KEY_CHARS >= here.index {
            return Ok(true);
        }
        if key.required {
            return Err(self.refuse(key.point, MISSING_COLON));
        }
        self.keys[index].possible = false;
        Ok(false)
    }

    /// Remembers that a key may begin here.
    pub(super) fn save_key(&mut self) -> Result<(), ScanError> {
        if !self.key_allowed {
            return Ok(());
        }
        let point = self.cursor.point;
        let required = self.flow_level == 0 && usize::try_from(self.indent) == Ok(point.column);
        self.remove_key()?;
        let token = self.taken + self.tokens.len() - self.head;
        if let Some(last) = self.keys.last_mut() {
            *last = SimpleKey { possible: true, required, token, point };
        }
        Ok(())
    }

    /// Gives up the innermost position at which a key may begin; an error if the key is required.
    pub(super) fn remove_key(&mut self) -> Result<(), ScanError> {
        match self.keys.last_mut() {
            Some(SimpleKey { possible: true, required: true, point, .. }) => {
                let point = *point;
                Err(self.refuse(point, MISSING_COLON))
            }
            Some(key) => {
                key.possible = false;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Opens a block collection if the column is to the right of the innermost open block. Its
    /// token is inserted before the token with the number `before`.
    pub(super) fn roll_indent(
        &mut self,
        point: TextPosition,
        before: Option<usize>,
        kind: ScanTokenKind<'t>,
    ) {
        let column = isize::try_from(point.column).unwrap_or(isize::MAX);
        if self.flow_level > 0 || self.indent >= column {
            return;
        }
        self.indents.push(self.indent);
        self.indent = column;
        self.insert(before, kind, point);
    }

    pub(super) fn insert(
        &mut self,
        before: Option<usize>,
        kind: ScanTokenKind<'t>,
        point: TextPosition,
    ) {
        let token = ScanToken { kind, start: point, end: point };
        let place = before.map(|number| self.head + number.saturating_sub(self.taken));
        self.tokens.insert(place.unwrap_or(self.tokens.len()).min(self.tokens.len()), token);
    }

    /// Closes the block collections that are indented more than this column.
    pub(super) fn unroll_indent(&mut self, column: isize, scan: TextPosition) {
        if self.flow_level > 0 {
            return;
        }
        let mut end = scan;
        if self.keeps_comments {
            end.index = end.index.wrapping_sub(1);
        }
        while self.indent > column {
            if self.keeps_comments {
                end = self.end_of_block(end, self.indent);
            } else {
                end = self.cursor.point;
            }
            self.insert(None, ScanTokenKind::BlockEnd, end);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }
}
