//! Removing entries and fields with their lines.

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
}
