//! What each fuzz target does with any bytes: the laws that it asserts. The targets call them, and a test replays the
//! corpus through them (`cargo test --test it fuzz`).

mod builds;
mod catalogs;
mod compositions;
mod edits;
mod faces;
mod laws;
mod maps;
mod markup;
mod patches;
mod texts;
mod tree;
mod trees;

pub use builds::{kustomization, replacements};
pub use catalogs::{catalogs, references};
pub use compositions::compositions;
pub use edits::edits;
pub use faces::{check_every_face, faces};
pub use maps::source_maps;
pub use patches::{json_patch, strategic_merge};
pub use texts::{parse, printer};
pub use tree::Tree;
pub use trees::{check_face, hostile_tree, trees};
