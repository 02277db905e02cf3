//! A row of a pane with text or with lines of a file.

use std::ops::Range;

use super::super::text::{sanitize, width, wrap};
use super::super::theme::StyleRole;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextRow {
    pub role: StyleRole,
    pub text: String,
    /// True for a line of a file, which is not wrapped.
    pub is_exact: bool,
    /// The byte ranges that differ from the line that this line replaces, or that replaces it.
    pub words: Vec<Range<usize>>,
}

impl TextRow {
    pub(crate) fn new(role: StyleRole, text: impl AsRef<str>) -> Self {
        let text = sanitize(text.as_ref()).into_owned();
        Self { role, text, is_exact: false, words: Vec::new() }
    }

    pub(crate) fn exact(role: StyleRole, text: impl AsRef<str>) -> Self {
        Self { is_exact: true, ..Self::new(role, text) }
    }

    /// The text in lines of at most `cells`; all lines after the first are indented.
    pub(crate) fn wrapped(self, cells: usize) -> Vec<Self> {
        if self.is_exact || width(&self.text) <= cells {
            return vec![self];
        }
        let text = self.text.trim_start();
        let lead = self.text.len() - text.len();
        let lines = wrap(text, cells.saturating_sub(lead + 2).max(8));
        let rows = lines.iter().enumerate().map(|(number, line)| {
            let lead = if number == 0 { lead } else { lead + 2 };
            Self::new(self.role, format!("{:lead$}{}", "", line.trim_end()))
        });
        rows.collect()
    }
}
