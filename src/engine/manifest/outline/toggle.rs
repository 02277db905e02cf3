//! Commenting entries and fields out in place, and restoring them.

use std::ops::Range;

use super::lines::{TextLines, UncommentStyle, comment_out, indent, line_end, split_comment};
use super::obstacle::unsupported;
use super::{ListForm, Outline, OutlineEntry, OutlineError, OutlineField, part};

impl Outline {
    /// Comments out an entry in place (`#- ../../components/ldap`, with the `#` in the column of
    /// the dash), or restores it. A list in brackets is rewritten with dashes before an entry is
    /// commented out. Of a commented-out field, only the key and this entry are restored.
    pub fn toggle_entry(text: &[u8], field: &str, index: usize) -> Result<Vec<u8>, OutlineError> {
        part::edit(text, field, |outline, text, field| {
            let (edited, after) = outline.text_with_toggled_entry(text, field, index)?;
            let entry = outline.entry(field, index)?;
            let unfolds = matches!(outline.list(field)?.form, ListForm::Flow(_));
            let there = |after: &Self| {
                after.entry(field, index).is_ok_and(|now| now.disabled && now.text == entry.text)
            };
            if !entry.disabled && !unfolds && there(&after) {
                let back = after.text_with_toggled_entry(&edited, field, index);
                check_restores_text(back, text, entry.line)?;
            }
            Ok(edited)
        })
    }

    fn text_with_toggled_entry(
        &self,
        text: &str,
        field: &str,
        index: usize,
    ) -> Result<(String, Self), OutlineError> {
        let found = self.list(field)?;
        let entry = self.entry(field, index)?;
        let edited = if found.disabled {
            self.restore_in_field(text, found, entry)?
        } else if entry.disabled {
            let column = self.column_of(found, slice(text, &entry.bytes));
            splice(text, &entry.bytes, &uncomment(text, &entry.bytes, column))
        } else {
            match &found.form {
                ListForm::Block(column) => {
                    let piece = comment_out(slice(text, &entry.bytes), *column);
                    splice(text, &entry.bytes, &piece)
                }
                ListForm::Flow(brackets) if slice(text, brackets).contains('\n') => {
                    let obstacle =
                        "a list in brackets over several lines: write it with dashes first";
                    return Err(unsupported(found.line, obstacle));
                }
                ListForm::Flow(brackets) => {
                    with_dashes(text, found, brackets, &self.dashed_items(found, Some(index)))
                }
                _ => {
                    let obstacle = "the ends of the list's entries are not clear";
                    return Err(unsupported(found.line, obstacle));
                }
            }
        };
        let after = self.checked(&edited, entry.line)?;
        let active = after.entry(field, index).is_ok_and(|entry| !entry.disabled);
        if entry.disabled && !active {
            return Err(unsupported(entry.line, "the comment does not read as an entry here"));
        }
        Ok((edited, after))
    }

    /// Comments a top-level field out, or restores it. If two have this name, the active one is
    /// used.
    pub fn toggle_field(text: &[u8], field: &str) -> Result<Vec<u8>, OutlineError> {
        part::edit(text, field, |outline, text, field| {
            let (edited, after) = outline.text_with_toggled_field(text, field)?;
            let found = outline.list(field)?;
            if !found.disabled && after.field(field).is_some_and(|field| field.disabled) {
                let back = after.text_with_toggled_field(&edited, field);
                check_restores_text(back, text, found.line)?;
            }
            Ok(edited)
        })
    }

    fn text_with_toggled_field(
        &self,
        text: &str,
        field: &str,
    ) -> Result<(String, Self), OutlineError> {
        let found = self.list(field)?;
        let piece = if found.disabled {
            uncomment(text, &found.bytes, self.column)
        } else {
            comment_out(slice(text, &found.bytes), self.column)
        };
        let edited = splice(text, &found.bytes, &piece);
        let after = self.checked(&edited, found.line)?;
        if found.disabled && after.field(field).is_none_or(|field| field.disabled) {
            return Err(unsupported(found.line, "the comment does not read as a field here"));
        }
        Ok((edited, after))
    }

    /// The outline of an edited text; fails if the text is not valid YAML any more.
    pub(super) fn checked(&self, edited: &str, line: u32) -> Result<Self, OutlineError> {
        let after = Self::parse_in(edited.as_bytes(), self.fields_for_rereading());
        match after.problem {
            Some(problem) => Err(unsupported(
                line,
                format!("the edit would break the file: {}", problem.obstacle),
            )),
            None => Ok(after),
        }
    }

    pub(super) fn list(&self, field: &str) -> Result<&OutlineField, OutlineError> {
        self.field(field).ok_or_else(|| OutlineError::NoField(field.to_owned()))
    }

    pub(super) fn entry(&self, field: &str, index: usize) -> Result<&OutlineEntry, OutlineError> {
        let missing = || OutlineError::NoEntry { field: field.to_owned(), index };
        self.list(field)?.entries.get(index).ok_or_else(missing)
    }

