//! Planning: from the fields of a layer to its transformers and generators, before any of them
//! runs.

mod builtins;
mod fields;
mod names;
mod patches;
mod planner;

pub(super) use builtins::{GeneratorOrChart, builtin_generator};
pub use names::entry_name;
pub(super) use planner::{Planner, ReadyTransformer};
