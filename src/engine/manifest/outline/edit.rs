//! Edits of entries and fields: commenting out and restoring, adding, moving, removing. The text is
//! replaced at one place, and the result is read again.

use std::ops::Range;

use crate::yaml::{Node, parse_nodes};

use super::lines::{TextLines, UncommentStyle, comment_out, indent, line_end, split_comment};
use super::scope::{OutlineScope, deployment_objects, object_scopes};
use super::{
    ListForm, Outline, OutlineEntry, OutlineError, OutlineField, checked_text, unsupported,
};

impl Outline {
    /// Edits the mapping with a field. `work` returns the new text of the whole file.
    fn edit(
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
    fn checked(&self, edited: &str, line: u32) -> Result<Self, OutlineError> {
        let read = checked_text(edited.as_bytes());
        read.and_then(|edited| Self::read(edited, self.scope.clone())).map_err(|problem| {
            unsupported(line, format!("the edit would break the file: {}", problem.obstacle))
        })
    }

    /// The dash column of a restored entry: that of its list or, if no entry is active, the one
    /// that its comment sign indicates.
    fn column_of(&self, form: &ListForm, comment: &str) -> usize {
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
fn with_dashes(
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

fn slice<'t>(text: &'t str, bytes: &Range<usize>) -> &'t str {
    text.get(bytes.clone()).unwrap_or("")
}

pub(super) fn splice(text: &str, bytes: &Range<usize>, with: &str) -> String {
    let before = slice(text, &(0..bytes.start));
    let after = slice(text, &(bytes.end..text.len()));
    [before, with, after].concat()
}

fn uncomment(piece: &str, column: usize) -> String {
    UncommentStyle::new(piece, column).apply(piece)
}

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

impl Outline {
    /// Moves an entry together with its head comments past active and commented-out entries of its
    /// list; down if `by` is positive. Lines between two entries that belong to neither of them
    /// stay in place.
    pub fn move_entry(
        text: &[u8],
        field: &str,
        index: usize,
        by: isize,
    ) -> Result<Vec<u8>, OutlineError> {
        Self::edit(text, field, |outline, read| {
            let (line, count) =
                (outline.entry(field, index)?.line, outline.list(field)?.entries.len());
            let Some(target) = index.checked_add_signed(by).filter(|target| *target < count) else {
                let end = if by < 0 { "first" } else { "last" };
                let name = outline.scope.own_name(field);
                return Err(unsupported(line, format!("already the {end} of `{name}`")));
            };
            let edited = outline.moved(read, field, index, target)?;
            let after = outline.checked(&edited, line)?;
            // If moving back does not restore the text, a comment would now belong to another entry.
            let is_whole = after.list(field)?.entries.len() == count
                && after.moved(&edited, field, target, index).is_ok_and(|back| back == read);
            if !is_whole {
                let obstacle = "comments beside the entry would become a part of it";
                return Err(unsupported(line, obstacle));
            }
            Ok(edited)
        })
    }

    fn moved(
        &self,
        text: &str,
        field: &str,
        from: usize,
        to: usize,
    ) -> Result<String, OutlineError> {
        let list = self.list(field)?;
        if let ListForm::Flow(brackets) = &list.form
            && (list.disabled || slice(text, brackets).contains('#'))
        {
            return Err(unsupported(list.line, "a list in brackets with comments"));
        }
        let movable = |entry: &OutlineEntry| entry.head.start..entry.bytes.end;
        let entries = list.entries.get(from.min(to)..=from.max(to)).unwrap_or_default();
        let places: Vec<Range<usize>> = entries.iter().map(movable).collect();
        let mut pieces: Vec<&str> = places.iter().map(|place| slice(text, place)).collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return Ok(text.to_owned());
        };
        let ends_open = pieces.last().is_some_and(|piece| !piece.ends_with('\n'))
            && pieces.first().is_some_and(|piece| piece.ends_with('\n'));
        if from < to {
            pieces.rotate_left(1);
        } else {
            pieces.rotate_right(1);
        }
        let mut moved = String::new();
        for (index, (piece, place)) in pieces.iter().zip(&places).enumerate() {
            let is_last = index + 1 == pieces.len();
            match piece.strip_suffix('\n').filter(|_| ends_open && is_last) {
                Some(bare) => moved.push_str(bare.strip_suffix('\r').unwrap_or(bare)),
                None => moved.push_str(piece),
            }
            if ends_open && !is_last && !piece.ends_with('\n') {
                moved.push_str(line_end(text));
            }
            let next = places.get(index + 1).map_or(place.end, |next| next.start);
            moved.push_str(slice(text, &(place.end..next)));
        }
        Ok(splice(text, &(first.start..last.end), &moved))
    }
}

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
