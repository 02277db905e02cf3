//! Removing entries and fields with their lines.

use crate::yaml::{Node, parse_nodes};

use super::lines::TextLines;
use super::{ListForm, Outline};

impl Outline {
    /// Removes an entry with its lines and the comment above it; with the last entry, the field is
    /// removed too. `None` if the entry is commented out, or shares its lines with comments.
    pub fn remove_entry(text: &[u8], field: &str, index: usize) -> Option<Vec<u8>> {
        let outline = Self::parse(text);
        let found = outline.field(field)?;
        let entry = found.entries.get(index).filter(|entry| !entry.disabled)?;
        let bytes = if found.entries.len() == 1 {
            found.bytes.clone()
        } else {
            match &found.form {
                ListForm::Block(_) => entry.head.start.min(entry.bytes.start)..entry.bytes.end,
                // Includes the separating comma. A comment could belong to any of the entries.
                ListForm::Flow(brackets) if !text.get(brackets.clone())?.contains(&b'#') => {
                    match (found.entries.get(index + 1), index.checked_sub(1)) {
                        (Some(next), _) => entry.bytes.start..next.bytes.start,
                        (None, Some(above)) => found.entries.get(above)?.bytes.end..entry.bytes.end,
                        (None, None) => return None,
                    }
                }
                _ => return None,
            }
        };
        Some([text.get(..bytes.start)?, text.get(bytes.end..)?].concat())
    }

    /// Removes a field of the file, with all its lines.
    pub fn remove_field(text: &[u8], field: &str) -> Option<Vec<u8>> {
        let outline = Self::parse(text);
        let bytes = outline.field(field).filter(|field| !field.disabled)?.bytes.clone();
        Some([text.get(..bytes.start)?, text.get(bytes.end..)?].concat())
    }

    /// The parsed value of an entry that is not commented out.
    pub fn entry_node(text: &[u8], field: &str, index: usize) -> Option<Node> {
        let outline = Self::parse(text);
        let entries = &outline.field(field)?.entries;
        let number = entries.iter().take(index).filter(|entry| !entry.disabled).count();
        parse_nodes(text).ok()?.first()?.get(field)?.items()?.get(number).cloned()
    }

    /// The targets of an entry of `replacements`.
    pub fn replacement_targets(text: &[u8], field: &str, index: usize) -> Option<Vec<Node>> {
        Some(Self::entry_node(text, field, index)?.get("targets")?.items()?.to_vec())
    }

    /// Removes one of several targets of an entry of `replacements`; `None` if it shares lines with
    /// other content.
    pub fn remove_target(
        text: &[u8],
        (field, index): (&str, usize),
        target: usize,
    ) -> Option<Vec<u8>> {
        let whole = std::str::from_utf8(text).ok()?;
        let targets = Self::replacement_targets(text, field, index)?;
        let mark = targets.get(target)?.mark;
        let (line, column) = (mark.line.checked_sub(1)?, mark.column.checked_sub(1)?);
        let (line, lines) = (usize::try_from(line).ok()?, TextLines::new(whole));
        let before = lines.line(line).get(..usize::try_from(column).ok()?)?;
        let dash = before.find('-').filter(|_| before.trim() == "-")?;
        let bytes = lines.start(line)..lines.end_of_block(line, dash, false);
        let without = [text.get(..bytes.start)?, text.get(bytes.end..)?].concat();
        let left = Self::replacement_targets(&without, field, index)?;
        (left.len() + 1 == targets.len()).then_some(without)
    }
}
