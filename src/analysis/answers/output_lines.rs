//! The output line by line, with what comes from where.

use crate::engine::resource::PathStep;
use crate::engine::yaml::{Mark, YamlError, print_documents};

use super::Recording;
use super::blame::{Blame, is_secret};
use super::source_map::{Holds, Mapped, Origin};

/// What stands for a value that is not shown.
pub const HIDDEN: &str = "(hidden)";

/// A line of the output.
#[derive(Clone, Debug)]
pub struct OutputLine {
    /// Its text; what a Secret keeps only where it is asked for.
    pub text: String,
    /// The values that begin on it.
    pub values: Vec<OutputValue>,
}

/// A value of the output.
#[derive(Clone, Debug)]
pub struct OutputValue {
    /// Its column in the line, from 1.
    pub column: u32,
    /// The field.
    pub path: Vec<PathStep>,
    /// The step that wrote it last.
    pub step: Option<usize>,
    /// The place to change it at.
    pub mark: Mark,
    /// Where it comes from.
    pub origin: Origin,
}

impl OutputValue {
    /// Where else parts of it are written.
    pub fn also(&self) -> impl Iterator<Item = Mark> + '_ {
        let place = |mark: &Mark| (mark.source, mark.line, mark.column);
        let others = self.origin.places.iter().copied();
        others.filter(move |mark| place(mark) != place(&self.mark))
    }
}

impl Recording {
    /// The output line by line, with the values that begin on each.
    ///
    /// # Errors
    /// The output cannot be printed.
    pub fn output_lines(&self, shows_secrets: bool) -> Result<Vec<OutputLine>, YamlError> {
        let text = print_documents(self.output.iter().map(|(_, resource)| &resource.node))?;
        let map = self.source_map(&text)?;
        let blame = Blame::of(self);
        let mut values = map.iter().filter(|field| field.holds == Holds::Value).peekable();
        let mut hidden_to = 0;
        let mut lines = Vec::new();
        for (number, text) in (1..).zip(text.lines()) {
            let mut line = OutputLine { text: text.to_owned(), values: Vec::new() };
            if number <= hidden_to {
                let indent = text.len() - text.trim_start().len();
                line.text = format!("{}{HIDDEN}", " ".repeat(indent));
            }
            while let Some(value) = values.next_if(|value| value.line <= number) {
                let origin = blame.origin(value);
                let (step, mark) = (origin.step, origin.mark);
                let (column, path) = (value.column, value.path.clone());
                line.values.push(OutputValue { column, path, step, mark, origin });
                if !shows_secrets && self.is_kept_by_a_secret(value) {
                    hidden_to = value.end_line;
                    let shown = usize::try_from(column).unwrap_or(1).saturating_sub(1);
                    line.text = line.text.chars().take(shown).chain(HIDDEN.chars()).collect();
                }
            }
            lines.push(line);
        }
        Ok(lines)
    }

    fn is_kept_by_a_secret(&self, value: &Mapped) -> bool {
        let last = self.identity.last_of(value.slot);
        last.is_some_and(|last| is_secret(&last.resource, &value.path))
    }
}
