//! Questions over a recorded build, or over several: who wrote a field and why, what did nothing, what two builds differ in.
//! Pure: a question is one function, its answer one value, which every face shows. Texts are as they stand in the files;
//! a face makes them safe for where it shows them.

pub mod compare;
pub mod compat;
mod identity;
mod named;
mod place;
mod recording;
pub mod report;
mod search;
pub mod secrets;

pub use identity::{Identity, ResourceKey, paired};
pub use named::{NotThere, resources_named};
pub use place::Places;
pub use recording::{Recording, short_path};
pub use search::{Hit, search};
