//! The build engine: pure values in, a recorded build out. No files, processes, network, clock or
//! printing.
//!
//! [`evaluate::evaluate`] builds a target through [`evaluate::Ports`] and returns an
//! [`evaluate::Evaluation`]: every step with its changes, and the resources. Each of their values
//! refers to the step that wrote it:
//!
//! ```
#![doc = include_str!("examples/writer.rs")]
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
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

pub mod diagnostic;
pub mod evaluate;
pub mod load;
pub mod manifest;
pub mod plugin;
pub mod profile;
pub mod resource;
pub mod transform;
pub mod yaml;
