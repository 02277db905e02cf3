//! host

mod cache;
mod confine;
mod git;
mod http;
mod process;
mod remote;

pub use cache::Cache;
pub use confine::{CONFINE_WORD, ConfinementSupport, confine_and_exec, confinement_support};
pub use process::Processes;
pub use remote::{FetchObserver, GitHttp, Network, NoObserver};
