//! The steps of the build.

pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;
