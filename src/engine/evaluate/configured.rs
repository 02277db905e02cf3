//! An object that configures a plugin, built in or not.

use crate::load::{LoadedFile, Root};
use crate::manifest::{Builtin, Marked};
use crate::resource::Resource;
use crate::yaml::Mark;

use super::StepKind;
use super::level::ActiveLayer;
use super::step::Step;

#[derive(Clone, Debug)]
pub(super) struct PluginConfig {
    pub(super) config: Resource,
    pub(super) mark: Mark,
    /// A Composition that the entry names in place of an object (KEP-2299).
    pub(super) composition: Option<Box<ReferencedComposition>>,
}

impl PluginConfig {
    pub(super) fn new(config: Resource, mark: Mark) -> Self {
        Self { config, mark, composition: None }
    }
}

/// True for a configuration with `apiVersion: builtin`.
pub(super) fn is_builtin(config: &Resource) -> bool {
    config.id.gvk.group.is_empty() && &*config.id.gvk.version == "builtin"
}

pub(super) fn plugin_heading(
    level: &ActiveLayer<'_>,
    configured: &PluginConfig,
    kind: StepKind,
    field: &'static str,
) -> Step {
    let id = &configured.config.id;
    let builtin =
        is_builtin(&configured.config).then(|| Builtin::from_kind(&id.gvk.kind)).flatten();
    level
        .heading(kind, &id.gvk.kind, &*id.name, configured.mark)
        .in_field(field)
        .with_builtin(builtin)
}

#[derive(Clone, Debug)]
pub(super) struct ReferencedComposition {
    pub(super) entry: Marked<String>,
    pub(super) root: Root,
    pub(super) file: LoadedFile,
}
