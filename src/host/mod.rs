//! The only module that accesses files, processes, environment and time. It implements the engine's
//! ports.

mod archive;
mod artifacts;
mod at_hand;
mod bounds;
mod cache;
mod changed;
mod clock;
mod confine;
mod credentials;
mod discover;
mod disk;
mod download;
mod drafts;
mod editor;
mod ending;
mod folders;
mod gaps;
mod git;
mod git_objects;
mod group;
mod http;
mod listing;
mod names;
mod oci;
mod operations;
mod ownership;
mod path_variable;
mod private;
#[cfg(target_os = "linux")]
mod private_root;
mod process;
mod raw_calls;
mod read;
mod redirect;
mod remote;
mod stack;
mod store;
mod tree_digest;
mod trust_file;
mod watch;
mod write;

pub use artifacts::Fetcher;
pub use at_hand::{AtHand, fetch};
pub use cache::Cache;
pub use changed::changed_since;
pub use clock::SystemClock;
pub use confine::{CONFINE_WORD, confine_and_exec, confinement_support, sandbox};
pub use discover::{
    Bounds, Discovery, Found, FoundKind, discover, discover_below, repository_root,
};
pub use disk::{DiskFiles, NotingFiles};
pub use drafts::DraftFiles;
pub use editor::{EditorCommand, editor_command, editor_from_environment};
pub use ending::end_programs;
#[cfg(unix)]
pub use ending::{end_on_signals, wait_for_the_end};
pub use folders::folders;
pub use gaps::ConfinementSupport;
pub use git_objects::{GitCommits, GitError, GitObjects, GitTree};
pub use listing::DiskListing;
pub use names::{
    current_directory, delete_file, is_folder, is_plain_file_or_none, is_there, make_folder,
    move_file, resolved, told, words, write_over,
};
pub use operations::OperationLog;
pub use ownership::read_settings;
pub use private::keep_report;
pub use process::{Lookup, Processes};
pub use raw_calls::give_memory_back;
pub use read::{read_line, read_standard_input};
use remote::NoteObserver;
pub use remote::{FetchObserver, GitHttp, Network, NoObserver};
pub use stack::grow_stack;
pub use trust_file::{TrustFile, now, trusted_by_preference};
pub use watch::{Watch, WatchError};
pub use write::{Change, WriteError, remove_file, take_back_writes, write_file, write_files};

use std::sync::Arc;

use crate::engine::load::Remote;
use crate::engine::plugin::Programs;

/// The fetch port of a headless command, within the limits of `network`. Unused content of the
/// cache is reported to `told`.
pub fn remote(network: Network, told: impl Fn(&str) + Send + Sync + 'static) -> Arc<dyn Remote> {
    let remote = Arc::new(GitHttp::new(network, Arc::new(NoteObserver(told))));
    Arc::new(Fetcher::new(remote, network, folders::cache_folder()))
}

/// The program port of a build. Lines of functions on standard error are passed to `told` as they
/// come.
pub fn programs(told: impl Fn(&str) + Send + Sync + 'static) -> Arc<dyn Programs> {
    Arc::new(Processes::with_listener(told))
}
