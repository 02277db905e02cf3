//! The settings in a repository that apply to its targets.

use std::path::{Path, PathBuf};

use crate::diagnostic::ProfileFault;
use crate::load::Files;
use crate::profile::Profile;

/// The settings for one target. The settings file may be in an untrusted tree, so no setting reads
/// files outside the repository, or fetches, trusts or runs anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositorySettings {
    pub profile: Option<Profile>,
    /// The root of the repository, if each target may read all files in it.
    pub readable: Option<PathBuf>,
    /// The root of the repository, if its settings enable helm. They have an effect only in the
    /// repositories that the user lists.
    pub helm: Option<PathBuf>,
}

type Read = fn(&Path, &dyn Files) -> Result<RepositorySettings, ProfileFault>;

/// The function that reads settings, if any. It searches the files of the build itself, also for a
/// build of a commit.
#[derive(Clone, Copy, Debug, Default)]
pub struct SettingsReader {
    read: Option<Read>,
    /// True if the profile of the build is fixed, so that settings do not change it.
    has_profile: bool,
    pub(super) reads_repository: bool,
}

impl SettingsReader {
    /// A reader that calls this function.
    pub fn new(read: Read) -> Self {
        Self { read: Some(read), ..Self::default() }
    }

    /// The same reader for a build with a fixed profile.
    #[must_use]
    pub fn with_profile(self) -> Self {
        Self { has_profile: true, ..self }
    }

    /// The same reader for a build without load restrictions. Files outside the repository stay
    /// unreadable.
    #[must_use]
    pub fn with_repository_files(self) -> Self {
        Self { reads_repository: true, ..self }
    }

    pub(super) fn allows_target_profile(self) -> bool {
        self.read.is_some() && !self.has_profile
    }

    pub(super) fn read_settings(
        self,
        directory: &Path,
        files: &dyn Files,
    ) -> Result<RepositorySettings, ProfileFault> {
        let mut settings = match self.read {
            Some(read) => read(directory, files)?,
            None => RepositorySettings::default(),
        };
        settings.profile = settings.profile.filter(|_| !self.has_profile);
        Ok(settings)
    }
}

impl PartialEq for SettingsReader {
    fn eq(&self, other: &Self) -> bool {
        // One function reads settings: addresses of functions must not be compared.
        let facts = |it: &Self| (it.read.is_some(), it.has_profile, it.reads_repository);
        facts(self) == facts(other)
    }
}

impl Eq for SettingsReader {}
