//! Values of Secrets in the text of a file.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use super::index::{
    KnownValues, MaskedRanges, SecretIndex, SecretMark, is_masked_in_fields, replaced,
};
use super::mark::secret_mark;
use super::positions::{NAME_KEYS, TextRanges, positions};
use super::{FileRole, Secrets};

/// The settings of a repository, which have no values of resources.
const SETTINGS_FILE: &str = ".kzui.toml";

impl Secrets {
    /// The masked text of YAML that is not in a file: the input or output of a function, or an
    /// entry.
    pub fn mask_yaml(&self, text: &str) -> String {
        self.mask_by_role(text, Some(&FileRole::Plain), true)
    }

    /// The text of a file with values of Secrets masked: by position in Secrets in the file, and by
    /// value elsewhere. In a file of unknown purpose that is not YAML, every value is masked. The
    /// masked text has as many lines as the file.
    pub fn file<'b>(&self, path: &Path, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if !self.are_masked() {
            return bytes.into();
        }
        let text = String::from_utf8_lossy(bytes);
        let role = path.to_str().and_then(|path| self.files.get(path));
        self.mask_by_role(&text, role, has_yaml_extension(path)).into_bytes().into()
    }

    /// The bytes of a file for a recording: as [`Self::file`], but comments of env files stay
    /// comments, a file that contributes to no Secret keeps bytes that are no text, and the
    /// settings of the repository have no values.
    pub(in crate::answers) fn recorded_file<'b>(
        &self,
        path: &Path,
        bytes: &'b [u8],
    ) -> Cow<'b, [u8]> {
        let role = path.to_str().and_then(|path| self.files.get(path));
        let is_plain = role == Some(&FileRole::Plain) && std::str::from_utf8(bytes).is_err();
        let is_settings = path.file_name().is_some_and(|name| name == SETTINGS_FILE);
        if is_plain || is_settings {
            return bytes.into();
        }
        let masked = self.file(path, bytes);
        if !matches!(role, Some(FileRole::SecretValues(_))) {
            return masked;
        }
        // A masked comment of an env file must stay a comment, or it would be a variable.
        let (text, masked) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&masked));
        let lines = text.split_inclusive('\n').zip(masked.split_inclusive('\n'));
        let line = |(line, masked): (&str, &str)| {
            let is_comment = line.trim_start().starts_with('#') && Self::is_mark(masked.trim());
            if is_comment { format!("# {masked}") } else { masked.to_owned() }
        };
        lines.map(line).collect::<String>().into_bytes().into()
    }

    fn mask_by_role(&self, text: &str, role: Option<&FileRole>, is_yaml: bool) -> String {
        let Some(salt) = self.salt else { return text.to_owned() };
        let keys = match role {
            Some(FileRole::SecretValues(keys)) => Some(keys),
            _ => None,
        };
        if keys.is_some() || role.is_none() && !is_yaml {
            return mask_lines(salt, text, keys);
        }
        match positions(text, role == Some(&FileRole::SecretNodes), true) {
            Some(found) if found.is_scalar && role.is_none() => mask_lines(salt, text, None),
            Some(found) => self.mask_ranges(salt, text, &found),
            None if role == Some(&FileRole::Plain) && !may_contain_secrets(text) => self.text(text),
            None => mask_unparsed(salt, text),
        }
    }

    fn mask_ranges(&self, salt: [u8; 16], text: &str, found: &TextRanges) -> String {
        let mut places: MaskedRanges<'_> = Vec::new();
        places.extend(
            found.secret.iter().map(|(range, it)| (range.clone(), secret_mark(salt, it).into())),
        );
        for (range, value) in &found.other {
            let masked = self.masked_text(value).filter(|masked| Self::is_mark(masked));
            places.extend(masked.map(|masked| (range.clone(), masked.into())));
        }
        // Keys and names are not masked, so ranges that overlap them are left out.
        let mut structure = found.structure.clone();
        structure.sort_by_key(|range| range.start);
        let is_free = |range: &Range<usize>| {
            let next = structure.partition_point(|other| other.end <= range.start);
            structure.get(next).is_none_or(|other| other.start >= range.end)
        };
        // The values in the file are searched too: those in a comment or in another document may be
        // in no build.
        let own = |(_, value): &(_, Vec<u8>)| {
            let value = std::str::from_utf8(value).ok()?.trim();
            let mark = secret_mark(salt, value.as_bytes());
            let known = SecretMark { mark, keys: BTreeSet::new() };
            is_masked_in_fields(value).then(|| ((Reverse(value.len()), value.to_owned()), known))
        };
        let own: KnownValues = found.secret.iter().filter_map(own).collect();
        let own = SecretIndex::new(&own, &BTreeSet::new());
        let mut by_value = own.ranges_in_field(text);
        if !self.known.is_empty() {
            by_value.extend(self.index().ranges_in_field(text));
        }
        places.extend(by_value.into_iter().filter(|(range, _)| is_free(range)));
        replaced(text, places)
    }
}

