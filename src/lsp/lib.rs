//! The language server of kzui. Open documents are a draft over the files on disk; a worker thread
//! builds the targets that they affect, and requests are answered from its last result.
//!
//! The server reads files through ports; it runs no program, fetches no remote and writes no file.
//! `src/README.md` is the map.

#![cfg_attr(
    test,
    allow(clippy::too_many_lines, reason = "a test is a table with a loop around it")
)]

mod checked;
mod documents;
mod features;
mod ports;
mod positions;
mod renamer;
mod server;
mod settings;
mod transport;
mod uri;
mod worker;

use kzui_analysis::{answers, display, draft, repository};
use kzui_engine as engine;

pub use lsp_server::Connection;
pub use ports::EditorPorts;
pub use server::{SessionEnd, serve};
pub use settings::ServerSettings;
pub use transport::{MAX_MESSAGE_BYTES, Transport, connect};
