//! Adapters of commands that read more than one build.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use kzui::cli::RepositoryPorts;
use kzui::draft::ListedDraft;
use kzui::engine::evaluate::{DeploymentCache, NoCancel, Ports, deployed_directory};
use kzui::host::{self, DiskFiles, DiskListing, Fetcher, GitCommits, SystemClock};
use kzui::repository::{Commits, RepositoryCache};

use super::printers::warn;

pub(super) fn ports() -> RepositoryPorts<'static> {
    RepositoryPorts {
        listing: Arc::new(DiskListing),
        indexes: RepositoryCache::default(),
        commits: &commits,
        drafts: &|target| {
            for reason in host::DraftFiles::of_user(&target_folder(target)).refused() {
                warn(&reason.to_string());
            }
            drafts(target)
        },
        input: &host::read_standard_input,
        salt: *SALT,
    }
}

/// The ports of builds that run no program and use only cached downloads.
pub(super) fn build_ports() -> Ports {
    Ports {
        files: Arc::new(DiskFiles),
        remote: Arc::new(Fetcher::for_workbench()),
        programs: Arc::new(host::ProgramLookup),
        clock: Arc::new(SystemClock::default()),
        cancel: Arc::new(NoCancel),
        deployments: DeploymentCache::default(),
    }
}

/// The salt of the texts that replace masked values: equal values have equal texts within one
/// process, but not in another.
pub(super) static SALT: LazyLock<[u8; 16]> = LazyLock::new(|| {
    // The standard library seeds each of its hashers from the system's randomness.
    let number = || RandomState::new().build_hasher().finish();
    ((u128::from(number()) << 64) | u128::from(number())).to_le_bytes()
});

pub(super) fn commits(folder: &Path) -> Result<Arc<dyn Commits>, String> {
    Ok(Arc::new(GitCommits::around(folder)?))
}

/// The kept drafts of a target, a folder or a deployment object. Creates and locks no files.
pub(super) fn drafts(target: &Path) -> Vec<ListedDraft> {
    host::DraftFiles::of_user(&target_folder(target)).all()
}

/// The folder of a target: for a deployment object, the folder that it deploys.
fn target_folder(target: &Path) -> PathBuf {
    let folder = target.parent().unwrap_or(target);
    let deployed = deployed_directory(&target.to_string_lossy(), folder, &build_ports());
    deployed.and_then(|it| host::resolved(&it).ok()).unwrap_or_else(|| target.to_owned())
}
