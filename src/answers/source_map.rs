//! Where every value of the output stands in it, and where it comes from.

use crate::engine::resource::{PathStep, Slot};
use crate::engine::yaml::{Limits, Mark, Node, SourceId, YamlError, parse_documents};

use super::Recording;
use super::field::{leaves, value_at};

/// A value of the output.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// The first of its lines in the output, counted from 1.
    pub line: u32,
    /// Its column there, in characters from 1.
    pub column: u32,
    /// The last of its lines.
    pub end_line: u32,
    /// The document, counted from 0.
    pub document: usize,
    /// The resource.
    pub slot: Slot,
    /// The field.
    pub path: Vec<PathStep>,
    /// What it is marked with.
    pub mark: Mark,
}

impl Recording {
    /// Every value of the output, in the order of its lines. `output` is the text that the build prints.
    ///
    /// # Errors
    /// The text is no YAML: it is not the build's.
    pub fn source_map(&self, output: &str) -> Result<Vec<Mapped>, YamlError> {
        let parsed = parse_documents(output.as_bytes(), SourceId::NONE, Limits::default())?;
        let lines: Vec<&str> = output.lines().collect();
        let mut map = Vec::new();
        for (number, ((slot, resource), printed)) in
            self.output.iter().zip(&parsed.documents).enumerate()
        {
            let mut values: Vec<Mapped> = leaves(&resource.node)
                .into_iter()
                .filter_map(|(path, _, mark)| {
                    let place = placed(&printed.node, &path)?;
                    Some(Mapped {
                        line: place.line,
                        column: place.column,
                        end_line: place.line,
                        document: number,
                        slot: *slot,
                        path,
                        mark,
                    })
                })
                .collect();
            values.sort_by_key(|value| (value.line, value.column));
            for value in &mut values {
                value.end_line = end_of(&lines, value.line);
            }
            map.extend(values);
        }
        Ok(map)
    }
}

/// Where the value stands in what was printed.
fn placed(printed: &Node, path: &[PathStep]) -> Option<Mark> {
    let (value, mark) = value_at(printed, path)?;
    Some(if value.mark.line > 0 { value.mark } else { mark })
}

/// The last line of a value that begins on this line: what is blank or further in belongs to it.
fn end_of(lines: &[&str], line: u32) -> u32 {
    let first = (line as usize).saturating_sub(1);
    let indent = lines.get(first).map_or(0, |text| key_column(text));
    let below = lines.iter().skip(first + 1);
    let taken = below.take_while(|text| text.trim().is_empty() || spaces(text) > indent);
    let taken: Vec<&&str> = taken.collect();
    let kept = taken.iter().rposition(|text| !text.trim().is_empty()).map_or(0, |last| last + 1);
    line + u32::try_from(kept).unwrap_or(0)
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// Where the key of a line begins, behind the dashes of lists; of an element without a key, its dash.
fn key_column(text: &str) -> usize {
    let mut rest = text.trim_start_matches(' ');
    let mut column = text.len() - rest.len();
    while let Some(inner) =
        rest.strip_prefix("- ").filter(|inner| inner.contains(": ") || inner.ends_with(':'))
    {
        column += 2;
        rest = inner;
    }
    column
}
