//! The catalogs of one evaluation, each read once.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::load::{
    Artifact, ArtifactError, ArtifactKind, Artifacts, Digest, Files, Location, Reference,
    SignatureVerdict,
};
use crate::manifest::{Catalog, MAX_CATALOG_BYTES};
use crate::yaml::SourceId;

/// The built-in catalog: searched first, always trusted, empty for now.
const OFFICIAL: &str = include_str!("../../assets/catalog/official.yaml");

/// The ports for reading catalogs.
#[derive(Clone, Copy)]
pub struct CatalogPorts<'a> {
    pub files: &'a dyn Files,
    pub artifacts: &'a dyn Artifacts,
}

/// A catalog that was read. Its digest, trust and content refer to the same bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedCatalog {
    /// The reference of the catalog, with links resolved.
    pub reference: Reference,
    pub artifact: Artifact,
    pub catalog: Catalog,
}

/// The catalogs that were read.
#[derive(Debug, Default)]
pub struct CatalogCache {
    opened: IndexMap<(String, Option<Digest>), Result<Arc<CachedCatalog>, ArtifactError>>,
    official: Option<Arc<CachedCatalog>>,
    signatures: IndexMap<(String, Digest), SignatureVerdict>,
}

impl CatalogCache {
    pub(super) fn signature(
        &mut self,
        opened: &CachedCatalog,
        verify: impl FnOnce() -> SignatureVerdict,
    ) -> &SignatureVerdict {
        let CachedCatalog { reference, artifact, .. } = opened;
        let key = (reference.normalised(), artifact.digest);
        self.signatures.entry(key).or_insert_with(verify)
    }

    /// Reads a catalog, or returns the cached result.
    ///
    /// # Errors
    /// The catalog cannot be loaded or is not valid.
    pub fn open(
        &mut self,
        reference: &Reference,
        pin: Option<&Digest>,
        ports: CatalogPorts<'_>,
    ) -> Result<Arc<CachedCatalog>, ArtifactError> {
        let key = (reference.normalised(), reference.pin);
        if let Some(known) = self.opened.get(&key) {
            return known.clone();
        }
        let opened = open(reference, pin, ports).map(Arc::new);
        self.opened.insert(key, opened.clone());
        opened
    }

    /// A remote catalog that was read before, or a local one, without a fetch.
    pub fn known_or_local(
        &mut self,
        reference: &Reference,
        ports: CatalogPorts<'_>,
    ) -> Option<Arc<CachedCatalog>> {
        if !reference.is_remote() {
            return self.open(reference, None, ports).ok();
        }
        self.opened.get(&(reference.normalised(), reference.pin))?.as_ref().ok().cloned()
    }

    /// As [`Self::known_or_local`], or else the cached copy from an earlier fetch. The copy is for
    /// display only and is not added to this cache: no function is resolved through it (D-B17).
    pub fn kept(
        &mut self,
        reference: &Reference,
        ports: CatalogPorts<'_>,
    ) -> Option<Arc<CachedCatalog>> {
        let known = self.known_or_local(reference, ports);
        // Only the files of the build have a local catalog.
        if known.is_some() || !reference.is_remote() {
            return known;
        }
        let artifact = ports.artifacts.kept(reference, ArtifactKind::Catalog)?;
        read(reference, artifact).ok().map(Arc::new)
    }

    /// The embedded catalog (B.5).
    pub fn official(&mut self) -> Option<Arc<CachedCatalog>> {
        if self.official.is_none() {
            let bytes: Arc<[u8]> = OFFICIAL.as_bytes().into();
            let catalog = Catalog::parse(&bytes, SourceId::NONE).ok()?;
            let location = Location::File(Path::new("official").to_owned());
            let written = "official".to_owned();
            let artifact = Artifact::local(bytes, None);
            let reference = Reference { written, location, pin: None, layer: None };
            self.official = Some(Arc::new(CachedCatalog { reference, artifact, catalog }));
        }
        self.official.clone()
    }
}

fn open(
    reference: &Reference,
    pin: Option<&Digest>,
    ports: CatalogPorts<'_>,
) -> Result<CachedCatalog, ArtifactError> {
    let artifact = if let Location::File(path) = &reference.location {
        let bytes = ports.files.read(path).map_err(|error| error.to_string())?;
        Artifact::local(bytes, path.parent().map(Path::to_owned))
    } else {
        ports.artifacts.fetch(reference, ArtifactKind::Catalog, pin)?
    };
    read(reference, artifact)
}

fn read(reference: &Reference, artifact: Artifact) -> Result<CachedCatalog, ArtifactError> {
    if artifact.bytes.len() > MAX_CATALOG_BYTES {
        return Err(format!("larger than {} MiB", MAX_CATALOG_BYTES >> 20).into());
    }
    if let Some(pin) = reference.pin.filter(|pin| !artifact.matches_pin(pin)) {
        let found = artifact.digest;
        let subject = reference.written.clone();
        return Err(ArtifactError::Mismatch { subject, expected: pin, found });
    }
    let catalog =
        Catalog::parse(&artifact.bytes, SourceId::NONE).map_err(|error| error.to_string())?;
    Ok(CachedCatalog { reference: reference.clone(), artifact, catalog })
}

#[cfg(test)]
mod tests {
    use super::super::search::{SearchInput, SearchOutcome};
    use super::super::trust::Trust;
    use super::*;
    use crate::load::{MemoryFiles, NoArtifacts};
    use crate::resource::{Gvk, ResId, Scope};

    fn cached_catalog(name: &str, image: &str) -> CachedCatalog {
        let text = format!(
            "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nspec:\n  krmFunctions:\n  - {{group: example.com, names: {{kind: JavaApplication}}, versions: [{{name: v1, runtime: {{container: {{image: '{image}'}}}}}}]}}\n"
        );
        let bytes: Arc<[u8]> = text.as_bytes().into();
        let catalog = Catalog::parse(&bytes, SourceId::NONE).unwrap();
        let artifact = Artifact::local(bytes, None);
        let location = Location::File(Path::new(name).to_owned());
        let reference = Reference { written: name.to_owned(), location, pin: None, layer: None };
        CachedCatalog { reference, artifact, catalog }
    }

    /// KEP-2906, story 4: the built-in catalog is searched first, although no layer lists it and no
    /// flag trusts it.
    #[test]
    fn the_official_catalog_needs_no_list_and_no_trust() {
        let official = Some(Arc::new(cached_catalog("official", "example.co/java@sha256:aa")));
        let mut cache = CatalogCache { official, ..CatalogCache::default() };
        let gvk = Gvk::new("example.com/v1", "JavaApplication");
        let (name, namespace) = ("java".into(), "".into());
        let id = ResId { gvk, name, namespace, scope: Scope::Namespaced };
        let trust = Trust::default();
        let files = MemoryFiles::default();
        let ports = CatalogPorts { files: &files, artifacts: &NoArtifacts };
        let mut searching = SearchInput {
            id: &id,
            listed: &[],
            trust: &trust,
            ports,
            cache: &mut cache,
            current: Path::new("/w"),
            root: Path::new("/w"),
        };
        let Ok(SearchOutcome::Found(found)) = searching.run() else {
            panic!("it is not found");
        };
        let image = found.version.runtime.container().map(|container| &*container.image);
        assert_eq!(image, Some("example.co/java@sha256:aa"));
        assert_eq!(found.opened.reference.written, "official");
    }
}
