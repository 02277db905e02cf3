//! The version profile of the workbench's builds.

use std::sync::Arc;

use crate::engine::profile::{LATEST, Profile};

use super::WorkbenchRecording;

/// The profile of the tree or of the command line, and the one that the user chose since.
#[derive(Debug)]
pub(crate) struct LikeState {
    opened: Profile,
    named: Option<Profile>,
    before_name: Option<&'static str>,
    /// The recording of the files as it built them.
    before: Option<Arc<WorkbenchRecording>>,
}

impl LikeState {
    pub(super) const fn opened(opened: Profile) -> Self {
        Self { opened, named: None, before_name: None, before: None }
    }

    /// Stores the profile of a build. Another target may declare another one.
    pub(crate) fn built(&mut self, profile: Profile) {
        if self.named.is_none() {
            self.opened = profile;
        }
    }

    /// The profile in force.
    pub(crate) fn profile(&self) -> Profile {
        self.named.unwrap_or(self.opened)
    }

    /// The profile that was named since the tree was opened.
    pub(crate) const fn asked(&self) -> Option<Profile> {
        self.named
    }

    /// Chooses another profile; its builds are compared with the files as built before.
    pub(crate) fn name(&mut self, profile: Profile, before: Option<Arc<WorkbenchRecording>>) {
        self.before_name = Some(self.profile().name());
        self.before = before;
        self.named = Some(profile);
    }

    /// The recording that replaces the files on disk in comparisons.
    pub(crate) fn profile_baseline(&self) -> Option<Arc<WorkbenchRecording>> {
        self.before.clone()
    }

    /// The names of the profiles that are compared.
    pub(crate) fn compared(&self) -> Option<(&'static str, &'static str)> {
        self.before_name.map(|name| (name, self.profile().name()))
    }

    /// The profile for the top line; `None` for the newest release, the default.
    pub(crate) fn shown(&self) -> Option<&'static str> {
        let name = self.profile().name();
        (name != LATEST).then_some(name)
    }
}
