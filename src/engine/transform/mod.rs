//! Kustomize's own generators and transformers.

mod build_metadata;
mod config_map;
mod field_walk;
mod hash;
mod iam_policy;
mod image_names;
mod image_pattern;
mod images;
mod json_patch;
mod json_values;
mod local_config;
mod metadata;
mod names;
mod namespace;
mod patch;
mod patch_text;
mod references;
mod replacements;
mod replicas;
mod set_field;
mod sort;
mod strategic_merge;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trial;
mod value_add;
mod vars;

pub use build_metadata::{
    FinalAnnotations, ORIGIN, TRANSFORMATIONS, origin_text, transformations_text,
};
pub use config_map::{ConfigMapGenerator, SecretGenerator};
pub use field_walk::FieldPath;
pub use hash::HashTransformer;
pub use iam_policy::IamPolicyGenerator;
pub use images::ImageTagTransformer;
pub use json_patch::JsonPatch;
pub use local_config::DropLocalConfig;
pub use metadata::{AnnotationsTransformer, LabelTransformer, label_specs};
pub use names::{PrefixTransformer, SuffixTransformer};
pub use namespace::NamespaceTransformer;
pub use patch::PatchTransformer;
pub use patch_text::PatchText;
pub use references::NameReferences;
pub use replacements::ReplacementTransformer;
pub use replicas::ReplicaCountTransformer;
pub use sort::SortOrderTransformer;
pub use strategic_merge::{Merged, merge_resource};
pub use value_add::ValueAddTransformer;
pub use vars::{ReplaceVars, VarSet};

use crate::engine::load::{LoadError, Root, Sources};
use crate::engine::resource::{ResMap, ResMapError, Resource, SchemaInForce, SelectorError};
use crate::engine::yaml::{Mark, YamlError};

/// What a transformer works with besides the resources.
pub struct Context<'a> {
    /// The schema in force.
    pub schema: &'a SchemaInForce,
    /// The files of the build by number, for what a step reads itself.
    pub sources: &'a mut Sources,
    /// The mark of everything that this step writes: the line that configures it, and the step.
    pub mark: Mark,
    /// How many resources the step was for; with no change and none matched, it matched nothing.
    pub matched: usize,
    /// What the user should know although nothing failed.
    pub warnings: Vec<Warning>,
}

/// Something that the user should know although nothing failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A stable code, `KZ101` and up.
    pub code: &'static str,
    /// What is the case, in one sentence.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where.
    pub mark: Mark,
}

/// Changes resources in place (Kustomize: `resmap.Transformer`).
pub trait Transformer: std::fmt::Debug + Send + Sync {
    /// Works on all resources that it is for.
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>)
    -> Result<(), TransformError>;
}

/// Makes resources (Kustomize: `resmap.Generator`).
pub trait Generator: std::fmt::Debug + Send + Sync {
    /// The new resources. Files are read below `root`.
    fn generate(&self, root: &Root, cx: &mut Context<'_>) -> Result<Vec<Resource>, TransformError>;
}

/// Why a generator or transformer failed. Each variant's text ends in Kustomize's innermost phrase.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TransformError {
    /// A plain phrase with the place that it is about.
    #[error("{phrase}")]
    Phrase {
        /// Kustomize's words.
        phrase: String,
        /// Where: the configuration, or the node of the resource.
        mark: Mark,
        /// What to do, where that is known.
        hint: Option<String>,
    },
    /// A file could not be read.
    #[error("{phrase}: {source}")]
    Load {
        /// What it was for.
        phrase: String,
        /// Where the file is named.
        mark: Mark,
        /// The cause.
        #[source]
        source: LoadError,
    },
    /// A file is not YAML.
    #[error("{phrase}: {source}")]
    Yaml {
        /// What it was for.
        phrase: String,
        /// Which file.
        mark: Mark,
        /// The cause.
        #[source]
        source: YamlError,
    },
    /// It needs something that nobody asked for yet: the step waits, and nothing is wrong.
    #[error("{why}")]
    Waiting {
        /// What is not run or fetched, and why.
        why: String,
        /// What needs it.
        mark: Mark,
    },
    /// Ids clash.
    #[error(transparent)]
    ResMap(#[from] ResMapError),
    /// A selector is not one.
    #[error(transparent)]
    Selector(#[from] SelectorError),
}

impl TransformError {
    /// A phrase without a hint.
    pub fn phrase(phrase: impl Into<String>, mark: Mark) -> Self {
        Self::Phrase { phrase: phrase.into(), mark, hint: None }
    }
}
