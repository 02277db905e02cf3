//! The parts of the composition root: adapters of `host` for the command line and for the
//! workbench.

mod board;
mod completion;
mod demo;
mod headless;
mod log;
mod lsp;
mod mcp;
mod opening;
mod printers;
mod recording;
mod repository;
mod requested_programs;
mod rooted_files;
mod settings;
#[cfg(feature = "mcp")]
mod tool_answers;
mod workbench;

pub(crate) use completion::complete;
pub(crate) use demo::demo;
pub(crate) use headless::run_headless;
pub(crate) use log::start_log;
pub(crate) use lsp::lsp;
pub(crate) use mcp::mcp;
pub(crate) use printers::{is_terminal, palette, standard_error, standard_output};
pub(crate) use recording::open_for_command;
pub(crate) use workbench::{open, open_comparison};
