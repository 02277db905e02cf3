//! The outside: the only room with files, processes, environment and time. It implements the engine's ports.

mod cache;
mod clock;
mod confine;
mod discover;
mod disk;
mod editor;
mod git;
mod http;
mod process;
mod remote;
mod watch;
mod write;

pub use cache::Cache;
pub use clock::SystemClock;
pub use confine::{CONFINE_WORD, ConfinementSupport, confine_and_exec, confinement_support};
pub use discover::{Bounds, Discovery, Found, FoundKind, discover, repository_root};
pub use disk::DiskFiles;
pub use editor::{EditorCommand, editor_command, editor_from_environment};
pub use process::Processes;
pub use remote::{FetchObserver, GitHttp, Network, NoObserver};
pub use watch::{Watch, WatchError};
pub use write::{WriteError, write_file};

use std::sync::Arc;

use crate::engine::function::Programs;
use crate::engine::load::Remote;

/// What fetches from outside for a build that was asked for.
pub fn remote(offline: bool) -> Arc<dyn Remote> {
    let network = if offline { Network::Offline } else { Network::Online };
    Arc::new(GitHttp::new(network, Arc::new(NoObserver)))
}

/// What runs programs for a build that was asked for.
pub fn programs() -> Arc<dyn Programs> {
    Arc::new(Processes::default())
}
