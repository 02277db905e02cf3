//! The contents of the images of a catalog, for a review, and their differences from the trusted ones.

use crate::load::{ArtifactError, Digest, ImageContents, ImageLayer, ImageReference, OciReference};

use super::cache::CatalogPorts;
use super::record::{FunctionSnapshot, TrustRecord};

/// The registry of images without one.
const DOCKER_HUB: &str = "registry-1.docker.io";

/// The image of a function that is pinned by a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageView {
    pub facts: ImageFacts,
    /// The image of the last decision, if it was another one.
    pub trusted: Option<(Digest, ImageFacts)>,
}

/// The facts about an image, as far as its manifest and configuration could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageFacts {
    Known(ImageContents),
    NotFetched,
    Unreadable(String),
}

/// The differences of the layers of two images.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerChanges {
    pub added: Vec<ImageLayer>,
    pub removed: Vec<ImageLayer>,
    pub same: Vec<ImageLayer>,
}

impl std::fmt::Display for LayerChanges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [added, removed, same] = [&self.added, &self.removed, &self.same].map(Vec::len);
        write!(f, "{added} new, {removed} removed, {same} the same")
    }
}

impl ImageView {
    /// The contents of this image and of the trusted one; `None` if there is no other trusted
    /// image, or if one of them is not known.
    pub fn comparison(&self) -> Option<(&ImageContents, &ImageContents)> {
        match (&self.trusted, &self.facts) {
            (Some((_, ImageFacts::Known(before))), ImageFacts::Known(after)) => {
                Some((before, after))
            }
            _ => None,
        }
    }

    /// The layers that this image and the trusted one have.
    pub fn layer_changes(&self) -> Option<LayerChanges> {
        let (before, after) = self.comparison()?;
        let has = |image: &ImageContents, layer: &ImageLayer| {
            image.layers.iter().any(|other| other.digest == layer.digest)
        };
        let (same, added) = after.layers.iter().partition(|layer| has(before, layer));
        let removed = before.layers.iter().filter(|layer| !has(after, layer)).copied().collect();
        Some(LayerChanges { added, removed, same })
    }
}

pub(super) fn trusted_image(record: Option<&TrustRecord>, function: &str) -> Option<Digest> {
    let is_it = |it: &&FunctionSnapshot| it.id == function && it.runtime == "container";
    let trusted = record?.functions.iter().find(is_it)?;
    let (_, digest) = trusted.locations.first()?.rsplit_once('@')?;
    Digest::parse(digest)
}

/// The contents of an image: from the cache, or from `registry` if the port may fetch.
pub(super) fn facts(
    digest: &Digest,
    registry: Option<&OciReference>,
    ports: CatalogPorts<'_>,
) -> ImageFacts {
    match ports.artifacts.image(digest, registry) {
        Ok(contents) => ImageFacts::Known(contents),
        Err(ArtifactError::NotAllowed { .. } | ArtifactError::Offline { .. }) => {
            ImageFacts::NotFetched
        }
        Err(error) => ImageFacts::Unreadable(error.to_string()),
    }
}

/// The registry and repository of an image, by the rules of container engines.
pub(super) fn registry_of(image: &ImageReference) -> OciReference {
    let (registry, repository) = match image.name.split_once('/') {
        Some((host, rest)) if host.contains(['.', ':']) || host == "localhost" => {
            let is_hub = ["docker.io", "index.docker.io"].contains(&host);
            (if is_hub { DOCKER_HUB } else { host }, rest.to_owned())
        }
        Some(_) => (DOCKER_HUB, image.name.clone()),
        None => (DOCKER_HUB, format!("library/{}", image.name)),
    };
    let tag = image.tag.clone().unwrap_or_else(|| "latest".to_owned());
    OciReference { registry: registry.to_owned(), repository, tag }
}
