//! The lines of a kustomization file by field and entry, commented-out ones included, and edits on
//! them that touch no other byte.
//!
//! A comment is a commented-out entry if, without its comment signs, it parses as an entry of the
//! enclosing list (`#- ../../components/ldap`, as the Components proposal writes it); a comment of
//! several lines is one if all of its lines do, indented below the dash. [`fields::accepts`]
//! defines entries. A comment right above an entry, at or before the column of its dash, is the
//! entry's head and moves with it; deeper comments right below belong to the entry above.

mod edit;
mod fields;
mod lines;
mod read;
mod scan;
mod scope;
mod values;

use std::borrow::Cow;
use std::ops::Range;

use lines::lone_return;
use scope::OutlineScope;
pub use values::ValueChange;

const NOT_UTF8: &str = "not UTF-8";
const KEY_NO_TEXT: &str = "a key is not a string: use the editor";

/// The lines and lists of a kustomization file as byte ranges, so that an edit changes only its own
/// bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The top-level fields in the order of the file.
    pub fields: Vec<OutlineField>,
    /// The reason why no entry of the file can be edited: it is JSON, or no YAML.
    pub problem: Option<OutlineProblem>,
    /// The byte column of the keys: almost always 0.
    pub column: usize,
    /// The byte at which the first document ends: the position for a new field.
    pub end: usize,
    scope: OutlineScope,
}

/// One top-level field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineField {
    pub name: String,
    /// The bytes of the field: its key line and its value.
    pub bytes: Range<usize>,
    /// The line of the field's key, counted from 1.
    pub line: u32,
    /// True if the field is commented out, with all its lines.
    pub disabled: bool,
    pub entries: Vec<OutlineEntry>,
    pub form: ListForm,
}

/// The list style of a field's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListForm {
    /// Not a list: a word or a mapping.
    #[default]
    Other,
    /// No value after the key: no entries, or all of them commented out.
    Null,
    /// Entries with dashes in this byte column.
    Block(usize),
    /// Entries in brackets, at these bytes.
    Flow(Range<usize>),
    /// A list in which the ends of entries are not clear.
    Unclear,
}

/// One entry of a list, active or commented out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The bytes of the entry's lines, its own head comments left out.
    pub bytes: Range<usize>,
    /// The line of the entry's dash, counted from 1.
    pub line: u32,
    pub disabled: bool,
    /// The entry's text as YAML, without dash, comment signs and indentation.
    pub text: String,
    /// The value of a scalar entry: a path without quotes and trailing comment.
    pub scalar: Option<String>,
    /// The bytes of the comment lines directly above the entry, which are moved with it; they end
    /// at the start of the entry.
    pub head: Range<usize>,
}

/// The reason why a file cannot be edited entry by entry, with the line. The text contains a remedy,
/// if one is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineProblem {
    /// The line of the obstacle, counted from 1.
    pub line: u32,
    pub obstacle: Cow<'static, str>,
}

/// Most callers only print the reason.
impl From<OutlineError> for String {
    fn from(error: OutlineError) -> Self {
        error.to_string()
    }
}

/// The reason why an edit of a text is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutlineError {
    #[error("no field `{0}`")]
    NoField(String),
    #[error("no entry {index} in `{field}`")]
    NoEntry { field: String, index: usize },
    /// The edit would change other bytes, or the result would not be valid YAML. The line is counted
    /// from 1.
    #[error("line {line}: {obstacle}")]
    Unsupported { line: u32, obstacle: Cow<'static, str> },
}

impl From<OutlineProblem> for OutlineError {
    fn from(OutlineProblem { line, obstacle }: OutlineProblem) -> Self {
        Self::Unsupported { line, obstacle }
    }
}

fn unsupported(line: u32, obstacle: impl Into<Cow<'static, str>>) -> OutlineError {
    OutlineError::Unsupported { line, obstacle: obstacle.into() }
}

impl Outline {
    /// Reads a kustomization file, or the additions of a deployment object ([`scope`]). For a file
    /// that is JSON or no YAML, the outline has no fields and a problem.
    pub fn parse(text: &[u8]) -> Self {
        let refused = |problem| Self { problem, end: text.len(), ..Self::default() };
        let text = match checked_text(text) {
            Ok(text) => text,
            Err(problem) => return refused(Some(problem)),
        };
        let Some(scopes) = scope::object_scopes(text) else {
            let read = Self::read(text, OutlineScope::default());
            return read.unwrap_or_else(|problem| refused(Some(problem)));
        };
        let mut outline = refused(None);
        for scope in scopes {
            match Self::read(text, scope) {
                Ok(Self { fields, scope, .. }) => {
                    let is_addition = |field: &OutlineField| scope.is_addition(&field.name);
                    outline.fields.extend(fields.into_iter().filter(is_addition));
                }
                Err(problem) => outline.problem = outline.problem.or(Some(problem)),
            }
        }
        outline
    }

    /// The field of this name: the active one, else a commented-out one.
    pub fn field(&self, name: &str) -> Option<&OutlineField> {
        let named = || self.fields.iter().filter(|field| field.name == name);
        named().find(|field| !field.disabled).or_else(|| named().next())
    }

    fn list(&self, field: &str) -> Result<&OutlineField, OutlineError> {
        self.field(field).ok_or_else(|| OutlineError::NoField(field.to_owned()))
    }

    fn entry(&self, field: &str, index: usize) -> Result<&OutlineEntry, OutlineError> {
        let missing = || OutlineError::NoEntry { field: field.to_owned(), index };
        self.list(field)?.entries.get(index).ok_or_else(missing)
    }

    /// The field at a byte, and the index of its entry there, commented-out ones included.
    pub fn at(&self, byte: usize) -> Option<(&OutlineField, Option<usize>)> {
        let field = self.fields.iter().find(|field| field.bytes.contains(&byte))?;
        Some((field, field.entries.iter().position(|entry| entry.bytes.contains(&byte))))
    }

    /// The dash column of most lists in the file; the column of the keys if the file has none.
    pub fn dash_column(&self) -> usize {
        let columns = self.fields.iter().filter_map(|field| match field.form {
            ListForm::Block(column) if !field.disabled => Some(column),
            _ => None,
        });
        let columns: Vec<usize> = columns.collect();
        let count = |column: usize| columns.iter().filter(|other| **other == column).count();
        columns.iter().copied().max_by_key(|column| count(*column)).unwrap_or(self.column)
    }
}

/// The text of a file whose lines are those of an editor.
fn checked_text(text: &[u8]) -> Result<&str, OutlineProblem> {
    let problem = |line, obstacle: &'static str| OutlineProblem { line, obstacle: obstacle.into() };
    let text = std::str::from_utf8(text).map_err(|error| {
        let before = text.get(..error.valid_up_to()).unwrap_or(text);
        problem(number(memchr::memchr_iter(b'\n', before).count()), NOT_UTF8)
    })?;
    if let Some(line) = lone_return(text) {
        // YAML ends the line there, but editors do not, so that a comment would end too early.
        let obstacle =
            "a carriage return ends a line without a line feed: end lines with a line feed first";
        return Err(problem(line, obstacle));
    }
    if text.starts_with('\u{feff}') {
        return Err(problem(1, "the file begins with a byte-order mark: remove it first"));
    }
    Ok(text)
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod properties;
