//! An object that configures a plugin, built in or not.

use crate::load::{Loaded, Root};
use crate::manifest::{Builtin, Placed};
use crate::resource::Resource;
use crate::yaml::Mark;

use super::StepKind;
use super::heading::Heading;
use super::level::Level;

/// One object that configures a plugin.
#[derive(Clone, Debug)]
pub(super) struct Configured {
    pub(super) config: Resource,
    pub(super) mark: Mark,
    /// No object at all: a Composition that the entry names (KEP-2299).
    pub(super) composition: Option<Box<Referenced>>,
}

impl Configured {
    /// An object and its location.
    pub(super) fn of(config: Resource, mark: Mark) -> Self {
        Self { config, mark, composition: None }
    }
}

/// `apiVersion: builtin`
pub(super) fn is_builtin(config: &Resource) -> bool {
    config.id.gvk.group.is_empty() && &*config.id.gvk.version == "builtin"
}

pub(super) fn plugin_heading(
    level: &Level<'_>,
    configured: &Configured,
    kind: StepKind,
    field: &'static str,
) -> Heading {
    let id = &configured.config.id;
    let builtin = is_builtin(&configured.config).then(|| Builtin::of(&id.gvk.kind)).flatten();
    level.heading(kind, &id.gvk.kind, &*id.name, configured.mark).in_field(field).by(builtin)
}

/// A Composition that an entry names.
#[derive(Clone, Debug)]
pub(super) struct Referenced {
    pub(super) entry: Placed<String>,
    pub(super) root: Root,
    pub(super) file: Loaded,
}
