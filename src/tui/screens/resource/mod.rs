//! A resource, line by line, with the history of a field.

pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;
