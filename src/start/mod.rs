//! The composition root's rooms: adapters of `host` for the command line and for the workbench.

mod headless;
mod settings;
mod workbench;

pub(crate) use headless::headless;
pub(crate) use workbench::workbench;
