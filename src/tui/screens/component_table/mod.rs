//! The components of all overlays, as a table.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;
