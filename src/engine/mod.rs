//! The build engine: pure values in, a recorded build out. No files, processes, network, clock or printing.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod evaluate;
pub mod function;
pub mod load;
pub mod manifest;
pub mod resource;
pub mod transform;
pub mod yaml;
