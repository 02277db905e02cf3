//! Kustomize's own generators and transformers.

mod build_metadata;
mod config_map;
mod field_walk;
mod hash;
mod iam_policy;
mod images;
mod json_patch;
mod json_values;
mod local_config;
mod metadata;
mod names;
mod namespace;
mod patch;
mod references;
mod replacements;
mod replicas;
mod sort;
mod step_cache;
mod strategic_merge;
mod substitute;
mod unwritten;
mod value_add;
mod vars;

pub use build_metadata::{
    FinalAnnotations, ORIGIN, TRANSFORMATIONS, origin_annotations, origin_text, program_input_tree,
    take_origin_annotations,
};
pub use config_map::DataGenerator;
pub use field_walk::{FieldSpecPath, split_path};
pub use hash::HashTransformer;
pub use iam_policy::IamPolicyGenerator;
pub use json_patch::{JsonPatch, ReplacedCollection};
pub use local_config::DropLocalConfig;
pub use metadata::{PairsTransformer, label_specs};
pub(crate) use names::is_never_renamed;
pub use names::{AffixTransformer, Affixes};
pub use namespace::NamespaceTransformer;
pub use patch::{PatchText, PatchTransformer};
pub use references::NameReferences;
pub use replacements::ReplacementTransformer;
pub use sort::SortOrderTransformer;
pub use step_cache::{StepCache, StepEffects, StepInputs};
pub use strategic_merge::{DeletedKeys, MergeResult, merge_resource};
pub use substitute::{SubstituteVariables, UnknownVariables, expand_known, variable_names};
pub use unwritten::UnwrittenField;
pub use value_add::ValueAddTransformer;
pub use vars::{ReplaceVars, VarSet};

use std::sync::Arc;

use crate::diagnostic::{
    Diagnostic, FailedOperation, Fault, FieldFault, Hint, TextPurpose, UnwrittenCause, WithheldStep,
};
use crate::load::{LoadError, Root, SourceNumbers};
use crate::manifest::{Builtin, FieldSpec, ManifestError, Marked, PlainEntry};
use crate::profile::Profile;
use crate::resource::{
    Gvk, NotAResource, ResMap, ResMapError, Resource, SchemaInForce, SelectorError, Slot,
};
use crate::yaml::{Mark, Node, NodeKind, YamlError};

/// The inputs and results of a transformer besides the resources.
pub struct Context<'a> {
    pub profile: Profile,
    pub schema: &'a SchemaInForce,
    /// Assigns numbers to the files that a step reads.
    pub sources: &'a mut SourceNumbers,
    /// The mark of all values that this step writes: the line that configures it, and the step.
    pub mark: Mark,
    /// The number of resources that the step matched; 0 without a change means no match.
    pub matched: usize,
    pub warnings: Vec<Diagnostic>,
    pub derived: Vec<DerivedValue>,
    pub removed: Vec<RemovedValue>,
    /// The effect of the step on each resource in an earlier build; `None` if no later build will
    /// use it.
    pub recall: Option<StepCache>,
}

impl<'a> Context<'a> {
    /// The context of a step that writes with this mark, without a cache.
    pub fn new(
        profile: Profile,
        schema: &'a SchemaInForce,
        sources: &'a mut SourceNumbers,
        mark: Mark,
    ) -> Self {
        Self {
            profile,
            schema,
            sources,
            mark,
            matched: 0,
            warnings: Vec::new(),
            derived: Vec::new(),
            removed: Vec::new(),
            recall: None,
        }
    }
}

/// A value or resource that a step's configuration removes, and the mark of that configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedValue {
    pub slot: Slot,
    /// The path of keys to the value; empty if the resource itself is removed.
    pub path: Vec<Arc<str>>,
    /// The merge key values that identify the removed list element.
    pub names: Vec<Arc<str>>,
    /// The location of `replicas: null`, `$patch: delete` or `op: remove`.
    pub mark: Mark,
}

/// Additional sources of a written value, besides the text at its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedValue {
    /// The resource with the field; `None` for all values that the step wrote.
    pub slot: Option<Slot>,
    /// The key of the field. Needed if values with another key can have the same mark, as the name
    /// and namespace of a reference.
    pub key: Option<&'static str>,
    pub mark: Mark,
    pub from: Vec<ValueSource>,
}

/// Where a part of a written value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// The earlier value of the field, or a part of it.
    PreviousValue,
    /// Another text in the step's configuration, at this location.
    Place(Mark),
    /// A field of a resource: the source of a replacement or a var, the name of a referenced
    /// resource.
    Field {
        slot: Slot,
        /// The path as configured, `metadata.name`.
        path: Arc<str>,
    },
    /// A hash of the content of the resource.
    Content,
}

/// The outcome of a change in place.
pub type TransformResult = Result<(), TransformError>;

