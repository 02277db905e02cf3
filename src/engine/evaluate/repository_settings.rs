//! The settings that a repository has for its targets.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::diagnostic::ProfileFault;
use crate::load::Files;
use crate::profile::Profile;

/// The settings for one target. The file is part of a tree that may be untrusted: no setting reads
/// files outside the repository, fetches, trusts or runs anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositorySettings {
    pub profile: Option<Profile>,
    /// The repository, if all files in it may be read by each of its targets.
    pub readable: Option<PathBuf>,
}

/// Reads the settings from the files around a directory; fails if they are not valid.
type Read = fn(&Path, &dyn Files) -> Result<RepositorySettings, ProfileFault>;

/// Whether the files around a target are searched for settings. They are the files of the build,
/// also for a build of a commit.
#[derive(Clone, Copy, Default)]
pub struct SettingsReader {
    read: Option<Read>,
    /// The profile of the build is set already.
    has_profile: bool,
}

impl SettingsReader {
    /// Searches the files with this function.
    pub fn new(read: Read) -> Self {
        Self { read: Some(read), has_profile: false }
    }

    /// The same for a build with a profile that is already set.
    #[must_use]
    pub fn with_profile(self) -> Self {
        Self { has_profile: true, ..self }
    }

    /// True if a target may set its own profile.
    pub(super) fn allows_target_profile(self) -> bool {
        self.read.is_some() && !self.has_profile
    }

    /// The settings of a directory; none if files are not searched.
    ///
    /// # Errors
    /// The settings in the files are not usable.
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

impl fmt::Debug for SettingsReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (is_asked, has_profile) = (self.read.is_some(), self.has_profile);
        f.debug_struct("SettingsReader")
            .field("reads", &is_asked)
            .field("has_profile", &has_profile)
            .finish()
    }
}

impl PartialEq for SettingsReader {
    fn eq(&self, other: &Self) -> bool {
        (self.read.is_some(), self.has_profile) == (other.read.is_some(), other.has_profile)
    }
}

impl Eq for SettingsReader {}
