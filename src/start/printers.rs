//! Standard output and standard error. All other modules write text through these printers.

use std::fmt::Display;
use std::io::{BufWriter, IsTerminal, stderr, stdin, stdout};

use kzui::cli::{Exit, Palette};
use kzui::display::{OutputReader, Printer, sanitize};
use kzui::host::read_line;

use super::settings::is_set;

/// Warns of input that is not used. A closed standard error is no reason to stop.
pub(super) fn warn(note: &str) {
    let _ = writeln!(standard_error(), "Warning: {}", sanitize(note));
}

pub(super) fn refuse(exit: Exit, error: impl Display) -> std::io::Result<Exit> {
    writeln!(standard_error(), "error: {error}")?;
    Ok(exit)
}

/// The printer of a command's output; the caller has to flush it.
pub(crate) fn standard_output() -> Printer<'static> {
    Printer::new(BufWriter::new(stdout().lock()), reader(&stdout()))
}

pub(crate) fn standard_error() -> Printer<'static> {
    Printer::new(stderr(), reader(&stderr()))
}

/// The palette of a stream: coloured for terminals without `NO_COLOR`.
pub(crate) fn palette(stream: &impl IsTerminal) -> Palette {
    if stream.is_terminal() && !is_set("NO_COLOR") { Palette::Coloured } else { Palette::Plain }
}

/// True if both input and output are a terminal.
pub(crate) fn is_terminal() -> bool {
    stdout().is_terminal() && stdin().is_terminal()
}

const MAX_TYPED_LINE_BYTES: u64 = 1 << 16;

/// The line that the user types after a question, without its end; `None` without a terminal and at
/// the end of the input.
pub(crate) fn ask(question: &str) -> std::io::Result<Option<String>> {
    if !is_terminal() {
        return Ok(None);
    }
    // The question goes to standard error, because the command holds the lock of standard output.
    let mut err = standard_error();
    for line in question.split_inclusive('\n') {
        write!(err, "{}", sanitize(line.trim_end_matches('\n')))?;
        if line.ends_with('\n') {
            err.text("\n")?;
        }
    }
    err.flush()?;
    let line = read_line(&mut stdin().lock(), MAX_TYPED_LINE_BYTES)?;
    let line = (!line.is_empty()).then(|| String::from_utf8_lossy(&line).trim().to_owned());
    Ok(line)
}

fn reader(stream: &impl IsTerminal) -> OutputReader {
    if stream.is_terminal() { OutputReader::Terminal } else { OutputReader::Program }
}
