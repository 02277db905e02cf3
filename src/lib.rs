//! kzui: a workbench on Kustomize builds. The modules, in reading order.
//!
//! `engine` builds and records, `draft` holds changes that are not yet in files, `host` contains
//! the adapters to files, processes and network, `cli` and `tui` are the two user interfaces.
//! `src/README.md` is the map.

#![cfg_attr(
    test,
    allow(
        clippy::too_many_lines,
        clippy::option_option,
        clippy::unnecessary_wraps,
        clippy::items_after_statements,
        clippy::format_collect,
        clippy::collapsible_if,
        reason = "a test is a table with a loop around it"
    )
)]

pub mod cli;
#[cfg(test)]
#[path = "../tests/document_schema.rs"]
mod document_schema;
pub mod host;

pub use kzui_analysis::{answers, display, draft, repository};
pub use kzui_engine as engine;
pub use kzui_lsp as lsp;
pub use kzui_tui as tui;
