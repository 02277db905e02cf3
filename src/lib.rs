//! kzui: a workbench on Kustomize builds. The doors, in reading order.
//!
//! `engine` builds and records, `session` holds the what-if state, `host` is the outside world,
//! `cli` and `tui` are the two faces. `src/README.md` is the map.

pub mod cli;
pub mod engine;
pub mod host;
pub mod session;
pub mod tui;
