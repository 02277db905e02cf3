//! The laws that the fuzz targets assert for any bytes, one function per target. A test calls the
//! same functions with the files of the corpus (`cargo test --test it hostile`).

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
