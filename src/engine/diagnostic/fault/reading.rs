//! What a text was read or written for that could not be.

use super::{Around, Fault};

/// What a text is for, in Kustomize's words.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Reading {
    /// The target of the build: as it was asked for.
    #[error("cannot build '{0}'")]
    Target(Box<str>),
    /// A Composition that is to be shown as one list: as it was asked for.
    #[error("cannot consolidate '{0}'")]
    ConsolidatedTarget(Box<str>),
    /// An entry of `resources`.
    #[error("accumulating resources from '{0}'")]
    Resources(Box<str>),
    /// A file of an entry of `resources`.
    #[error("MalformedYAMLError")]
    ResourceFile,
    /// An entry of `components`.
    #[error("accumulating components")]
    Components,
    /// A kustomization file: its directory.
    #[error("Failed to read kustomization file under {0}")]
    Kustomization(Box<str>),
    /// A file of `configurations`: its entry.
    #[error("loading configurations [{0}]")]
    Configuration(Box<str>),
    /// A file of `crds`: its entry.
    #[error("loading CRDs [{0}]")]
    Crds(Box<str>),
    /// The file of a patch: its path.
    #[error("failed to get the patch file from path({0})")]
    Patch(Box<str>),
    /// An entry of `patchesStrategicMerge` that is one line.
    #[error("patch file")]
    PatchFile,
    /// An entry of `patchesStrategicMerge` that has several lines, and is no patch either: why not.
    #[error("{0}")]
    PatchText(Box<Fault>),
    /// The file of an entry of `patchesJson6902`: its path.
    #[error("{0}")]
    Operations(Box<str>),
    /// The file of an entry of `replacements`.
    #[error("replacements")]
    Replacements,
    /// The schema of `openapi`.
    #[error("openapi")]
    OpenApi,
    /// The sources of a generator.
    #[error(transparent)]
    Pairs(Box<Around>),
    /// The field `targetFilePath` of a plugin.
    #[error("targetFilePath")]
    TargetFilePath,
    /// The field `argsFromFile` of a plugin.
    #[error("loading argsFromFile")]
    ArgsFromFile,
    /// The configuration of a plugin, which is written for it: its id.
    #[error("marshalling yaml from res {0}")]
    Configured(Box<str>),
    /// Resources, which are written for a program.
    #[error("printing for a plugin")]
    PluginInput,
    /// What a program printed.
    #[error("reading a plugin's output")]
    PluginOutput,
    /// The field `additionalValuesFiles` of a chart.
    #[error("could not load additionalValuesFile")]
    ValuesFile,
    /// The values of a chart, which are written for helm.
    #[error("could not write the values")]
    Values,
    /// What helm printed.
    #[error("could not parse bytes into resource map")]
    RenderedChart,
    /// A resource, which is written to be hashed: its id.
    #[error("hashing {0}")]
    Hashed(Box<str>),
    /// A file of a Composition: its directory.
    #[error("invalid Composition at path {0}")]
    Composition(Box<str>),
    /// A Composition that leads to itself: its file.
    #[error("composition '{0}'")]
    ComposedAgain(Box<str>),
    /// An entry of a Composition, or its text.
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
    /// `transformers`
    pub field: &'static str,
    /// Its number in that field.
    pub index: usize,
    /// What it names; nothing for its own text.
    pub path: Option<String>,
}

impl Reading {
    /// An entry of a Composition, with what it names.
    pub fn entry(field: &'static str, index: usize, path: Option<&str>) -> Self {
        Self::Entry(Box::new(ListedEntry { field, index, path: path.map(str::to_owned) }))
    }

    /// What Kustomize puts between it and the cause.
    pub fn apart(&self) -> &'static str {
        match self {
            Self::Kustomization(_) => ":\n",
            _ => ": ",
        }
    }
}
