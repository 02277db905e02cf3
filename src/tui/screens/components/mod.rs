//! The components of the target.

pub(crate) mod derive;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;
