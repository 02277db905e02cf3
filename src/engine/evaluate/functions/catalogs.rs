//! Resolves functions of a layer whose objects do not set a runtime, by the catalogs of the layer
//! (KEP-2906; B.3 to B.5 of the functions reference).

use std::path::Path;

use crate::evaluate::BuildWarning;
use crate::evaluate::build::Build;
use crate::evaluate::catalogs::{listed_catalogs, search_input};
use crate::evaluate::configured::PluginConfig;
use crate::evaluate::level::ActiveLayer;
use crate::evaluate::{LayerId, LayerKind};
use crate::plugin::{FunctionRef, ResolveContext, RunRefusal, SearchOutcome};

use super::not_built_in;

impl Build<'_> {
    /// Registers the catalogs of a layer. Reads no file: catalogs are read on demand (D-B7).
    pub(in crate::evaluate) fn note_catalogs(&mut self, level: &ActiveLayer<'_>) {
        let listed = listed_catalogs(level, &self.memory.sources);
        for catalog in &listed {
            if let Ok(reference) = catalog.reference(&*self.setup.files) {
                self.notes.catalog(&reference);
            }
        }
        self.catalogs.layers.insert(level.id, listed);
    }

    /// The function of a trusted catalog for an object, with warnings; `None` without catalogs.
    pub(in crate::evaluate) fn resolve_in_catalogs(
        &mut self,
        configured: &PluginConfig<'_>,
    ) -> Result<Option<(FunctionRef, Vec<String>)>, RunRefusal> {
        match self.search_catalogs(configured)? {
            SearchOutcome::Found(found) => {
                let making = ResolveContext {
                    id: &configured.config.id,
                    config: &configured.config.node,
                    directory: configured.level.root.path(),
                    policy: self.setup.options.pins,
                    ports: self.setup.catalog_ports(),
                    found: &found,
                };
                making.function().map(Some)
            }
            SearchOutcome::Nothing { searched, others } => {
                // D-B5: a component does not inherit the catalogs of the including layer, so the
                // error message mentions a function in them.
                let layer = self.recorder.layer(configured.level.id);
                let component = layer.filter(|layer| layer.kind == LayerKind::Component);
                let (id, parent) = (&configured.config.id, component.and_then(|it| it.parent));
                let elsewhere =
                    parent.is_some_and(|it| self.catalogs.has_function(it, id, &self.setup));
                if searched.is_empty() && !elsewhere {
                    return Ok(None);
                }
                let name = match &*id.gvk.group {
                    "" => id.gvk.kind.to_string(),
                    group => format!("{group}/{}", id.gvk.kind),
                };
                let others = others.iter().map(|(catalog, versions)| {
                    format!("; {catalog} has {name} in versions {}", versions.join(", "))
                });
                let elsewhere = if elsewhere {
                    "; catalogs of the including kustomization are not used for components"
                } else {
                    ""
                };
                Err(RunRefusal::invalid(format!(
                    "{}, no runtime given, and none of the catalogs defines it (searched: {}){}{elsewhere}",
                    not_built_in(id),
                    searched.join(", "),
                    others.collect::<String>()
                )))
            }
        }
    }

    pub(super) fn search_catalogs(
        &mut self,
        configured: &PluginConfig<'_>,
    ) -> Result<SearchOutcome, RunRefusal> {
        let listed = listed_catalogs(configured.level, &self.memory.sources);
        let root = self.recorder.layer(LayerId(0)).map(|layer| layer.path.clone());
        let root = root.as_deref().map_or(configured.level.root.path(), Path::new);
        let searched = (&self.setup, &mut self.catalogs.cache);
        search_input(&configured.config.id, &listed, root, searched).run()
    }

    pub(in crate::evaluate) fn warn_of_unused_trust(&mut self) {
        for written in self.setup.options.trust.unused(&self.notes.catalogs()) {
            self.notes.warn(BuildWarning::UnusedTrust(written.to_string()));
        }
    }
}
