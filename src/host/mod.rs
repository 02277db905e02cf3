//! The only module that accesses files, processes, environment and time. It implements the engine's
//! ports.

mod bounds;
mod fs;
mod git;
mod net;
mod process;
mod signature;
mod store;

pub use fs::disk::{DiskFiles, NotingFiles};
pub use fs::folders::folders;
pub use fs::names::{current_directory, is_plain_file_or_none, resolved};
pub use fs::ownership::read_settings;
pub use fs::read::{read_line, read_standard_input};
pub use fs::states::StatedFiles;
pub use fs::watch::{Watch, WatchError};
pub use git::listing::{DiskListing, changed_since, files_within};
pub use git::objects::{GitCommits, GitError, GitObjects, GitTree};
pub use net::push::ArtifactPublisher;
pub use net::remote::{Fetcher, fetch};
pub use process::confine::{CONFINE_WORD, confine_and_exec, confinement_support, sandbox};
pub use process::confinement_gaps::ConfinementSupport;
pub use process::editor::{editor_from_environment, run_editor};
pub use process::ending::end_programs;
#[cfg(unix)]
pub use process::ending::{end_on_signals, wait_for_the_end};
pub use process::raw_calls::{give_memory_back, grow_stack};
pub use process::shell::ShellCommand;
pub use process::unpacked::UnpackedFolder;
pub use process::{Processes, ProgramLookup};
pub use store::cache::Cache;
pub use store::drafts::DraftFiles;
pub use store::operations::OperationLog;
pub use store::private_files::{keep_pane_sizes, keep_report, open_log, read_pane_sizes};
pub use store::trust_file::{TrustFile, now, trusted_by_preference};
pub use store::write::{FileWriteError, revert_incomplete_writes, write_files};

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::evaluate::{Clock, NoCancel};
pub use crate::engine::load::Network;
use crate::engine::load::Remote;
use crate::engine::plugin::Programs;

/// The fetch port of a headless command, within the limits of `network`. The closure receives a
/// note about each cached item that is not used.
pub fn remote(network: Network, note: impl Fn(&str) + Send + Sync + 'static) -> Arc<dyn Remote> {
    let fetcher = Fetcher::new(network, Cache::for_current_user(), Arc::new(NoCancel));
    Arc::new(fetcher.with_notes(note))
}

/// The program port of a build. The closure receives each line that a function writes to standard
/// error.
pub fn programs(line: impl Fn(&str) + Send + Sync + 'static) -> Arc<dyn Programs> {
    Arc::new(Processes::with_listener(line))
}

/// The system's monotonic clock; zero is the moment of its creation.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
