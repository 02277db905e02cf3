//! Values of Secrets in the text of a file.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use super::index::is_masked_in_fields;
use super::many_texts::ManyTexts;
use super::mark::mark;
use super::positions::{Positions, STRUCTURE, positions};
use super::scalars::line_parts;
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
        let role = self.files.get(path);
        let text = &*String::from_utf8_lossy(bytes);
        let masked = match (role, positions(text, role == Some(&FileRole::Nodes))) {
            (Some(FileRole::Values(keys)), _) => values_masked(salt, text, keys),
            (_, Some(found)) => self.placed(salt, text, &found),
            (_, None) if text.contains("Secret") || text.contains("secretGenerator") => {
                unparsed_masked(salt, text)
            }
            (_, None) => self.text(text),
        };
        masked.into_bytes().into()
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
        taken.sort_by_key(|range| range.start);
        let is_free = |range: &Range<usize>| {
            let next = taken.partition_point(|other| other.end <= range.start);
            taken.get(next).is_none_or(|other| other.start >= range.end)
        };
        // Values of the file that no build may contain: in a comment, in another document.
        let own = |(_, value): &(_, Vec<u8>)| {
            let value = std::str::from_utf8(value).ok()?.trim();
            let key = (Reverse(value.len()), value.to_owned());
            is_masked_in_fields(value).then(|| (key, mark(salt, value.as_bytes())))
        };
        let own: BTreeMap<(Reverse<usize>, String), String> =
            found.secret.iter().filter_map(own).collect();
        let marks: Vec<&String> = own.values().collect();
        let mut add = |range: Range<usize>, mark: &str| {
            if is_free(&range) {
                places.extend(line_parts(text, &range).map(|part| (part, mark.to_owned())));
            }
        };
        for (number, range) in ManyTexts::new(own.keys().map(|(_, text)| text.as_str())).apart(text)
        {
            add(range, marks[number]);
        }
        if !self.known.is_empty() {
            let index = self.index();
            for (number, range) in index.in_fields(text) {
                add(range, index.mark(number));
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

/// The masked text of a file that has `key=value` lines, or that is a single value.
fn values_masked(salt: [u8; 16], text: &str, keys: &BTreeSet<String>) -> String {
    let whole = mark(salt, text.as_bytes());
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim();
        if content.is_empty() {
            return line.to_owned();
        }
        let masked = match content.split_once('=').filter(|(key, _)| keys.contains(*key)) {
            Some((key, value)) => format!("{key}={}", mark(salt, value.as_bytes())),
            None => whole.clone(),
        };
        let end = line.trim_end().len();
        let start = line.len() - line.trim_start().len();
        format!("{}{masked}{}", &line[..start], &line[end..])
    });
    lines.collect()
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
