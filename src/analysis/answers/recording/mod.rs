//! One build, indexed: its resources, their identity, and the fields that each step wrote.

pub(super) mod build;
pub(super) mod failure_words;
pub mod field;
pub(super) mod identity;
pub(super) mod index;
pub(super) mod lookup;
pub(super) mod path_display;
pub(super) mod selector;
