//! Many targets of one repository, and the components that their layers list.

pub(super) mod board;
pub(super) mod components;
