//! The problems of all targets.

pub(crate) mod state;
pub(crate) mod view;
