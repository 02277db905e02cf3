//! Which Kustomize a target says of itself that it is built with.

use std::fmt;
use std::path::Path;

use crate::load::Files;
use crate::profile::Profile;

/// What the files around a directory say, or why that cannot be told.
pub(super) type Said = fn(&Path, &dyn Files) -> Result<Option<Profile>, String>;

/// Whether the files around a target are asked which Kustomize it is built with, and how. They are those of the build, be it of
/// a commit.
#[derive(Clone, Copy, Default)]
pub struct OwnProfile(Option<Said>);

impl OwnProfile {
    /// The files are asked in this way.
    pub fn told_by(said: fn(&Path, &dyn Files) -> Result<Option<Profile>, String>) -> Self {
        Self(Some(said))
    }

    /// What they say; nothing when they are not asked.
    ///
    /// # Errors
    /// The words of what cannot be told.
    pub(super) fn of(self, directory: &Path, files: &dyn Files) -> Result<Option<Profile>, String> {
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
