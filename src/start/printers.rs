//! Standard output and standard error. No other module opens them for text.

use std::io::{BufWriter, IsTerminal, stderr, stdout};

use kzui::cli::Palette;
use kzui::display::{OutputReader, Printer, sanitize};

use super::settings::is_set;

/// Warns of input that is not used. A closed standard error is no reason to stop.
pub(super) fn warn(note: &str) {
    let _ = writeln!(standard_error(), "Warning: {}", sanitize(note));
}

/// The printer of a command's output; the caller has to flush it.
pub(crate) fn standard_output() -> Printer<'static> {
    Printer::new(BufWriter::new(stdout().lock()), reader(&stdout()))
}

/// The printer of messages.
pub(crate) fn standard_error() -> Printer<'static> {
    Printer::new(stderr(), reader(&stderr()))
}

/// The palette of a stream: coloured for terminals without `NO_COLOR`.
pub(crate) fn palette(stream: &impl IsTerminal) -> Palette {
    if stream.is_terminal() && !is_set("NO_COLOR") { Palette::Coloured } else { Palette::Plain }
}

/// True if both input and output are a terminal.
pub(crate) fn is_terminal() -> bool {
    stdout().is_terminal() && std::io::stdin().is_terminal()
}

fn reader(stream: &impl IsTerminal) -> OutputReader {
    if stream.is_terminal() { OutputReader::Terminal } else { OutputReader::Program }
}
