//! The problems of the target.

pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;
