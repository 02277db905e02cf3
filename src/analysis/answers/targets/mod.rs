//! Many targets of one repository, and the components that their layers list.

pub(super) mod board;
pub(super) mod checked;
pub(super) mod components;
pub(super) mod file_check;
pub(super) mod listing;
pub(super) mod unlisted;
