//! The version profile of the workbench's builds.

use std::sync::Arc;

use super::WorkbenchRecording;
use crate::engine::profile::{LATEST, Profile};

/// The version profile of the repository or command line, and the profile that the user chose
/// later.
#[derive(Debug)]
pub(crate) struct LikeState {
    opened: Profile,
    /// The profile that the user chose since the repository was opened.
    pub(crate) named: Option<Profile>,
    before_name: Option<&'static str>,
    /// The recording of the files as built with the previous profile, which replaces the files on
    /// disk in comparisons; `None` if the user has not changed the profile.
    pub(crate) before: Option<Arc<WorkbenchRecording>>,
}

impl LikeState {
    pub(crate) const fn opened(opened: Profile) -> Self {
        Self { opened, named: None, before_name: None, before: None }
    }

    /// Stores the profile of a build, since each target may declare its own. A profile that the
    /// user chose stays in force.
    pub(crate) fn built(&mut self, profile: Profile) {
        if self.named.is_none() {
            self.opened = profile;
        }
    }

    pub(crate) fn profile(&self) -> Profile {
        self.named.unwrap_or(self.opened)
    }

    /// Chooses another profile. Builds with it are compared with `before`, the recording with the
    /// previous profile.
    pub(crate) fn name(&mut self, profile: Profile, before: Option<Arc<WorkbenchRecording>>) {
        self.before_name = Some(self.profile().name());
        self.before = before;
        self.named = Some(profile);
    }

    pub(crate) fn compared(&self) -> Option<(&'static str, &'static str)> {
        self.before_name.map(|name| (name, self.profile().name()))
    }

    /// The profile for the top line; `None` for the newest release, the default.
    pub(crate) fn shown(&self) -> Option<&'static str> {
        let name = self.profile().name();
        (name != LATEST).then_some(name)
    }
}
