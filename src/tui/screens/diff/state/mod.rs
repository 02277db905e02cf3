//! Changes of resources, and the diff of one.

pub(crate) mod changes;
pub(crate) mod combined_diff;
