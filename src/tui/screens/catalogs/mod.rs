//! The catalogs of functions, and trust.

pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;
