//! The version profile that a target sets for itself.

use std::fmt;
use std::path::Path;

use crate::diagnostic::ProfileFault;
use crate::load::Files;
use crate::profile::Profile;

/// Reads the profile from the files around a directory; fails if it is not valid.
pub(super) type Said = fn(&Path, &dyn Files) -> Result<Option<Profile>, ProfileFault>;

/// Whether and how the files around a target are searched for its version profile. They are the
/// files of the build, also for a build of a commit.
#[derive(Clone, Copy, Default)]
pub struct OwnProfile(Option<Said>);

impl OwnProfile {
    /// Searches the files with this function.
    pub fn told_by(said: fn(&Path, &dyn Files) -> Result<Option<Profile>, ProfileFault>) -> Self {
        Self(Some(said))
    }

    /// True if neither a flag nor the environment names a profile.
    pub(super) fn is_asked(self) -> bool {
        self.0.is_some()
    }

    /// The profile of a directory; `None` if files are not asked.
    ///
    /// # Errors
    /// The profile in the files is not usable.
    pub(super) fn of(
        self,
        directory: &Path,
        files: &dyn Files,
    ) -> Result<Option<Profile>, ProfileFault> {
        self.0.map_or(Ok(None), |said| said(directory, files))
    }
}

impl fmt::Debug for OwnProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "OwnProfile(asked)" } else { "OwnProfile(none)" })
    }
}

impl PartialEq for OwnProfile {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_some() == other.0.is_some()
    }
}

impl Eq for OwnProfile {}
