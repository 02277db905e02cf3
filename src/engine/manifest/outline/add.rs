//! Adding an entry in the file's own style.

use super::edit::{slice, splice, uncomment, with_dashes};
use super::lines::{indent, line_end};
use super::obstacle::unsupported;
use super::{ListForm, Outline, OutlineError, OutlineField};

impl Outline {
    /// Adds an entry, given as YAML without a dash, at the end of a list, with the same
    /// indentation, quotes and blanks after the dash as the existing entries. A missing list is
    /// added after all other fields, as `kustomize edit add` does. For a commented-out list only
    /// its key is restored, not its entries.
    pub fn add_entry(text: &[u8], field: &str, entry: &str) -> Result<Vec<u8>, OutlineError> {
        Self::edit(text, field, |outline, read| outline.insert_entry(read, field, entry))
    }

    /// Adds the entry to the list or to a new field, and checks the resulting outline.
    fn insert_entry(&self, read: &str, field: &str, entry: &str) -> Result<String, OutlineError> {
        let count = self.field(field).map_or(0, |found| found.entries.len());
        let line = self.field(field).map_or(1, |found| found.line);
        let edited = match self.field(field) {
            None => self.text_with_new_field(read, field, entry),
            Some(found) => match &found.form {
                ListForm::Flow(brackets) if !found.disabled => {
                    let within = slice(read, brackets);
                    if within.contains(['\n', '#']) || (count > 0 && entry.contains(['\n', '#'])) {
                        let obstacle = "a list in brackets: write it with dashes first";
                        return Err(unsupported(found.line, obstacle));
                    }
                    if count == 0 {
                        let item = render(entry, self.dash_column(), 1, line_end(read));
                        with_dashes(read, found, brackets, &[item])
                    } else {
                        let at =
                            found.entries.last().map_or(brackets.end - 1, |last| last.bytes.end);
                        splice(read, &(at..at), &format!(", {}", in_brackets(found, entry)))
                    }
                }
                ListForm::Block(_) | ListForm::Null => self.append(read, found, entry),
                _ => {
                    let name = self.scope.own_name(field);
                    let obstacle = format!("`{name}` is not a list in this file");
                    return Err(unsupported(found.line, obstacle));
                }
            },
        };
        let after = self.checked(&edited, line)?;
        let made = after.field(field).filter(|field| field.entries.len() == count + 1);
        if made.and_then(|made| made.entries.last()).is_none_or(|entry| entry.disabled) {
            return Err(unsupported(line, "the text is not one entry of this list"));
        }
        Ok(edited)
    }

    fn text_with_new_field(&self, text: &str, field: &str, entry: &str) -> String {
        let end = line_end(text);
        let before = slice(text, &(0..self.end));
        let open = !before.is_empty() && !before.ends_with('\n');
        let item = render(entry, self.dash_column(), 1, end);
        let indent = " ".repeat(self.column);
        let name = self.scope.own_name(field);
        let mut piece = format!("{}{indent}{name}:{end}{item}", if open { end } else { "" });
        if !open || self.end < text.len() {
            piece.push_str(end);
        }
        splice(text, &(self.end..self.end), &piece)
    }

    /// Adds after the last entry of a list with dashes, or after the key of an empty one.
    fn append(&self, text: &str, field: &OutlineField, entry: &str) -> String {
        let end = line_end(text);
        let piece = slice(text, &field.bytes);
        let key = piece.split_inclusive('\n').next().unwrap_or_default();
        let last = field.entries.last();
        let at = last.map_or(field.bytes.start + key.len(), |last| last.bytes.end);
        let column = match (&field.form, last) {
            (ListForm::Block(column), _) if !field.disabled => *column,
            (_, Some(last)) => self.column_of(&ListForm::Other, slice(text, &last.bytes)),
            (_, None) => self.dash_column(),
        };
        let active = || field.entries.iter().filter(|entry| !entry.disabled);
        let width = active().next_back().map_or(1, |entry| {
            let first = slice(text, &entry.bytes).trim_start_matches([' ', '\t']);
            indent(first.strip_prefix('-').unwrap_or(first)).max(1)
        });
        let item = render(&quoted_alike(field, entry), column, width, end);
        let open = !slice(text, &(0..at)).ends_with('\n');
        let item = if open { format!("{end}{item}") } else { format!("{item}{end}") };
        let added = splice(text, &(at..at), &item);
        if !field.disabled {
            return added;
        }
        let bytes = field.bytes.start..field.bytes.start + key.len();
        splice(&added, &bytes, &uncomment(key, self.column))
    }
}

/// An entry with its dash, without a final line end.
fn render(entry: &str, column: usize, width: usize, end: &str) -> String {
    let mut out = " ".repeat(column);
    out.push('-');
    out.push_str(&" ".repeat(width));
    for (index, line) in entry.trim_end_matches(['\n', '\r']).lines().enumerate() {
        if index > 0 {
            out.push_str(end);
            if !line.is_empty() {
                out.push_str(&" ".repeat(column + 1 + width));
            }
        }
        out.push_str(line);
    }
    out
}

/// The quotes that all active entries use; `None` if they use different ones, or none.
fn quotes_of(field: &OutlineField) -> Option<char> {
    let mut active = field.entries.iter().filter(|entry| !entry.disabled);
    let first = active.next()?.text.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
    active.all(|entry| entry.text.starts_with(first)).then_some(first)
}

/// The entry in the quotes of its neighbours, if it is a plain word.
fn quoted_alike(field: &OutlineField, entry: &str) -> String {
    let sign = |sign: char| sign.is_alphanumeric() || "-_./+=@%~".contains(sign);
    let plain = !entry.is_empty() && entry.chars().all(sign);
    match quotes_of(field).filter(|_| plain) {
        Some(quote) => format!("{quote}{entry}{quote}"),
        None => entry.to_owned(),
    }
}

/// The entry as written in brackets: a mapping of one line gets braces.
fn in_brackets(field: &OutlineField, entry: &str) -> String {
    let entry = entry.trim_end();
    if entry.contains(": ") && !entry.starts_with(['{', '"', '\'']) {
        return format!("{{{entry}}}");
    }
    quoted_alike(field, entry)
}
