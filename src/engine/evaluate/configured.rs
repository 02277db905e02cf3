//! An object that configures a plugin, built in or not.

use crate::load::{LoadedFile, Root};
use crate::manifest::{Builtin, Marked};
use crate::resource::Resource;
use crate::yaml::Mark;

use super::StepKind;
use super::level::ActiveLayer;
use super::step::Step;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PluginUse {
    Generator,
    Transformer,
    Validator,
    Composition,
}

impl PluginUse {
    pub(super) fn field(self) -> &'static str {
        match self {
            Self::Generator => "generators",
            Self::Transformer | Self::Composition => "transformers",
            Self::Validator => "validators",
        }
    }
}

#[derive(Clone)]
pub(super) struct PluginConfig<'l> {
    pub(super) level: &'l ActiveLayer<'l>,
    pub(super) usage: PluginUse,
    pub(super) config: Resource,
    pub(super) mark: Mark,
    /// A Composition that the entry names in place of an object (KEP-2299).
    pub(super) composition: Option<Box<ReferencedComposition>>,
}

impl<'l> PluginConfig<'l> {
    pub(super) fn new(
        level: &'l ActiveLayer<'l>,
        usage: PluginUse,
        config: Resource,
        mark: Mark,
    ) -> Self {
        Self { level, usage, config, mark, composition: None }
    }

    pub(super) fn is_builtin(&self) -> bool {
        self.config.id.gvk.group.is_empty() && &*self.config.id.gvk.version == "builtin"
    }

    pub(super) fn heading(&self) -> Step {
        let kind = match self.usage {
            PluginUse::Generator => StepKind::Generate,
            PluginUse::Transformer | PluginUse::Composition => StepKind::ExternalTransform,
            PluginUse::Validator => StepKind::Validate,
        };
        let id = &self.config.id;
        let builtin = self.is_builtin().then(|| Builtin::from_kind(&id.gvk.kind)).flatten();
        let heading = self.level.heading(kind, &id.gvk.kind, &*id.name, self.mark);
        heading.in_field(self.usage.field()).with_builtin(builtin)
    }
}

#[derive(Clone, Debug)]
pub(super) struct ReferencedComposition {
    pub(super) entry: Marked<String>,
    pub(super) root: Root,
    pub(super) file: LoadedFile,
}
