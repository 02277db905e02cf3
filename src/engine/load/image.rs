//! The contents of a container image, as its manifest and configuration describe them.

use super::Digest;

/// The user, program and layers of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageContents {
    /// The user of the configuration; empty if it sets none, which means root.
    pub user: String,
    pub entrypoint: Vec<String>,
    /// The arguments after the entrypoint.
    pub command: Vec<String>,
    /// The layers from the lowest up.
    pub layers: Vec<ImageLayer>,
    /// `linux/amd64`, as the configuration states it.
    pub platform: String,
    /// The number of manifests in the list from which the one for this machine was chosen; `None`
    /// for an image without a list.
    pub offered: Option<usize>,
}

/// A layer, which an image can have in common with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLayer {
    /// The digest of the download.
    pub digest: Digest,
    /// The size of the download in bytes.
    pub size: u64,
}

impl ImageContents {
    /// The user for display: `root` if the configuration sets none.
    pub fn user_name(&self) -> &str {
        if self.user.is_empty() { "root (the image sets no user)" } else { &self.user }
    }
}