    /// The dash column of a restored entry: that of its list or, if no entry is active, the one
    /// that its comment sign indicates.
    pub(super) fn column_of(&self, field: &OutlineField, comment: &str) -> usize {
        if let ListForm::Block(column) = field.form {
            return column;
        }
        let Some((before, after)) = split_comment(comment) else { return self.column };
        let behind = indent(after);
        let full = before.len() + behind;
        let usual = self.dash_column();
        let column = match behind {
            _ if usual == full || (behind > 0 && usual + 1 == full) => usual,
            1 => before.len(),
            _ => full,
        };
        column.max(self.column)
    }

    /// Restores the key of a commented-out field, and one entry; all other lines remain comments.
    fn restore_in_field(
        &self,
        text: &str,
        field: &OutlineField,
        entry: &OutlineEntry,
    ) -> Result<String, OutlineError> {
        let lines = TextLines::new(slice(text, &field.bytes));
        let (key, rest) = (lines.line_with_end(0), lines.bytes(0..1).end + field.bytes.start);
        if entry.bytes.start < rest {
            // An entry of a commented-out list in brackets cannot be restored alone.
            return Err(unsupported(field.line, "a list in brackets: switch the whole field on"));
        }
        let mode = UncommentStyle::new(key, self.column);
        let mut piece = mode.apply(slice(text, &entry.bytes));
        if split_comment(&piece).is_some() {
            piece = uncomment(
                &piece,
                &(0..piece.len()),
                self.column_of(&OutlineField::default(), &piece),
            );
        }
        let between = slice(text, &(rest..entry.bytes.start));
        let edited = format!("{}{between}{piece}", mode.apply(key));
        Ok(splice(text, &(field.bytes.start..entry.bytes.end), &edited))
    }

    /// The text with the list of an active field written with dashes instead of brackets. `None` if
    /// the list shares its lines with comments or other content.
    pub fn with_dashes(text: &str, field: &str) -> Option<String> {
        let outline = Self::parse(text.as_bytes());
        let found = outline.field(field).filter(|field| !field.disabled)?;
        let ListForm::Flow(brackets) = &found.form else {
            return matches!(found.form, ListForm::Block(_) | ListForm::Null)
                .then(|| text.to_owned());
        };
        let behind = text.get(brackets.end..)?.split('\n').next()?.trim();
        let is_alone = behind.is_empty() || behind.starts_with('#');
        let is_short = found.entries.iter().all(|entry| !entry.text.contains('\n'));
        let is_clear = is_alone && is_short && !slice(text, brackets).contains('#');
        is_clear.then(|| with_dashes(text, found, brackets, &outline.dashed_items(found, None)))
    }

    /// The lines of the items of a list in brackets, with one of them commented out.
    fn dashed_items(&self, field: &OutlineField, off: Option<usize>) -> Vec<String> {
        let indent = " ".repeat(self.dash_column());
        let items = field.entries.iter().enumerate().map(|(index, entry)| {
            let sign = if Some(index) == off { "#" } else { "" };
            format!("{indent}{sign}- {}", entry.text)
        });
        items.collect()
    }
}

/// The text with a list in brackets rewritten with dashes, from the lines of its items.
pub(super) fn with_dashes(
    text: &str,
    field: &OutlineField,
    brackets: &Range<usize>,
    items: &[String],
) -> String {
    let end = line_end(text);
    let rest = slice(text, &(brackets.end..text.len())).split_inclusive('\n').next();
    let rest = rest.unwrap_or_default();
    let mut piece = slice(text, &(field.bytes.start..brackets.start)).trim_end().to_owned();
    piece.push_str(rest.trim_end());
    for item in items {
        piece.extend([end, item]);
    }
    if rest.ends_with('\n') {
        piece.push_str(end);
    }
    splice(text, &(field.bytes.start..brackets.end + rest.len()), &piece)
}

/// Refuses to comment out a text that would not be restored unchanged, because an adjacent comment
/// would become a part of it.
fn check_restores_text(
    back: Result<(String, Outline), OutlineError>,
    text: &str,
    line: u32,
) -> Result<(), OutlineError> {
    match back {
        Ok((back, _)) if back == text => Ok(()),
        Ok(_) => Err(unsupported(
            line,
            "a comment beside the entry looks like a part of it: separate the two with an empty line",
        )),
        Err(error) => {
            Err(unsupported(line, format!("the entry could not be switched on again: {error}")))
        }
    }
}

pub(super) fn slice<'t>(text: &'t str, bytes: &Range<usize>) -> &'t str {
    text.get(bytes.clone()).unwrap_or("")
}

pub(super) fn splice(text: &str, bytes: &Range<usize>, with: &str) -> String {
    let before = slice(text, &(0..bytes.start));
    let after = slice(text, &(bytes.end..text.len()));
    [before, with, after].concat()
}

fn uncomment(text: &str, bytes: &Range<usize>, column: usize) -> String {
    let piece = slice(text, bytes);
    UncommentStyle::new(piece, column).apply(piece)
}
