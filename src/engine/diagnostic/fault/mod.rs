//! Why a build cannot do what is written: one value for each cause, with what it is about. Its text is Kustomize's
//! innermost phrase, or this program's own words where Kustomize crashes or knows nothing of the matter.

mod call;
mod catalog;
mod composition;
mod composition_problem;
mod field;
mod generator;
mod json_patch;
mod layer;
mod misfit;
mod own_profile;
mod patch;
mod plugin;
mod program;
mod reading;
mod refusal;
mod replacement;
mod resource;
mod result;
mod runtime;
mod script;
mod withheld;

pub use call::{CallCause, CallFault, ReplyCause};
pub use catalog::{CatalogCause, CatalogFault, CatalogProblem, Instead};
pub use composition::CompositionFault;
pub use composition_problem::{CompositionProblem, EntryCause, EntryFault};
pub use field::FieldFault;
pub use generator::{GeneratorFault, PairSources};
pub use json_patch::{JsonPatchFault, PatchPlace};
pub use layer::LayerFault;
pub use misfit::{Bound, BrokenRule, Counted, Misfit};
pub use own_profile::{ProfileCause, ProfileFault};
pub use patch::PatchFault;
pub use plugin::{PluginFault, ValuesFault};
pub use program::{HelmFault, ProgramEnd, ProgramError, byte_size, go_duration};
pub use reading::{ListedEntry, Reading};
pub use refusal::{MountRule, RefusalCause, Undigested, UnpinnedImage};
pub use replacement::{ReplacementFault, VarFault};
pub use resource::ResourceFault;
pub use result::{FunctionResult, ResourceRef, ResultSeverity};
pub use runtime::{RuntimeCause, RuntimeFault};
pub use script::{ScriptFault, ScriptLimit};
pub use withheld::Withheld;

use crate::resource::{NotAResource, ResMapError};
use crate::yaml::{Excess, YamlError};

/// A cause, by the subject that it belongs to.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// A path and the tree that it is walked along.
    #[error(transparent)]
    Field(FieldFault),
    /// A patch, or what it is merged with.
    #[error(transparent)]
    Patch(PatchFault),
    /// An operation of a JSON6902 patch.
    #[error(transparent)]
    JsonPatch(JsonPatchFault),
    /// What a generator is made from, or what it made.
    #[error(transparent)]
    Generator(GeneratorFault),
    /// A replacement.
    #[error(transparent)]
    Replacement(ReplacementFault),
    /// A var.
    #[error(transparent)]
    Var(VarFault),
    /// A resource, and what a transformer comes to with it.
    #[error(transparent)]
    Resource(ResourceFault),
    /// A file that is built, its kind, its schema, its limits.
    #[error(transparent)]
    Layer(LayerFault),
    /// A Composition.
    #[error(transparent)]
    Composition(CompositionFault),
    /// A plugin: built in, a program, a function, helm.
    #[error(transparent)]
    Plugin(PluginFault),
    /// A text is not YAML.
    #[error(transparent)]
    Yaml(YamlError),
    /// A document is no resource.
    #[error("{0}")]
    NotAResource(NotAResource),
    /// Two resources have one id.
    #[error(transparent)]
    Clash(Box<ResMapError>),
    /// A tree would grow beyond the limits.
    #[error(transparent)]
    Excess(#[from] Excess),
    /// A cause inside of something.
    #[error("{around}: {fault}")]
    Within {
        /// What was being done.
        around: Around,
        /// The cause.
        fault: Box<Fault>,
    },
}

/// What was being done when something went wrong, in Kustomize's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Around {
    /// A field of a resource was set: its path, and the resource.
    #[error("considering field '{0}' of object {1}")]
    Field(String, String),
    /// A part of a path.
    #[error("fieldName: {0}")]
    Segment(String),
    /// The elements of a list were walked along this path.
    #[error("visit traversal on path: {0}")]
    Elements(String),
    /// A field that refers to something by its name: its path, and the resource.
    #[error("updating name reference in '{0}' field of '{1}'")]
    Reference(String, String),
    /// The subjects of a binding got a namespace.
    #[error("setting namespace on (cluster)role binding subjects")]
    Subjects,
    /// The field was looked for that a replacement takes its value from.
    #[error("error looking up replacement source")]
    ReplacementSource,
    /// A field was looked for that a replacement writes to.
    #[error("unable to {} field {field:?} in replacement target", if *.create { "find or create" } else { "find" })]
    ReplacementTarget {
        /// Its path as it is written.
        field: String,
        /// Whether it may be made.
        create: bool,
    },
    /// Sources of keys and values were read.
    #[error("loading KV pairs: {kind} [{}]", entries.join(" "))]
    Pairs {
        /// Which field they stand in.
        kind: PairSources,
        /// All of them.
        entries: Vec<String>,
    },
    /// What a generator made was added to the resources.
    #[error("merging from generator")]
    Merging,
    /// Entries of a Composition were put into their order.
    #[error("failed to sort transformers")]
    Sorting,
    /// A plugin was to make resources.
    #[error("failed to load generator")]
    LoadingGenerator,
    /// The plugins of `generators` were loaded.
    #[error("loading generator plugins")]
    GeneratorPlugins,
    /// What helm printed was read as resources.
    #[error("could not parse rnode slice into resource map")]
    RenderedChart,
    /// A file was read for an entry.
    #[error("{0}")]
    File(String),
}

impl Fault {
    /// The cause inside of something.
    #[must_use]
    pub fn within(self, around: Around) -> Self {
        Self::Within { around, fault: Box::new(self) }
    }

    /// The cause itself, without what it was found in.
    pub fn innermost(&self) -> &Self {
        let mut fault = self;
        while let Self::Within { fault: inner, .. } = fault {
            fault = inner;
        }
        fault
    }
}

macro_rules! from {
    ($($variant:ident($from:ty)),+ $(,)?) => {
        $(impl From<$from> for Fault {
            fn from(fault: $from) -> Self {
                Self::$variant(fault)
            }
        })+
    };
}

from! {
    Field(FieldFault),
    Patch(PatchFault),
    JsonPatch(JsonPatchFault),
    Generator(GeneratorFault),
    Replacement(ReplacementFault),
    Var(VarFault),
    Resource(ResourceFault),
    Layer(LayerFault),
    Composition(CompositionFault),
    Plugin(PluginFault),
    Yaml(YamlError),
    NotAResource(NotAResource),
}

impl From<ResMapError> for Fault {
    fn from(error: ResMapError) -> Self {
        Self::Clash(Box::new(error))
    }
}
