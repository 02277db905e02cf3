//! The output to standard output and standard error.

use std::fmt::Arguments;
use std::io::{self, Write};

use serde::Serialize;

use super::{format_line, sanitize_lines, to_json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputReader {
    Terminal,
    Program,
}

/// A stream for people. All text written to it, also by `writeln!`, is filtered of control
/// characters. Three methods accept more than plain text: [`Printer::print_coloured`], [`Printer::json`]
/// and [`Printer::document`].
pub struct Printer<'w> {
    to: Box<dyn Write + 'w>,
    reader: OutputReader,
}

impl<'w> Printer<'w> {
    pub fn new(to: impl Write + 'w, reader: OutputReader) -> Self {
        Self { to: Box::new(to), reader }
    }

    /// Prints a line, or a part of one: called by `write!` and `writeln!`. A line end inside comes
    /// from a value and is shown (see [`format_line`]); use [`Printer::text`] for text of several
    /// lines.
    pub fn write_fmt(&mut self, text: Arguments<'_>) -> io::Result<()> {
        match text.as_str() {
            Some(text) => self.text(text),
            None => self.text(&format_line(text)),
        }
    }

    /// Prints text that is given as bytes, whole characters; bytes that are not UTF-8 are replaced.
    pub fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.text(&String::from_utf8_lossy(bytes))
    }

    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(sanitize_lines(text).as_bytes())
    }

    /// Prints text with the colours of this program: sequences such as `ESC [ 1 ; 31 m`, and no
    /// others. Sanitize untrusted text before adding colours.
    pub fn print_coloured(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find('\u{1b}') {
            let (before, behind) = rest.split_at(at);
            self.text(before)?;
            let length = colour_sequence_length(behind);
            if length > 0 {
                self.to.write_all(&behind.as_bytes()[..length])?;
                rest = &behind[length..];
            } else {
                self.text("\u{1b}")?;
                rest = &behind[1..];
            }
        }
        self.text(rest)
    }

    /// Prints a value as JSON (see [`to_json`]).
    pub fn json(&mut self, document: &impl Serialize) -> io::Result<()> {
        self.to.write_all(to_json(document)?.as_bytes())
    }

    /// Prints a document for programs, byte for byte: the resources of a build, YAML, shell
    /// completions. On a terminal, control characters are replaced by visible ones.
    pub fn document(&mut self, text: &str) -> io::Result<()> {
        match self.reader {
            OutputReader::Program => self.to.write_all(text.as_bytes()),
            OutputReader::Terminal => self.text(text),
        }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn colour_sequence_length(text: &str) -> usize {
    let Some(numbers) = text.strip_prefix("\u{1b}[") else { return 0 };
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(numbers.len());
    if numbers[end..].starts_with('m') { "\u{1b}[".len() + end + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(reader: OutputReader, print: impl FnOnce(&mut Printer<'_>)) -> String {
        let mut bytes = Vec::new();
        let mut printer = Printer::new(&mut bytes, reader);
        print(&mut printer);
        printer.flush().unwrap();
        drop(printer);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn control_sequences_become_visible() {
        let text = printed(OutputReader::Program, |to| {
            let title = "\u{1b}]0;x\u{7}\u{9b}\u{202e}";
            writeln!(to, "a{title}b").unwrap();
            to.write_all("\u{1b}[31m\tc\r\n".as_bytes()).unwrap();
            to.print_coloured("\u{1b}[1;31mred\u{1b}[0m\u{1b}[2J\u{1b}").unwrap();
        });
        assert_eq!(text, "a␛]0;x␇\\u{9b}\\u{202e}b\n␛[31m\tc␍\n\u{1b}[1;31mred\u{1b}[0m␛[2J␛");
    }

    #[test]
    fn documents_are_escaped_except_for_programs() {
        let print = |to: &mut Printer<'_>| to.document("a: \u{202e}\n").unwrap();
        assert_eq!(printed(OutputReader::Program, print), "a: \u{202e}\n");
        assert_eq!(printed(OutputReader::Terminal, print), "a: \\u{202e}\n");
        // Bytes that are no text are replaced.
        let bytes = b"a\x9b\xc2b\xff\xe2\x80";
        let text = printed(OutputReader::Program, |to| to.write_all(bytes).unwrap());
        assert_eq!(text, "a\u{fffd}\u{fffd}b\u{fffd}\u{fffd}");
    }
}
