//! `images` (section 4.6).

mod containers;
mod entry;
mod image_index;
mod names;
mod pattern;
mod rewrites;
mod transformer;

use super::{TableDriven, Transformer};

pub(super) const PLAIN: TableDriven = TableDriven {
    name: |entry| entry::ImageEntry::from_entry(entry).in_one_line(),
    make: |entries, making| {
        let images = entries.iter().map(|entry| entry::ImageEntry::from_entry(&entry.value));
        let made = transformer::ImageTagTransformer::all(images, making);
        made.into_iter().map(|one| -> Box<dyn Transformer> { Box::new(one) }).collect()
    },
};
