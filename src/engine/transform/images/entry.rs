//! One entry of `images`.

use crate::manifest::{Marked, PlainEntry};

#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::transform) struct ImageEntry {
    /// `name`: pasted into a regular expression.
    pub(super) name: String,
    pub(super) new_name: Marked<String>,
    pub(super) tag_suffix: Marked<String>,
    pub(super) new_tag: Marked<String>,
    pub(super) digest: Marked<String>,
}

impl ImageEntry {
    pub(super) fn from_entry(entry: &PlainEntry) -> Self {
        let [name, new_name, tag_suffix, new_tag, digest] = entry.values();
        Self { name: name.value, new_name, tag_suffix, new_tag, digest }
    }

    /// The entry on one line, for the title of a step: `nginx → :1.27`.
    pub(super) fn in_one_line(&self) -> String {
        let parts = [(":", &self.new_tag), ("@", &self.digest), (" …", &self.tag_suffix)];
        let new = joined(&self.new_name.value, parts.map(|(sign, part)| (sign, &*part.value)));
        format!("{} → {new}", self.name)
    }
}

/// A name, followed by the parts that are not empty, each after its sign.
pub(super) fn joined<const N: usize>(name: &str, parts: [(&str, &str); N]) -> String {
    let parts = parts.iter().filter(|(_, part)| !part.is_empty());
    parts.fold(name.to_owned(), |text, (sign, part)| text + sign + part)
}
