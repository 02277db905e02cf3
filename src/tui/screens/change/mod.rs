//! The edits of the draft, with their effect.

pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;
