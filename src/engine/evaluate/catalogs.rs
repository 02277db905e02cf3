//! The catalogs of a build (KEP-2906; B.3 to B.5 of the functions reference).

use std::path::Path;

use indexmap::IndexMap;

use crate::load::SourceNumbers;
use crate::plugin::{CatalogCache, ListedCatalog, SearchInput};
use crate::resource::ResId;
use crate::yaml::Node;

use super::LayerId;
use super::level::ActiveLayer;
use super::setup::BuildSetup;

#[derive(Debug, Default)]
pub(super) struct Catalogs {
    pub(super) cache: CatalogCache,
    /// The catalogs that each layer lists, for messages about the enclosing layer.
    pub(super) layers: IndexMap<LayerId, Vec<ListedCatalog>>,
}

impl Catalogs {
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
            let Ok(reference) = catalog.reference(ports.files) else { return false };
            let opened = cache.known_or_local(&reference, ports);
            opened.is_some_and(|opened| {
                opened.catalog.find(&id.gvk.group, &id.gvk.version, &id.gvk.kind).is_some()
            })
        })
    }
}

pub(super) fn search_input<'s>(
    id: &'s ResId,
    listed: &'s [ListedCatalog],
    root: &'s Path,
    (setup, cache): (&'s BuildSetup<'_>, &'s mut CatalogCache),
) -> SearchInput<'s> {
    let (trust, ports) = (&setup.options.trust, setup.catalog_ports());
    SearchInput { id, listed, trust, ports, cache, current: setup.current, root }
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
