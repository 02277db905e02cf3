//! The reason for a value or a missing effect, over all screens.

pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;
