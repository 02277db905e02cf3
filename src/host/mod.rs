//! The outside.
mod clock;
mod disk;
pub use clock::SystemClock;
pub use disk::DiskFiles;