/// Changes resources in place (Kustomize: `resmap.Transformer`).
pub trait Transformer: std::fmt::Debug + Send + Sync {
    /// Changes all resources that it matches.
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult;

    /// The inputs from which the transformer was made, if it works on single resources with
    /// [`Context::apply_or_reuse`].
    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        None
    }

    /// The reason why the transformer did not write a field of a resource; `None` if it does not
    /// apply to the field or resource.
    fn why_unwritten(&self, _asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        None
    }

    /// The paths that the transformer can write in a resource, each as keys with `*` for any
    /// element of a list; `None` if it can write any field.
    fn writable_paths(&self, _resource: &Resource) -> Option<Vec<Vec<String>>> {
        None
    }

    /// The names in the fields of a resource that refer to resources of the type `referred`; empty
    /// for a transformer that updates no references.
    fn referring_names<'r>(&self, _referrer: &'r Resource, _referred: &Gvk) -> Vec<&'r Node> {
        Vec::new()
    }
}

/// A transformer of one entry, with the name of its step.
pub type NamedTransformer = (String, Box<dyn Transformer>);

/// The transformers of the plain entries of a built-in plugin's field, in order; empty for a plugin
/// whose field is not a list of plain entries.
pub fn plain_transformers(
    builtin: Builtin,
    entries: &[Marked<PlainEntry>],
    specs: &[FieldSpec],
    profile: Profile,
) -> Vec<NamedTransformer> {
    if builtin == Builtin::ImageTagTransformer {
        images::transformers(entries, specs, profile)
    } else if builtin == Builtin::ReplicaCountTransformer {
        entries.iter().map(|entry| replicas::transformer(&entry.value, specs)).collect()
    } else {
        Vec::new()
    }
}

/// Makes resources (Kustomize: `resmap.Generator`).
pub trait Generator: std::fmt::Debug + Send + Sync {
    /// The new resources. Files are read below `root`.
    fn generate(&self, root: &Root, cx: &mut Context<'_>) -> Result<Vec<Resource>, TransformError>;
}

/// The reason why a generator or transformer failed. The message of each variant ends with
/// Kustomize's innermost error text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TransformError {
    /// The configuration, or the content of a resource, cannot be processed.
    #[error("{fault}")]
    Fault {
        fault: Box<Fault>,
        /// The location of the configuration, or of the node in the resource.
        mark: Mark,
        hint: Option<Box<Hint>>,
    },
    #[error(transparent)]
    Manifest(Box<ManifestError>),
    #[error("{reading}: {source}")]
    Load {
        reading: TextPurpose,
        /// The location of the entry that refers to the file.
        mark: Mark,
        #[source]
        source: LoadError,
    },
    #[error("{reading}: {source}")]
    Yaml {
        reading: TextPurpose,
        mark: Mark,
        #[source]
        source: YamlError,
    },
    /// The step is pending, because something is not fetched, trusted or run. This is not an error
    /// of the build.
    #[error("{what}")]
    Waiting {
        /// The input that is not run or fetched, and the reason.
        what: WithheldStep,
        mark: Mark,
    },
    #[error(transparent)]
    ResMap(#[from] ResMapError),
    #[error(transparent)]
    Selector(#[from] SelectorError),
}

impl From<NotAResource> for TransformError {
    fn from(error: NotAResource) -> Self {
        let (mark, hint) = (error.mark, error.hint().map(Hint::from));
        Self::fault(error, mark).with_hint_if(hint)
    }
}

impl TransformError {
    /// The error of a node of the wrong kind.
    pub fn wrong_kind(expected: NodeKind, node: &Node) -> Self {
        Self::fault(FieldFault::wrong_kind(expected, node), node.mark)
    }

    /// A fault at a location.
    pub fn fault(fault: impl Into<Fault>, mark: Mark) -> Self {
        Self::Fault { fault: Box::new(fault.into()), mark, hint: None }
    }

    /// Sets the hint of a fault; any other error is unchanged.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<Hint>) -> Self {
        self.with_hint_if(Some(hint))
    }

    /// Adds a hint, if any.
    #[must_use]
    pub fn with_hint_if(self, hint: Option<impl Into<Hint>>) -> Self {
        match (self, hint) {
            (Self::Fault { fault, mark, .. }, Some(hint)) => {
                Self::Fault { fault, mark, hint: Some(Box::new(hint.into())) }
            }
            (other, _) => other,
        }
    }

    /// Adds the failed operation as the context of the error.
    #[must_use]
    pub fn within(self, around: FailedOperation) -> Self {
        match self {
            Self::Fault { fault, mark, hint } => {
                Self::Fault { fault: Box::new(fault.within(around)), mark, hint }
            }
            other => other,
        }
    }
}

impl From<ManifestError> for TransformError {
    fn from(error: ManifestError) -> Self {
        Self::Manifest(Box::new(error))
    }
}
