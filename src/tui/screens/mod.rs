//! A folder for each screen: its state, its derived data, its rows, its drawing and its keys.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub(crate) mod catalogs;
pub(crate) mod change;
pub(crate) mod compared;
pub(crate) mod component_table;
pub(crate) mod components;
pub(crate) mod composition;
pub(crate) mod diff;
pub(crate) mod experiments;
pub(crate) mod findings;
pub(crate) mod found;
pub(crate) mod functions;
pub(crate) mod problems;
pub(crate) mod resource;
pub(crate) mod steps;
pub(crate) mod targets;
pub(crate) mod tree;
pub(crate) mod why;
