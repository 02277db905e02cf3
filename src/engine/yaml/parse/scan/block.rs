//! Literal and folded blocks.

use std::borrow::Cow;

use crate::yaml::Style;

use super::Scanner;
use super::cursor::TextPosition;
use super::token::{ScanError, ScanToken, ScanTokenKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    /// One line break is kept.
    Clip,
    Strip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn scan_block_scalar(&mut self, style: Style) -> Result<(), ScanError> {
        let start = self.cursor.point;
        self.cursor.skip();
        let (chomping, more) = self.block_header(start)?;
        let around = usize::try_from(self.indent).unwrap_or(0);
        let mut indent = if more > 0 { around + more } else { 0 };
        let mut end = self.cursor.point;
        let mut breaks = String::new();
        self.skip_block_breaks(&mut indent, &mut breaks, start, &mut end)?;
        let mut text = String::new();
        let mut leading_break = "";
        let mut was_blank = false;
        while self.cursor.point.column == indent && !self.cursor.is_end() {
            let is_blank = self.cursor.is_blank(0);
            let folds = style == Style::Folded && !was_blank && !is_blank;
            if folds && leading_break == "\n" {
                if breaks.is_empty() {
                    text.push(' ');
                }
            } else {
                text.push_str(leading_break);
            }
            text.push_str(&breaks);
            breaks.clear();
            was_blank = is_blank;
            text.push_str(self.cursor.take_rest_of_line());
            leading_break = self.cursor.skip_line();
            self.skip_block_breaks(&mut indent, &mut breaks, start, &mut end)?;
        }
        if chomping != Chomping::Strip {
            text.push_str(leading_break);
        }
        if chomping == Chomping::Keep {
            text.push_str(&breaks);
        }
        let kind = ScanTokenKind::Scalar(Cow::Owned(text), style);
        self.tokens.push(ScanToken { kind, start, end });
        Ok(())
    }

    /// Reads the header of a block: chomping and indentation, in either order, and the rest of the
    /// line.
    fn block_header(&mut self, start: TextPosition) -> Result<(Chomping, usize), ScanError> {
        let mut chomping = self.chomping();
        let mut more = 0;
        if let digit @ b'0'..=b'9' = self.cursor.byte(0) {
            if digit == b'0' {
                return Err(self.refuse(start, "found an indentation indicator equal to 0"));
            }
            more = usize::from(digit - b'0');
            self.cursor.skip();
            chomping = chomping.or_else(|| self.chomping());
        }
        self.cursor.skip_blanks();
        if self.cursor.byte(0) == b'#' {
            if self.keeps_comments {
                self.scan_line_comment(start);
            }
            self.cursor.take_rest_of_line();
        }
        if !self.cursor.is_break_or_end(0) {
            return Err(self.refuse(start, "did not find expected comment or line break"));
        }
        self.cursor.skip_line();
        Ok((chomping.unwrap_or(Chomping::Clip), more))
    }

    fn chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.cursor.byte(0) {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.cursor.skip();
        Some(chomping)
    }

    /// Skips indentation and empty lines; an `indent` of 0 is replaced by the indentation found.
    fn skip_block_breaks(
        &mut self,
        indent: &mut usize,
        breaks: &mut String,
        start: TextPosition,
        end: &mut TextPosition,
    ) -> Result<(), ScanError> {
        *end = self.cursor.point;
        let mut deepest = 0;
        loop {
            let inside = |column: usize| *indent == 0 || column < *indent;
            while inside(self.cursor.point.column) && self.cursor.byte(0) == b' ' {
                self.cursor.skip();
            }
            deepest = deepest.max(self.cursor.point.column);
            if inside(self.cursor.point.column) && self.cursor.byte(0) == b'\t' {
                let words = "found a tab character where an indentation space is expected";
                return Err(self.refuse(start, words));
            }
            if !self.cursor.is_break(0) {
                break;
            }
            breaks.push_str(self.cursor.skip_line());
            *end = self.cursor.point;
        }
        if *indent == 0 {
            let around = usize::try_from(self.indent + 1).unwrap_or(0);
            *indent = deepest.max(around).max(1);
        }
        Ok(())
    }
}
