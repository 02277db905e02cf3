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
mod positions;
mod renamer;
mod server;
mod settings;
mod transport;
mod uri;
mod worker;

use std::path::{Path, PathBuf};

use kzui_analysis::{answers, display, draft, repository};
use kzui_engine as engine;

pub use lsp_server::Connection;
pub use server::{SessionEnd, serve};
pub use settings::ServerSettings;
pub use transport::{MAX_MESSAGE_BYTES, Transport, connect};

/// The ports of the language server: all of them only read.
pub trait EditorPorts: Send + Sync {
    /// The builds of the repository around a folder; `None` for a folder that does not exist. They
    /// run no program and fetch no remote.
    fn repository(&self, folder: &Path) -> Option<answers::RepositoryBuilds>;
    /// The files that were read, or are new in a repository, and changed on disk since they were last
    /// reported here. Compares states, and reads no file.
    fn changed_files(&self) -> Vec<PathBuf>;
    /// The path of a file with links resolved; unchanged if the file does not exist.
    fn real_path(&self, path: PathBuf) -> PathBuf;
    /// The files that a fix may edit, for a file in the repository.
    fn scope(&self, file: &Path) -> draft::WriteScope;
}
