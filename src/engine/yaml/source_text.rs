//! Positions in the text of a file: the byte of a mark, the end of a quoted scalar.

use std::cell::OnceCell;

use super::Mark;

/// The byte offsets of the lines of a text. A mark has lines and columns from 1, in characters.
#[derive(Debug)]
pub struct MarkOffsets<'t> {
    text: &'t str,
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    start: usize,
    /// The end of the line, exclusive and without its line end.
    stop: usize,
    is_ascii: bool,
    /// For a line that is not ASCII: the byte offset in the line of each character.
    characters: OnceCell<Vec<usize>>,
}

impl<'t> MarkOffsets<'t> {
    /// Finds the lines of a text.
    pub fn new(text: &'t str) -> Self {
        let mut start = 0;
        let lines = text.split('\n').map(|line| {
            let stop = start + line.strip_suffix('\r').unwrap_or(line).len();
            let (from, is_ascii) = (start, line.is_ascii());
            start += line.len() + 1;
            Line { start: from, stop, is_ascii, characters: OnceCell::new() }
        });
        Self { text, lines: lines.collect() }
    }

    /// The byte offset of a mark; `None` for a location outside the text.
    pub fn byte(&self, mark: Mark) -> Option<usize> {
        let line = self.lines.get(usize::try_from(mark.line).ok()?.checked_sub(1)?)?;
        let column = usize::try_from(mark.column).ok()?.checked_sub(1)?;
        let at = if line.is_ascii {
            line.start + column
        } else {
            let content = self.text.get(line.start..line.stop)?;
            let characters = line.characters.get_or_init(|| {
                let starts = content.char_indices().map(|(at, _)| at);
                starts.chain([content.len()]).collect()
            });
            line.start + characters.get(column)?
        };
        (at <= line.stop).then_some(at)
    }
}

/// The length of the quoted scalar at the start of a text, with its quotes; `None` if it does not
/// end.
pub fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let mut signs = text.char_indices().skip(1).peekable();
    while let Some((at, sign)) = signs.next() {
        if sign == '\\' && quote == '"' {
            signs.next();
        } else if sign == quote {
            if quote == '\'' && signs.next_if(|(_, next)| *next == '\'').is_some() {
                continue;
            }
            return Some(at + sign.len_utf8());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_converted_to_byte_offsets() {
        let offsets = MarkOffsets::new("ab\r\näöx\n\nlast");
        let byte = |line, column| offsets.byte(Mark { line, column, ..Mark::default() });
        assert_eq!([byte(1, 1), byte(1, 3), byte(2, 1), byte(2, 3)], [0, 2, 4, 8].map(Some));
        assert_eq!([byte(2, 4), byte(3, 1), byte(4, 5)], [9, 10, 15].map(Some));
        assert_eq!([byte(0, 1), byte(1, 0), byte(1, 4), byte(2, 5), byte(5, 1)], [None; 5]);
    }

    #[test]
    fn quoted_scalar_ends_at_its_own_quote() {
        assert_eq!(quoted_length(r#""a\"b" c"#, '"'), Some(6));
        assert_eq!(quoted_length("'a''b' c", '\''), Some(6));
        assert_eq!(quoted_length("'a''", '\''), None);
    }
}
