//! Two sides, compared.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;