pub(super) fn has_yaml_extension(path: &Path) -> bool {
    let is_one_of = |extension: &str| ["yaml", "yml", "json"].contains(&extension);
    path.extension().and_then(|it| it.to_str()).is_some_and(is_one_of)
        || path.file_name().is_some_and(|name| name == "Kustomization")
}

/// True if a text that cannot be parsed may contain values of Secrets.
fn may_contain_secrets(text: &str) -> bool {
    ["Secret", "secretGenerator", "stringData", "/data"].iter().any(|word| text.contains(word))
}

/// The text of a file that is the value of a Secret or contains such values, masked line by line.
/// Only words before `=` are shown: the given keys, or every word if the keys are not known.
fn mask_lines(salt: [u8; 16], text: &str, keys: Option<&BTreeSet<String>>) -> String {
    let whole = secret_mark(salt, text.as_bytes());
    let is_key = |key: &str, value: &str| match keys {
        Some(keys) => keys.contains(key),
        // A `=` at the end of a line may be padding of Base64.
        None => is_word(key) && !value.trim_start_matches('=').is_empty(),
    };
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim();
        if content.is_empty() {
            return line.to_owned();
        }
        let masked = match content.split_once('=').filter(|(key, value)| is_key(key, value)) {
            Some((key, value)) => format!("{key}={}", secret_mark(salt, value.as_bytes())),
            None => whole.clone(),
        };
        let end = line.trim_end().len();
        let start = line.len() - line.trim_start().len();
        format!("{}{masked}{}", &line[..start], &line[end..])
    });
    lines.collect()
}

/// The text of a YAML file that may contain Secrets and cannot be parsed. Keys are shown, and
/// values of [`NAME_KEYS`] outside of `data`. Lines below an entry of `data` and the lines of a
/// block scalar are masked completely.
fn mask_unparsed(salt: [u8; 16], text: &str) -> String {
    // The indentations of the key `data`, of its entries, and of a key with hidden lines below it.
    let (mut data, mut entries, mut hidden): (Option<usize>, Option<usize>, Option<usize>) =
        (None, None, None);
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim_end();
        let indent = content.len() - content.trim_start_matches([' ', '-']).len();
        let (key, value) = match content.split_once(": ") {
            Some((key, value)) => (key, value.trim_start()),
            None => (content.strip_suffix(':').unwrap_or_default(), ""),
        };
        if content.is_empty() {
            return line.to_owned();
        }
        data = data.filter(|data| indent > *data);
        entries = entries.filter(|_| data.is_some());
        hidden = hidden.filter(|hidden| indent > *hidden);
        let name = key.get(indent..).unwrap_or_default().trim_matches(['"', '\'']);
        let is_key = hidden.is_none() && is_word(name);
        let is_name =
            data.is_none() && NAME_KEYS.contains(&name) && is_word(value.trim_matches(['"', '\'']));
        let is_block = is_block_header(value.rsplit(' ').next().unwrap_or_default());
        if is_key && is_block {
            hidden = Some(indent);
        }
        if data.is_some() {
            let entries = *entries.get_or_insert(indent);
            hidden = hidden.or((indent == entries).then_some(entries));
        } else if is_key && ["data", "stringData"].contains(&name) {
            data = Some(indent);
        }
        if is_key && (value.is_empty() || is_block_header(value) || is_name) {
            return line.to_owned();
        }
        let start = if is_key { content.len() - value.len() } else { indent };
        let mark = secret_mark(salt, &content.as_bytes()[start..]);
        format!("{}{mark}{}", &content[..start], &line[content.len()..])
    });
    lines.collect()
}

fn is_block_header(text: &str) -> bool {
    text.starts_with(['|', '>']) && text.chars().skip(1).all(|c| "+-123456789".contains(c))
}

fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    !text.is_empty() && text.chars().all(is_part)
}
