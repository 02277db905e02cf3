//! Questions over a recorded build, or over several: who wrote a field and why, what did nothing, what two builds differ in.
//! Pure: a question is one function, its answer one value, which every face shows. Texts are as they stand in the files;
//! a face makes them safe for where it shows them.

mod identity;
mod recording;

pub use identity::{Identity, ResourceKey, paired};
pub use recording::{Recording, short_path};
