//! The base of all edits: the text is replaced at one place, and the result is read again.

use std::ops::Range;

use super::lines::{UncommentStyle, indent, line_end, split_comment};
use super::obstacle::unsupported;
use super::scope::{OutlineScope, deployment_objects, object_scopes};
use super::{ListForm, Outline, OutlineError, OutlineField, checked_text};

impl Outline {
    /// Edits the mapping with a field. `work` returns the new text of the whole file.
    pub(super) fn edit(
        text: &[u8],
        field: &str,
        work: impl FnOnce(&Self, &str) -> Result<String, OutlineError>,
    ) -> Result<Vec<u8>, OutlineError> {
        let text = checked_text(text)?;
        let scope = match field.rsplit_once('.') {
            None => OutlineScope::default(),
            Some((_, name)) => {
                let mut scopes = object_scopes(text).into_iter().flatten();
                scopes
                    .find(|scope| field.strip_prefix(&*scope.prefix) == Some(name))
                    .ok_or_else(|| OutlineError::NoField(field.to_owned()))?
            }
        };
        let line = scope.line;
        let is_object = !scope.prefix.is_empty();
        let edited = work(&Self::read(text, scope)?, text)?;
        let count = |text: &str| deployment_objects(text).len();
        if is_object && count(&edited) != count(text) {
            // The edit would change the number of deployment objects in the file.
            return Err(unsupported(line, "the edit would break the file"));
        }
        Ok(edited.into_bytes())
    }

    /// The outline of an edited text; fails if the text is not valid YAML any more.
    pub(super) fn checked(&self, edited: &str, line: u32) -> Result<Self, OutlineError> {
        let read = checked_text(edited.as_bytes());
        read.and_then(|edited| Self::read(edited, self.scope.clone())).map_err(|problem| {
            unsupported(line, format!("the edit would break the file: {}", problem.obstacle))
        })
    }

    /// The dash column of a restored entry: that of its list or, if no entry is active, the one
    /// that its comment sign indicates.
    pub(super) fn column_of(&self, form: &ListForm, comment: &str) -> usize {
        if let ListForm::Block(column) = form {
            return *column;
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
    pub(super) fn dashed_items(&self, field: &OutlineField, off: Option<usize>) -> Vec<String> {
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

pub(super) fn slice<'t>(text: &'t str, bytes: &Range<usize>) -> &'t str {
    text.get(bytes.clone()).unwrap_or("")
}

pub(super) fn splice(text: &str, bytes: &Range<usize>, with: &str) -> String {
    let before = slice(text, &(0..bytes.start));
    let after = slice(text, &(bytes.end..text.len()));
    [before, with, after].concat()
}

pub(super) fn uncomment(piece: &str, column: usize) -> String {
    UncommentStyle::new(piece, column).apply(piece)
}
