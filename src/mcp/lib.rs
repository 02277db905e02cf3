//! The server for agents: six tools, two kinds of resources and three prompts. Each tool is a
//! question that a command of kzui answers; the answers come through a port.
//!
//! The asynchronous runtime is confined to this crate. `src/README.md` is the map.

mod calls;
mod edits;
mod handshake;
mod paths;
mod ports;
mod prompts;
mod server;
mod tools;

pub use calls::{AnswerFormat, BuildPage, EditedFile, ToolCall};
pub use edits::{EditRefusal, EditedText, edited_text};
pub use paths::{PathRefusal, path_below_root};
pub use ports::AgentPorts;
pub use server::{AgentServer, serve, serve_session};
