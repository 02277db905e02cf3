//! Clones and commits, through the `git` program.

pub(super) mod clone;
pub(super) mod listing;
pub(super) mod objects;
