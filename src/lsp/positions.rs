//! Converts between positions of the protocol, and bytes and lines of a text.

use std::ops::Range;

use lsp_types::{Position, Range as Span};

use crate::answers::span_at;
use crate::engine::yaml::Mark;

/// The position of a byte, with its column in units of UTF-16; a byte after the end is at the end.
pub(crate) fn position(text: &str, byte: usize) -> Position {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = text.get(..byte).unwrap_or_default();
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before.get(start..).unwrap_or_default().encode_utf16().count();
    Position::new(number(line), number(column))
}

/// The byte of a position; a position after the end of its line is at the end of the line.
pub(crate) fn byte_at(text: &str, position: Position) -> usize {
    let lines = line_range(text, position.line);
    let Some(line) = text.get(lines.clone()) else { return text.len() };
    let wanted = usize::try_from(position.character).unwrap_or(usize::MAX);
    let mut column = 0;
    for (at, character) in line.char_indices() {
        if column >= wanted || character == '\n' || character == '\r' {
            return lines.start + at;
        }
        column += character.len_utf16();
    }
    lines.end
}

pub(crate) fn span(text: &str, bytes: Range<usize>) -> Span {
    Span::new(position(text, bytes.start), position(text, bytes.end))
}

pub(crate) fn span_of_mark(text: &str, mark: Mark) -> Span {
    span_at(text, mark).map_or_else(Span::default, |bytes| span(text, bytes))
}

/// The content of a line, numbered from 1, without its indentation.
pub(crate) fn span_of_line(text: &str, line: u32) -> Span {
    let bytes = line_range(text, line.saturating_sub(1));
    let content = text.get(bytes.clone()).unwrap_or_default();
    let start = bytes.start + content.len() - content.trim_start().len();
    let end = bytes.start + content.trim_end().len();
    span(text, start.min(end)..end)
}

/// The bytes of a line, numbered from 0, with its line end.
pub(crate) fn line_range(text: &str, line: u32) -> Range<usize> {
    let mut start = 0;
    for _ in 0..line {
        match text.get(start..).and_then(|rest| rest.find('\n')) {
            Some(end) => start += end + 1,
            None => return text.len()..text.len(),
        }
    }
    let end = text.get(start..).and_then(|rest| rest.find('\n'));
    start..end.map_or(text.len(), |end| start + end + 1)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The lines that two texts of a file have in common at their beginning and at their end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineMap {
    beginning: usize,
    end: usize,
    lines: [usize; 2],
}

impl LineMap {
    pub(crate) fn new(one: &str, other: &str) -> Self {
        let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
        let beginning = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        let left = one.len().min(other.len()) - beginning;
        let both = one.iter().rev().zip(other.iter().rev());
        let end = both.take(left).take_while(|(one, other)| one == other).count();
        Self { beginning, end, lines: [one.len(), other.len()] }
    }

    /// The line in the other text, both from 1; `None` if the line differs.
    pub(crate) fn to_other(self, line: u32) -> Option<u32> {
        self.to(line, self.lines)
    }

    /// The line in the first text, both from 1; `None` if the line differs.
    pub(crate) fn to_first(self, line: u32) -> Option<u32> {
        self.to(line, [self.lines[1], self.lines[0]])
    }

    fn to(self, line: u32, [own, other]: [usize; 2]) -> Option<u32> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        if index < self.beginning {
            return Some(line);
        }
        let from_end = own.checked_sub(index)?;
        (1..=self.end).contains(&from_end).then(|| number(other - from_end + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_utf16() {
        let text = "a\né😀b\n";
        assert_eq!(position(text, text.find('b').unwrap()), Position::new(1, 3));
        for (at, _) in text.char_indices() {
            assert_eq!(byte_at(text, position(text, at)), at);
        }
        assert_eq!(byte_at(text, Position::new(0, 99)), 1);
        assert_eq!(byte_at(text, Position::new(9, 0)), text.len());
    }

    #[test]
    fn lines_outside_of_an_edit_are_mapped() {
        let map = LineMap::new("a\nb\nc\nd", "a\nx\ny\nz\nd");
        assert_eq!(
            (1..=5).map(|it| map.to_other(it)).collect::<Vec<_>>(),
            [Some(1), None, None, Some(5), None]
        );
        assert_eq!(map.to_first(5), Some(4));
        let same = LineMap::new("a\na", "a\na");
        assert_eq!((same.to_other(2), same.to_other(3)), (Some(2), None));
    }
}
