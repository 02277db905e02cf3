//! The parts of the composition root: adapters of `host` for the command line and for the
//! workbench.

mod board;
mod compare_screen;
mod completion;
mod demo;
mod headless;
mod log;
mod lsp;
mod opening;
mod printers;
mod repository;
mod settings;
mod workbench;

pub(crate) use compare_screen::screen;
pub(crate) use completion::complete;
pub(crate) use demo::demo;
pub(crate) use headless::headless;
pub(crate) use log::start_log;
pub(crate) use lsp::lsp;
pub(crate) use printers::{is_terminal, palette, standard_error, standard_output};
pub(crate) use workbench::workbench;
