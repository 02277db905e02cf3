//! `images` (section 4.6).

mod containers;
mod entry;
mod names;
mod pattern;
mod rewrites;
mod sightings;
mod transformer;

#[cfg(test)]
pub(super) use entry::Image;
#[cfg(test)]
pub(super) use transformer::ImageTagTransformer;

use super::{MadeOfEntry, Plain};

pub(super) const PLAIN: Plain = Plain {
    name: |entry| entry::Image::of(entry).in_one_line(),
    make: |entries, making| {
        let images = entries.iter().map(|entry| entry::Image::of(&entry.value));
        let made = transformer::ImageTagTransformer::all(images, making);
        made.into_iter().map(|one| -> MadeOfEntry { Ok(Box::new(one)) }).collect()
    },
};
