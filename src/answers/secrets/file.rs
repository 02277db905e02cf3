//! Values of Secrets in the text of a file.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use super::mark::mark;
use super::positions::{Positions, STRUCTURE, positions};
use super::{FileRole, Secrets};

impl Secrets {
    /// YAML that is no file, masked as one: input and output of a function, an entry.
    pub fn yaml(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.file(Path::new(""), text.as_bytes())).into_owned()
    }

    /// The text of a file with values of Secrets masked, by position where it contains them and by
    /// value elsewhere. It has as many lines as before.
    pub fn file<'b>(&self, path: &Path, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let Some(salt) = self.salt else { return bytes.into() };
        let role = self.files.get(path).copied();
        if role == Some(FileRole::Values) {
            return values_masked(salt, &String::from_utf8_lossy(bytes)).into_bytes().into();
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return bytes.into() };
        match positions(text, role == Some(FileRole::Nodes)) {
            Some(found) => self.placed(salt, text, &found).into_bytes().into(),
            None if text.contains("Secret") || text.contains("secretGenerator") => {
                unparsed_masked(salt, text).into_bytes().into()
            }
            None => self.text(text).into_bytes().into(),
        }
    }

    fn placed(&self, salt: [u8; 16], text: &str, found: &Positions) -> String {
        let mut places: Vec<(Range<usize>, String)> = Vec::new();
        for (range, value) in &found.secret {
            let mark = mark(salt, value);
            places.extend(line_parts(text, range).map(|part| (part, mark.clone())));
        }
        let mut taken: Vec<Range<usize>> = places.iter().map(|(range, _)| range.clone()).collect();
        taken.extend(found.structure.iter().cloned());
        for (range, value) in &found.other {
            let masked = self.scalar(value).filter(|masked| Self::is_mark(masked));
            let Some(masked) = masked else { continue };
            places.extend(line_parts(text, range).map(|part| (part, masked.clone())));
            taken.push(range.clone());
        }
        if !self.known.is_empty() {
            taken.sort_by_key(|range| range.start);
            let index = self.index();
            for (number, range) in index.in_fields(text) {
                let next = taken.partition_point(|other| other.end <= range.start);
                if taken.get(next).is_none_or(|other| other.start >= range.end) {
                    places.push((range, index.mark(number).to_owned()));
                }
            }
        }
        places.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for (range, mark) in places {
            if range.start < from {
                continue;
            }
            out.push_str(text.get(from..range.start).unwrap_or_default());
            out.push_str(&mark);
            from = range.end;
        }
        out + text.get(from..).unwrap_or_default()
    }
}

/// The parts of the lines of a range that contain text.
fn line_parts<'t>(
    text: &'t str,
    range: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let mut from = range.start;
    let lines = text.get(range.clone()).unwrap_or_default().split_inclusive('\n');
    lines.filter_map(move |line| {
        let start = from + line.len() - line.trim_start().len();
        let end = from + line.trim_end().len();
        from += line.len();
        (start < end).then_some(start..end)
    })
}

/// The text of a file whose lines are `key=value`, or that is a value as a whole.
fn values_masked(salt: [u8; 16], text: &str) -> String {
    let whole = mark(salt, text.as_bytes());
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim();
        if content.is_empty() {
            return line.to_owned();
        }
        let is_key = |key: &str| !key.is_empty() && key.bytes().all(is_key_byte);
        let masked = match content.split_once('=').filter(|(key, _)| is_key(key)) {
            Some((key, value)) => format!("{key}={}", mark(salt, value.as_bytes())),
            None => whole.clone(),
        };
        let end = line.trim_end().len();
        let start = line.len() - line.trim_start().len();
        format!("{}{masked}{}", &line[..start], &line[end..])
    });
    lines.collect()
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// The text of a file that contains a Secret and cannot be parsed: every value is masked.
fn unparsed_masked(salt: [u8; 16], text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim_end();
        let (key, value) = match content.split_once(": ") {
            Some((key, value)) => (key.len() + 2, value),
            None if content.ends_with(':') => return line.to_owned(),
            None => (content.len() - content.trim_start().len(), content.trim_start()),
        };
        let name = content[..key].trim_matches(|c: char| c.is_whitespace() || ":-".contains(c));
        if value.is_empty() || STRUCTURE.contains(&name) {
            return line.to_owned();
        }
        let mark = mark(salt, value.as_bytes());
        format!("{}{mark}{}", &content[..key], &line[content.len()..])
    });
    lines.collect()
}
