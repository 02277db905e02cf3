//! The changes of a step or of the draft.

pub(crate) mod derive;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;
