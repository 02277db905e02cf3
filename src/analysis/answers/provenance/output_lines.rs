//! The output line by line, with the origin of each value.

use crate::engine::resource::PathStep;
use crate::engine::yaml::{Mark, YamlError, print_documents};

use super::blame::Blame;
use super::source_map::{Holds, Mapped, Origin};
use crate::answers::Recording;
use crate::answers::recording::field::value_at;
use crate::answers::secrets::Secrets;

/// A line of the output.
#[derive(Clone, Debug)]
pub struct OutputLine {
    /// Its text, with values of Secrets masked.
    pub text: String,
    /// The values that begin on it.
    pub values: Vec<OutputValue>,
}

/// A value of the output.
#[derive(Clone, Debug)]
pub struct OutputValue {
    /// Its column in the line, from 1.
    pub column: u32,
    pub path: Vec<PathStep>,
    /// The step that wrote it last.
    pub step: Option<usize>,
    /// The location to change it.
    pub mark: Mark,
    pub origin: Origin,
}

impl OutputValue {
    /// The locations of other parts of the value.
    pub fn also(&self) -> impl Iterator<Item = Mark> + '_ {
        let place = |mark: &Mark| (mark.source, mark.line, mark.column);
        let others = self.origin.places.iter().copied();
        others.filter(move |mark| place(mark) != place(&self.mark))
    }
}

/// A value that is masked up to a line.
struct Masked {
    to: u32,
    /// The mark of the whole value; `None` if a part of it is masked.
    whole: Option<String>,
}

impl Recording {
    /// The output line by line, with the values that begin on each.
    ///
    /// # Errors
    /// The output cannot be printed.
    pub fn output_lines(&self, secrets: &Secrets) -> Result<Vec<OutputLine>, YamlError> {
        let text = print_documents(self.output.iter().map(|(_, resource)| &resource.node))?;
        let map = self.source_map(&text)?;
        let blame = Blame::of(self);
        let mut values = map.iter().filter(|field| field.holds == Holds::Value).peekable();
        let mut masked: Option<Masked> = None;
        let mut lines = Vec::new();
        for (number, text) in (1..).zip(text.lines()) {
            let mut line = OutputLine { text: text.to_owned(), values: Vec::new() };
            if let Some(masked) = masked.as_ref().filter(|masked| number <= masked.to) {
                let indent = text.len() - text.trim_start().len();
                line.text = match &masked.whole {
                    Some(mark) => format!("{}{mark}", " ".repeat(indent)),
                    None => secrets.text(text),
                };
            }
            while let Some(value) = values.next_if(|value| value.line <= number) {
                let origin = blame.origin(value);
                let (step, mark) = (origin.step, origin.mark);
                let (column, path) = (value.column, value.path.clone());
                line.values.push(OutputValue { column, path, step, mark, origin });
                if let Some(text) = self.masked_value(value, secrets) {
                    let shown = usize::try_from(column).unwrap_or(1).saturating_sub(1);
                    let is_block = value.end_line > value.line;
                    let first = text.lines().next().unwrap_or_default();
                    let whole = Secrets::is_mark(&text).then(|| text.clone());
                    if whole.is_some() || !is_block {
                        line.text = line.text.chars().take(shown).chain(first.chars()).collect();
                    }
                    masked = Some(Masked { to: value.end_line, whole });
                }
            }
            lines.push(line);
        }
        Ok(lines)
    }

    /// The masked text of a value; `None` if it is shown unmasked.
    fn masked_value(&self, value: &Mapped, secrets: &Secrets) -> Option<String> {
        let resource = self.output_of(value.slot)?;
        let (node, _) = value_at(&resource.node, &value.path)?;
        let keys: Vec<&str> = value.path.iter().filter_map(PathStep::key).collect();
        let masked = secrets.part(resource, &keys, node);
        let text = masked.text()?;
        (node.text() != Some(text)).then(|| text.to_owned())
    }
}
