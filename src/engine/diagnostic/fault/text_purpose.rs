//! The purpose of a text that cannot be read or written.

use super::{FailedOperation, Fault};

/// The purpose of a text, in Kustomize's words.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TextPurpose {
    #[error("cannot build '{0}'")]
    Target(Box<str>),
    #[error("cannot consolidate '{0}'")]
    ConsolidatedTarget(Box<str>),
    #[error("accumulating resources from '{0}'")]
    Resources(Box<str>),
    #[error("MalformedYAMLError")]
    ResourceFile,
    #[error("accumulating components")]
    Components,
    #[error("Failed to read kustomization file under {0}")]
    Kustomization(Box<str>),
    #[error("loading configurations [{0}]")]
    Configuration(Box<str>),
    #[error("loading CRDs [{0}]")]
    Crds(Box<str>),
    #[error("failed to get the patch file from path({0})")]
    Patch(Box<str>),
    #[error("patch file")]
    PatchFile,
    /// The error of a `patchesStrategicMerge` entry of several lines that is not a patch.
    #[error("{0}")]
    PatchText(Box<Fault>),
    /// The path of a `patchesJson6902` entry.
    #[error("{0}")]
    Operations(Box<str>),
    #[error("replacements")]
    Replacements,
    #[error("openapi")]
    OpenApi,
    #[error(transparent)]
    Pairs(Box<FailedOperation>),
    #[error("targetFilePath")]
    TargetFilePath,
    #[error("loading argsFromFile")]
    ArgsFromFile,
    #[error("marshalling yaml from res {0}")]
    Configured(Box<str>),
    #[error("printing for a plugin")]
    PluginInput,
    #[error("reading a plugin's output")]
    PluginOutput,
    #[error("could not load additionalValuesFile")]
    ValuesFile,
    #[error("could not write the values")]
    Values,
    #[error("could not parse bytes into resource map")]
    RenderedChart,
    #[error("hashing {0}")]
    Hashed(Box<str>),
    #[error("invalid Composition at path {0}")]
    Composition(Box<str>),
    #[error("composition '{0}'")]
    ComposedAgain(Box<str>),
    #[error(transparent)]
    Entry(Box<ListedEntry>),
}

/// An entry of a Composition.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "{field}[{index}]{}",
    path.as_ref().map(|path| format!(" '{path}'")).unwrap_or_default()
)]
pub struct ListedEntry {
    /// The name of the list, such as `transformers`.
    pub field: &'static str,
    pub index: usize,
    /// The path of the entry; `None` for an inline entry.
    pub path: Option<String>,
}

impl TextPurpose {
    /// An entry of a Composition, with its path.
    pub fn entry(field: &'static str, index: usize, path: Option<&str>) -> Self {
        Self::Entry(Box::new(ListedEntry { field, index, path: path.map(str::to_owned) }))
    }

    /// Kustomize's separator between the purpose and the cause.
    pub fn separator(&self) -> &'static str {
        match self {
            Self::Kustomization(_) => ":\n",
            _ => ": ",
        }
    }
}
