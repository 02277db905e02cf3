//! The catalogs of a build (KEP-2906; B.3 to B.5 of the functions reference).

use std::path::Path;

use indexmap::IndexMap;

use crate::load::{Reference, SourceNumbers};
use crate::plugin::{
    CatalogCache, KnownSchema, ListedCatalog, RunRefusal, SearchInput, SearchOutcome,
};
use crate::resource::ResId;
use crate::yaml::Node;

use super::LayerId;
use super::level::ActiveLayer;
use super::setup::BuildSetup;

/// The catalogs of one evaluation.
#[derive(Debug, Default)]
pub(super) struct Catalogs {
    cache: CatalogCache,
    /// The catalogs that each layer lists, for messages about the enclosing layer.
    layers: IndexMap<LayerId, Vec<ListedCatalog>>,
}

impl Catalogs {
    /// Registers the catalogs of a layer. Reads no file: catalogs are read on demand (D-B7).
    pub(super) fn list(&mut self, layer: LayerId, listed: Vec<ListedCatalog>) {
        self.layers.insert(layer, listed);
    }

    /// Searches the listed catalogs for the function of an object.
    pub(super) fn search(
        &mut self,
        id: &ResId,
        listed: &[ListedCatalog],
        root: &Path,
        setup: &BuildSetup<'_>,
    ) -> Result<SearchOutcome, RunRefusal> {
        search_input(id, listed, root, setup).run(&mut self.cache)
    }

    /// The schema of a functionConfig, from the catalog that resolves it (A.6).
    pub(super) fn schema(
        &mut self,
        id: &ResId,
        listed: &[ListedCatalog],
        may_fetch: bool,
        setup: &BuildSetup<'_>,
    ) -> KnownSchema {
        // The root locates the lock file, which protects functions that run. A schema runs no code,
        // so any root will do.
        search_input(id, listed, Path::new("/"), setup).schema(&mut self.cache, may_fetch)
    }

    /// True if a catalog of a layer has the function of an object. Searches cached catalogs only: a
    /// message does not justify a download.
    pub(super) fn has_function(
        &mut self,
        layer: LayerId,
        id: &ResId,
        setup: &BuildSetup<'_>,
    ) -> bool {
        let (Self { cache, layers }, ports) = (self, setup.catalog_ports());
        let mut listed = layers.get(&layer).into_iter().flatten();
        listed.any(|catalog| {
            let reference = Reference::parse(&catalog.written, &catalog.directory).ok();
            let reference = reference.and_then(|reference| reference.resolved(ports.files).ok());
            let Some(reference) = reference else { return false };
            let opened = if reference.is_remote() {
                cache.known(&reference)
            } else {
                cache.open(&reference, None, ports).ok()
            };
            opened.is_some_and(|opened| {
                opened.catalog.find(&id.gvk.group, &id.gvk.version, &id.gvk.kind).is_some()
            })
        })
    }
}

fn search_input<'s>(
    id: &'s ResId,
    listed: &'s [ListedCatalog],
    root: &'s Path,
    setup: &'s BuildSetup<'_>,
) -> SearchInput<'s> {
    let (trust, ports) = (&setup.options.trust, setup.catalog_ports());
    SearchInput { id, listed, trust, ports, current: setup.current, root }
}

pub(super) fn listed_catalogs(
    level: &ActiveLayer<'_>,
    sources: &SourceNumbers,
) -> Vec<ListedCatalog> {
    let list = level.kustomization().catalogs.as_ref();
    let items = list.and_then(Node::items).unwrap_or_default();
    let listed = items.iter().filter_map(|item| {
        let file = sources.path(item.mark.source);
        let file = file.unwrap_or(level.target.file.as_str()).to_owned();
        Some(ListedCatalog {
            written: item.text()?.to_owned(),
            directory: level.root.path().to_owned(),
            file,
            mark: item.mark,
            checkout: level.root.checkout().cloned(),
        })
    });
    listed.collect()
}
