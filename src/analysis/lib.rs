//! Answers about Kustomize builds, without files, processes, network or clock.
//!
//! `repository` knows the contents of a folder tree, `draft` holds edits that are not written yet,
//! `answers` holds one function for each question, and `display` makes text of any input safe to
//! show. `src/README.md` is the map.

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

pub mod answers;
pub mod display;
#[cfg(test)]
#[path = "../../tests/document_schema.rs"]
mod document_schema;
pub mod draft;
pub mod repository;

use kzui_engine as engine;
