//! Planning: from what a layer says to the transformers and generators that it means, before any of them runs.

mod builtins;
mod fields;
mod names;
mod patches;
mod planner;

pub(super) use builtins::{Generated, builtin_generator};
pub use names::entry_name;
pub(super) use planner::{Planned, Planner};
