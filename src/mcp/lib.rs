//! The server for agents: six tools, two kinds of resources and three prompts. Each tool is a
//! question that a command of kzui answers; the answers come through a port.
//!
//! The asynchronous runtime is confined to this crate. `src/README.md` is the map.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

mod calls;
mod edits;
mod paths;
mod prompts;
mod server;
mod tools;

pub use calls::{AnswerFormat, EditedFile, ToolCall};
pub use edits::{EditedText, edited_text};
pub use server::{AgentServer, serve};

/// Answers questions about one repository. No answer runs a program, fetches a remote or writes a
/// file, and values of Secrets are masked.
pub trait AgentPorts: Send + Sync {
    fn root(&self) -> &Path;
    /// Answers a call in its format. The flag is set when the client cancels the call, which ends
    /// the work.
    fn answer(&self, call: &ToolCall, is_cancelled: &Arc<AtomicBool>) -> Result<String, String>;
    fn explain(&self, code: &str) -> Result<String, String>;
    /// The names of the targets of the repository, relative to its root.
    fn targets(&self) -> Vec<String>;
}
