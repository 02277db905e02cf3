//! Files of this machine: reading, listing, watching, names.

pub(super) mod disk;
pub(super) mod folders;
pub(super) mod links;
pub(super) mod names;
pub(super) mod ownership;
pub(super) mod read;
pub(super) mod states;
pub(super) mod watch;
