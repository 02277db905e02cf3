//! Questions over a recorded build, or over several: who wrote a field and why, what did nothing, what two builds differ in.
//! Pure: a question is one function, its answer one value, which every face shows.

mod named;
pub mod report;

pub use named::{NotThere, resources_named};
