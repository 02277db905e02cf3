//! One entry of `images`.

use crate::manifest::PlainEntry;
use crate::yaml::Mark;

#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::transform) struct ImageEntry {
    /// `name`: pasted into a regular expression.
    pub(in crate::transform) name: String,
    pub(in crate::transform) new_name: String,
    pub(in crate::transform) tag_suffix: String,
    pub(in crate::transform) new_tag: String,
    pub(in crate::transform) digest: String,
    pub(in crate::transform) places: ImageEntryMarks,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::transform) struct ImageEntryMarks {
    pub(in crate::transform) new_name: Mark,
    pub(in crate::transform) tag_suffix: Mark,
    pub(in crate::transform) new_tag: Mark,
    pub(in crate::transform) digest: Mark,
}

impl ImageEntry {
    pub(super) fn from_entry(entry: &PlainEntry) -> Self {
        let text = |key: &str| entry.text(key).to_owned();
        Self {
            name: text("name"),
            new_name: text("newName"),
            tag_suffix: text("tagSuffix"),
            new_tag: text("newTag"),
            digest: text("digest"),
            places: ImageEntryMarks {
                new_name: entry.mark("newName"),
                tag_suffix: entry.mark("tagSuffix"),
                new_tag: entry.mark("newTag"),
                digest: entry.mark("digest"),
            },
        }
    }

    /// The entry on one line, for the title of a step: `nginx → :1.27`.
    pub(super) fn in_one_line(&self) -> String {
        let mut new = self.new_name.clone();
        for (sign, part) in [(":", &self.new_tag), ("@", &self.digest), (" …", &self.tag_suffix)]
        {
            if !part.is_empty() {
                new.push_str(sign);
                new.push_str(part);
            }
        }
        format!("{} → {new}", self.name)
    }
}
