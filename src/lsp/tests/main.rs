//! The language server with a client in the same process, one file for each feature.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failure of a test is its message")]

mod actions;
mod client;
mod completion;
mod definition;
mod diagnostics;
mod hover;
mod inlay;
mod lens;
mod lifecycle;
mod references;
mod rename;
