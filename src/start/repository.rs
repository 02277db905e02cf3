//! Adapters of commands that read more than one build.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use kzui::cli::RepositoryPorts;
use kzui::draft::ListedDraft;
use kzui::host::{self, DiskListing, GitCommits};
use kzui::repository::{Commits, CommitsError};

use super::printers::warn;

/// The adapters of this machine.
pub(super) fn ports() -> RepositoryPorts<'static> {
    RepositoryPorts {
        listing: Arc::new(DiskListing),
        commits: &commits,
        drafts: &|target| {
            for reason in host::DraftFiles::of_user(target).refused() {
                warn(&reason.to_string());
            }
            drafts(target)
        },
        input: &host::read_standard_input,
        salt: *SALT,
    }
}

/// The salt of the texts that replace masked values: equal values have equal texts within one
/// process, but not in another.
pub(super) static SALT: LazyLock<[u8; 16]> = LazyLock::new(|| {
    // The standard library seeds each of its hashers from the system's randomness.
    let number = || RandomState::new().build_hasher().finish();
    ((u128::from(number()) << 64) | u128::from(number())).to_le_bytes()
});

pub(super) fn commits(folder: &Path) -> Result<Arc<dyn Commits>, CommitsError> {
    Ok(Arc::new(GitCommits::around(folder)?))
}

/// The kept drafts of a target. Creates and locks no files.
pub(super) fn drafts(target: &Path) -> Vec<ListedDraft> {
    host::DraftFiles::of_user(target).all()
}
