//! The output line by line, with the origin of each value.

use crate::engine::resource::{PathStep, Slot};
use crate::engine::yaml::{Mark, YamlError, print_documents};

use super::blame::is_same_place;
use super::source_map::{ContentKind, MappedField, ValueOrigin};
use crate::answers::Recording;
use crate::answers::recording::field::value_at;
use crate::answers::secrets::Secrets;

#[derive(Clone, Debug)]
pub struct OutputLine {
    pub number: u32,
    /// The text of the line, with values of Secrets masked.
    pub text: String,
    pub values: Vec<LineValue>,
}

#[derive(Clone, Debug)]
pub struct LineValue {
    /// The column of the value in the line, from 1.
    pub column: u32,
    pub path: Vec<PathStep>,
    pub origin: ValueOrigin,
}

impl LineValue {
    pub fn other_locations(&self) -> impl Iterator<Item = Mark> + '_ {
        let others = self.origin.places.iter().copied();
        others.filter(|mark| !is_same_place(*mark, self.origin.mark))
    }
}

/// A masked value, from its first to its last line in the output.
struct MaskedValue {
    from: u32,
    to: u32,
    /// The replacement of the complete value; `None` if only a part of the value is masked.
    whole: Option<String>,
    /// The lines of the value, each with its masked text.
    lines: Vec<(String, String)>,
}

impl MaskedValue {
    fn new(field: &MappedField, value: &str, masked: &str) -> Self {
        let lines = value.lines().zip(masked.lines());
        Self {
            from: field.line,
            to: field.end_line,
            whole: Secrets::is_mark(masked).then(|| masked.to_owned()),
            lines: lines.map(|(own, masked)| (own.to_owned(), masked.to_owned())).collect(),
        }
    }

    /// The masked text of a line of the value after its first line.
    fn line(&self, number: u32, line: &str, secrets: &Secrets) -> String {
        let (indent, _) = line.split_at(line.len() - line.trim_start().len());
        if let Some(mark) = &self.whole {
            return format!("{indent}{mark}");
        }
        // In a literal block, each line of the output is a line of the value.
        let at = usize::try_from(number - self.from - 1).unwrap_or_default();
        let own = self.lines.get(at).filter(|(own, _)| own.trim_start() == line.trim_start());
        own.map_or_else(
            || secrets.text(line),
            |(own, masked)| {
                let around = line.strip_suffix(own.as_str()).unwrap_or(indent);
                format!("{around}{masked}")
            },
        )
    }
}

impl Recording {
    pub fn output_lines(&self, secrets: &Secrets) -> Result<Vec<OutputLine>, YamlError> {
        let text = print_documents(self.output.iter().map(|(_, resource)| &resource.node))?;
        let map = self.source_map(&text)?;
        let mut values = map.iter().filter(|field| field.holds == ContentKind::Value).peekable();
        let mut masked: Option<MaskedValue> = None;
        let mut lines = Vec::new();
        for (number, text) in (1..).zip(text.lines()) {
            let mut line = OutputLine { number, text: text.to_owned(), values: Vec::new() };
            if let Some(masked) = masked.as_ref().filter(|masked| number <= masked.to) {
                line.text = masked.line(number, text, secrets);
            }
            while let Some(field) = values.next_if(|field| field.line <= number) {
                let (column, path, origin) = (field.column, field.path.clone(), self.origin(field));
                line.values.push(LineValue { column, path, origin });
                if let Some((value, text)) = self.masked_value(field, secrets) {
                    let new = MaskedValue::new(field, &value, &text);
                    let shown = usize::try_from(column).unwrap_or(1).saturating_sub(1);
                    if new.whole.is_some() || new.to == new.from {
                        let first = text.lines().next().unwrap_or_default();
                        line.text = line.text.chars().take(shown).chain(first.chars()).collect();
                    }
                    masked = Some(new);
                }
            }
            lines.push(line);
        }
        Ok(lines)
    }

    pub fn lines_of_resource(&self, slot: Slot, lines: Vec<OutputLine>) -> Vec<OutputLine> {
        let document = self.output.iter().position(|(own, _)| *own == slot);
        let mut number = 0;
        let is_own = |line: &OutputLine| -> bool {
            let is_separator = line.text == "---";
            number += usize::from(is_separator);
            !is_separator && Some(number) == document
        };
        lines.into_iter().filter(is_own).collect()
    }

    fn masked_value(&self, value: &MappedField, secrets: &Secrets) -> Option<(String, String)> {
        let resource = self.output_resource(value.slot)?;
        let (node, _) = value_at(&resource.node, &value.path)?;
        let keys: Vec<&str> = value.path.iter().filter_map(PathStep::key).collect();
        let masked = secrets.part(resource, &keys, node);
        let (value, masked) = (node.text()?, masked.text()?);
        (value != masked).then(|| (value.to_owned(), masked.to_owned()))
    }
}
