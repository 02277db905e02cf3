//! Commenting entries and fields out in place, and restoring them.

use super::edit::{slice, splice, uncomment, with_dashes};
use super::lines::{TextLines, UncommentStyle, comment_out, split_comment};
use super::obstacle::unsupported;
use super::{ListForm, Outline, OutlineEntry, OutlineError, OutlineField};

impl Outline {
    /// Comments out an entry in place (`#- ../../components/ldap`, with the `#` in the column of
    /// the dash), or restores it. A list in brackets is rewritten with dashes before an entry is
    /// commented out. Of a commented-out field, only the key and this entry are restored.
    pub fn toggle_entry(text: &[u8], field: &str, index: usize) -> Result<Vec<u8>, OutlineError> {
        Self::edit(text, field, |outline, text| outline.toggle(text, field, Some(index)))
    }

    /// Comments a top-level field out, or restores it. If two have this name, the active one is
    /// used.
    pub fn toggle_field(text: &[u8], field: &str) -> Result<Vec<u8>, OutlineError> {
        Self::edit(text, field, |outline, text| outline.toggle(text, field, None))
    }

    /// Toggles an entry, or the field. Refuses to comment out a text that would not be restored
    /// unchanged, because an adjacent comment would become a part of it.
    fn toggle(
        &self,
        text: &str,
        field: &str,
        index: Option<usize>,
    ) -> Result<String, OutlineError> {
        let (edited, after) = self.toggled(text, field, index)?;
        let (found, now) = (self.list(field)?, after.field(field));
        let (line, is_off) = match index {
            None => (found.line, !found.disabled && now.is_some_and(|now| now.disabled)),
            Some(index) => {
                let entry = self.entry(field, index)?;
                let is_same = |now: &OutlineEntry| now.disabled && now.text == entry.text;
                let unfolds = matches!(found.form, ListForm::Flow(_));
                let is_off = !entry.disabled && !unfolds;
                (entry.line, is_off && after.entry(field, index).is_ok_and(is_same))
            }
        };
        match is_off.then(|| after.toggled(&edited, field, index)) {
            Some(Ok((back, _))) if back != text => Err(unsupported(
                line,
                "a comment beside the entry looks like a part of it: separate the two with an empty line",
            )),
            Some(Err(error)) => {
                Err(unsupported(line, format!("the entry could not be switched on again: {error}")))
            }
            None | Some(Ok(_)) => Ok(edited),
        }
    }

    /// The text with an entry or the field toggled, and its outline.
    fn toggled(
        &self,
        text: &str,
        field: &str,
        index: Option<usize>,
    ) -> Result<(String, Self), OutlineError> {
        let found = self.list(field)?;
        let entry = index.map(|index| self.entry(field, index)).transpose()?;
        let (bytes, line, disabled) = match entry {
            Some(entry) => (&entry.bytes, entry.line, entry.disabled),
            None => (&found.bytes, found.line, found.disabled),
        };
        let piece = slice(text, bytes);
        let edited = match (entry, &found.form) {
            (Some(entry), _) if found.disabled => self.restore_in_field(text, found, entry)?,
            (Some(_), form) if disabled => {
                splice(text, bytes, &uncomment(piece, self.column_of(form, piece)))
            }
            (None, _) if disabled => splice(text, bytes, &uncomment(piece, self.column)),
            (None, _) => splice(text, bytes, &comment_out(piece, self.column)),
            (Some(_), ListForm::Block(column)) => splice(text, bytes, &comment_out(piece, *column)),
            (Some(_), ListForm::Flow(brackets)) if !slice(text, brackets).contains('\n') => {
                with_dashes(text, found, brackets, &self.dashed_items(found, index))
            }
            (Some(_), form) => {
                let obstacle = match form {
                    ListForm::Flow(_) => {
                        "a list in brackets over several lines: write it with dashes first"
                    }
                    _ => "the ends of the list's entries are not clear",
                };
                return Err(unsupported(found.line, obstacle));
            }
        };
        let after = self.checked(&edited, line)?;
        let is_active = match index {
            Some(index) => after.entry(field, index).is_ok_and(|entry| !entry.disabled),
            None => after.field(field).is_some_and(|field| !field.disabled),
        };
        if disabled && !is_active {
            let name = if index.is_some() { "an entry" } else { "a field" };
            return Err(unsupported(line, format!("the comment does not read as {name} here")));
        }
        Ok((edited, after))
    }

    /// Restores the key of a commented-out field, and one entry; all other lines remain comments.
    fn restore_in_field(
        &self,
        text: &str,
        field: &OutlineField,
        entry: &OutlineEntry,
    ) -> Result<String, OutlineError> {
        let lines = TextLines::part(text, field.bytes.clone(), 0);
        let (key, rest) = (lines.line_with_end(0), lines.start(1));
        if entry.bytes.start < rest {
            // An entry of a commented-out list in brackets cannot be restored alone.
            return Err(unsupported(field.line, "a list in brackets: switch the whole field on"));
        }
        let mode = UncommentStyle::new(key, self.column);
        let mut piece = mode.apply(slice(text, &entry.bytes));
        if split_comment(&piece).is_some() {
            piece = uncomment(&piece, self.column_of(&ListForm::Other, &piece));
        }
        let between = slice(text, &(rest..entry.bytes.start));
        let edited = format!("{}{between}{piece}", mode.apply(key));
        Ok(splice(text, &(field.bytes.start..entry.bytes.end), &edited))
    }
}
