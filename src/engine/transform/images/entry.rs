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
        let [name, new_name, tag_suffix, new_tag, digest] = entry.values();
        Self {
            name: name.value,
            places: ImageEntryMarks {
                new_name: new_name.mark,
                tag_suffix: tag_suffix.mark,
                new_tag: new_tag.mark,
                digest: digest.mark,
            },
            new_name: new_name.value,
            tag_suffix: tag_suffix.value,
            new_tag: new_tag.value,
            digest: digest.value,
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
