//! Legacy exec plugins as generators and transformers (section 8.5).

use std::sync::Arc;

use crate::diagnostic::PluginFault;
use crate::load::Root;
use crate::plugin::{ExecPlugin, apply_answer, generated, resources_for_programs};
use crate::resource::{ResMap, Resource, Scopes, read_resources};
use crate::transform::{Context, Generator, TransformError, Transformer};
use crate::yaml::{Limits, Mark, SourceId, parse_documents};

use super::Ports;
use super::build::Build;
use super::configured::PluginConfig;

#[derive(Debug)]
pub(super) struct LegacyPlugin {
    plugin: ExecPlugin,
    ports: Ports,
    scopes: Arc<Scopes>,
}

impl Build<'_> {
    pub(super) fn legacy_plugin(
        &mut self,
        configured: &PluginConfig<'_>,
    ) -> Result<LegacyPlugin, TransformError> {
        self.notes.own.ran = true;
        let (level, programs) = (configured.level, self.setup.ports.programs.as_ref());
        let plugin = ExecPlugin::load(&configured.config, level.root, programs, configured.mark);
        let config = &configured.config.node;
        let is_script =
            config.text_of("kind") == Some("StarlarkRun") && config.get("source").is_some();
        let plugin = match plugin {
            Ok(plugin) => plugin,
            // Kustomize does not have `catalogs`: in such a file the author means a function.
            Err(error) if level.kustomization().catalogs.is_some() => {
                let searched = self.resolve_in_catalogs(configured).err();
                return Err(searched.map_or(error, |refusal| {
                    let fault = PluginFault::Refused(refusal.cause);
                    TransformError::fault(fault, configured.mark)
                }));
            }
            Err(error) if is_script => {
                return Err(error.with_hint(SCRIPT_OF_KPT_HINT));
            }
            Err(error) => return Err(error),
        };
        let (ports, scopes) = (self.setup.ports.clone(), self.carried.schemas.scopes.clone());
        Ok(LegacyPlugin { plugin, ports, scopes })
    }
}

const SCRIPT_OF_KPT_HINT: &str = "`source` is a field of kpt's image `starlark`: write the script into a file, and add \
                                  `runtime: {starlark: {path: FILE}}` (with --enable-alpha-plugins --enable-star)";

impl LegacyPlugin {
    /// The objects in the output of the program, lists expanded, each with a kind and a name.
    fn read(&self, output: &[u8], mark: Mark) -> Result<Vec<Resource>, TransformError> {
        let file =
            parse_documents(output, SourceId::NONE, Limits::default()).map_err(|source| {
                TransformError::Yaml { reading: "reading a plugin's output".into(), mark, source }
            })?;
        read_resources(&file, &self.scopes).map_err(|error| TransformError::fault(error, mark))
    }
}

impl Generator for LegacyPlugin {
    fn generate(&self, _: &Root, cx: &mut Context<'_>) -> Result<Vec<Resource>, TransformError> {
        let cancelled = || self.ports.cancel.is_cancelled();
        let programs = self.ports.programs.as_ref();
        let output = self.plugin.run(&[], programs, &cancelled, &mut cx.warnings)?;
        generated(&self.read(&output, cx.mark)?, &self.scopes, cx.mark)
    }
}

impl Transformer for LegacyPlugin {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        let cancelled = || self.ports.cancel.is_cancelled();
        let shown = resources_for_programs(resources);
        cx.matched = shown.len();
        let programs = self.ports.programs.as_ref();
        let output = self.plugin.run(&shown, programs, &cancelled, &mut cx.warnings)?;
        let returned = self.read(&output, cx.mark)?;
        let who = self.plugin.path.to_string_lossy();
        apply_answer(resources, &returned, &who, cx.mark)
    }
}
