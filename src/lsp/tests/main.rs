//! The language server with a client in the same process.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failure of a test is its message")]

mod answers;
mod client;
mod diagnostics;
mod edits;
mod lifecycle;
