//! `images` (section 4.6).

mod containers;
mod names;
mod pattern;
mod sightings;
mod transformer;

pub use transformer::ImageTagTransformer;
