//! What each fuzz target does with any bytes: the laws that it asserts. The targets call them, and a test replays the
//! corpus through them (`cargo test --test it fuzz`).

mod builds;
mod faces;
mod laws;
mod patches;
mod texts;

pub use builds::{kustomization, replacements};
pub use faces::faces;
pub use patches::{json_patch, strategic_merge};
pub use texts::{parse, printer};
