//! The functions of the build.

pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;
