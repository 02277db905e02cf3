//! What the entries of a layer without a runtime resolve to, by its catalogs (KEP-2906; B.3 to B.5 of the functions
//! reference).

use crate::evaluate::BuildWarning;
use crate::evaluate::LayerKind;
use crate::evaluate::build::Build;
use crate::evaluate::configured::Configured;
use crate::evaluate::level::Level;
use crate::load::Reference;
use crate::plugin::{
    CatalogCache, CatalogPorts, Found, KnownSchema, ListedCatalog, Making, Refusal, Resolved,
    Searched, Searching, not_found,
};
use crate::resource::ResId;
use crate::yaml::Node;

impl Build<'_> {
    /// Notes the catalogs of a layer. Nothing is read: that happens when an entry needs it (D-B7).
    pub(in crate::evaluate) fn note_catalogs(&mut self, level: &Level<'_>) {
        let listed = self.listed_catalogs(level);
        for catalog in &listed {
            if let Ok(reference) = Reference::parse(&catalog.written, &catalog.directory) {
                let resolved = reference.resolved(&*self.files).unwrap_or(reference);
                self.catalogs.reference(&[resolved]);
            }
        }
        self.catalogs.layers.insert(level.id, listed);
    }

    fn listed_catalogs(&self, level: &Level<'_>) -> Vec<ListedCatalog> {
        let list = level.kustomization().catalogs.as_ref();
        let items = list.and_then(Node::items).unwrap_or_default();
        let listed = items.iter().filter_map(|item| {
            let file = self.memory.sources.path(item.mark.source);
            let file = file.unwrap_or(level.target.file.as_str()).to_owned();
            Some(ListedCatalog {
                written: item.text()?.to_owned(),
                directory: level.root.path().to_owned(),
                file,
                mark: item.mark,
            })
        });
        listed.collect()
    }

    /// True when the layer's catalogs have something to say about an object: they define it, or cannot be asked.
    pub(in crate::evaluate) fn is_in_catalogs(
        &mut self,
        level: &Level<'_>,
        configured: &Configured,
    ) -> bool {
        !matches!(self.search(level, configured), Ok(Searched::Nothing { .. }))
    }

    /// The function that a trusted catalog names for an object; nothing when the layer has no catalogs.
    pub(in crate::evaluate) fn resolve_in_catalogs(
        &mut self,
        level: &Level<'_>,
        configured: &Configured,
    ) -> Result<Option<Resolved>, Refusal> {
        match self.search(level, configured)? {
            Searched::Found(found) => self.make(level, configured, &found).map(Some),
            Searched::Nothing { searched, others } => {
                let elsewhere = self.note_of_the_layer_above(level, configured);
                if searched.is_empty() && elsewhere.is_none() {
                    return Ok(None);
                }
                let phrase = not_found(&configured.config.id, &searched, &others);
                Err(Refusal::Invalid {
                    phrase: format!("{phrase}{}", elsewhere.unwrap_or_default()),
                    mark: None,
                })
            }
        }
    }

    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method alone is not general enough in its lifetimes"
    )]
    fn search(&mut self, level: &Level<'_>, configured: &Configured) -> Result<Searched, Refusal> {
        let listed = self.listed_catalogs(level);
        self.searching(&configured.config.id, &listed, |asked, cache| asked.run(cache))
    }

    /// The schema of a functionConfig, from the catalog that resolves it (A.6).
    pub(in crate::evaluate) fn schema_in_catalogs(
        &mut self,
        id: &ResId,
        listed: &[ListedCatalog],
        may_fetch: bool,
    ) -> KnownSchema {
        self.searching(id, listed, |searching, cache| searching.schema(cache, may_fetch))
    }

    fn searching<T>(
        &mut self,
        id: &ResId,
        listed: &[ListedCatalog],
        ask: impl FnOnce(&Searching<'_>, &mut CatalogCache) -> T,
    ) -> T {
        let remote = self.ports.remote.clone();
        let ports = CatalogPorts { files: &*self.files, artifacts: remote.artifacts() };
        let trust = &self.options.trust;
        let current = &*self.current;
        ask(&Searching { id, listed, trust, ports, current }, &mut self.catalogs.cache)
    }

    fn make(
        &self,
        level: &Level<'_>,
        configured: &Configured,
        found: &Found,
    ) -> Result<Resolved, Refusal> {
        let remote = self.ports.remote.clone();
        let making = Making {
            id: &configured.config.id,
            config: &configured.config.node,
            directory: level.root.path(),
            policy: self.options.pins,
            ports: CatalogPorts { files: &*self.files, artifacts: remote.artifacts() },
        };
        making.function(found)
    }

    /// D-B5: a component's catalogs are its own; when those of the layer that includes it would have had the
    /// function, the message says so.
    fn note_of_the_layer_above(
        &mut self,
        level: &Level<'_>,
        configured: &Configured,
    ) -> Option<&'static str> {
        let layer = self.recorder.layers.get(level.id.0)?;
        let parent = layer.parent.filter(|_| layer.kind == LayerKind::Component)?;
        let gvk = &configured.config.id.gvk;
        let listed = self.catalogs.layers.get(&parent)?.clone();
        let remote = self.ports.remote.clone();
        let ports = CatalogPorts { files: &*self.files, artifacts: remote.artifacts() };
        let has_it = listed.iter().any(|catalog| {
            let reference = Reference::parse(&catalog.written, &catalog.directory).ok();
            let reference = reference.and_then(|reference| reference.resolved(ports.files).ok());
            let Some(reference) = reference else { return false };
            // Only what is at hand is looked into: a message is not worth a connection.
            let opened = if reference.is_remote() {
                self.catalogs.cache.known(&reference)
            } else {
                self.catalogs.cache.open(&reference, None, ports).ok()
            };
            opened.is_some_and(|opened| {
                opened.catalog.find(&gvk.group, &gvk.version, &gvk.kind).is_some()
            })
        });
        has_it.then_some("; catalogs of the including kustomization are not used for components")
    }

    /// D-B9: a trusted catalog that nobody references is not used, and the user should know.
    pub(in crate::evaluate) fn warn_of_unused_trust(&mut self) {
        for written in self.options.trust.unused(&self.catalogs.referenced) {
            self.warnings.push(BuildWarning::UnusedTrust(written.to_string()));
        }
    }
}
