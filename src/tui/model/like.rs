//! Which Kustomize the builds of the workbench are like.

use std::sync::Arc;

use crate::engine::profile::{LATEST, Profile};

use super::Recording;

/// The profile that the tree says of itself or was opened with, and the one that was named since.
#[derive(Debug)]
pub(crate) struct LikeState {
    opened: Profile,
    named: Option<Profile>,
    before_name: Option<&'static str>,
    /// The recording of the files as it built them.
    before: Option<Arc<Recording>>,
}

impl LikeState {
    pub(super) const fn opened(opened: Profile) -> Self {
        Self { opened, named: None, before_name: None, before: None }
    }

    /// A build was like this. Another target may say another one of itself.
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

    /// Takes another profile; the recording of the files as the one before built them is what its builds are compared with.
    pub(crate) fn name(&mut self, profile: Profile, before: Option<Arc<Recording>>) {
        self.before_name = Some(self.profile().name());
        self.before = before;
        self.named = Some(profile);
    }

    /// What the builds are compared with instead of the files on disk.
    pub(crate) fn before(&self) -> Option<Arc<Recording>> {
        self.before.clone()
    }

    /// The names of the profiles that are compared.
    pub(crate) fn compared(&self) -> Option<(&'static str, &'static str)> {
        self.before_name.map(|name| (name, self.profile().name()))
    }

    /// The profile for the top line; nothing for the newest release, which is what is expected.
    pub(crate) fn shown(&self) -> Option<&'static str> {
        let name = self.profile().name();
        (name != LATEST).then_some(name)
    }
}
