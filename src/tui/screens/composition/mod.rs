//! The entries of a Composition.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;
