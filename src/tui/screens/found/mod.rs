//! The results of a search in all fields.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;
