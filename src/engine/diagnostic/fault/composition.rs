//! Errors of Compositions.

use crate::diagnostic::joined;

use super::composition_problem::{CompositionProblem, did_you_mean};

/// The error of a Composition that cannot be consolidated. An `id` in a variant is the id of one of
/// its transformers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionFault {
    #[error("composition.yaml is empty")]
    Empty,
    #[error(
        "invalid Composition at path {0}: kind should be Composition, got '{1}'; a {1} must be in kustomization.yaml"
    )]
    WrongKind(String, String),
    #[error("invalid Composition at path {directory}{}", joined(problems, ""))]
    Invalid { directory: String, problems: Vec<CompositionProblem> },
    #[error(
        "\"{id}\" is imported twice: {first} and {second}; render the shared Composition with a ResourceAccumulator, or name the instances differently"
    )]
    ImportedTwice { id: String, first: String, second: String },
    #[error(
        "importing composition \"{path}\" resulted in duplicate \"{id}\" transformer; it is also defined by {other}"
    )]
    DuplicateImport { path: String, id: String, other: String },
    #[error(
        "transformers field is invalid: list contains multiple \"{0}\" transformers; set metadata.name on one of them"
    )]
    Duplicate(String),
    #[error(
        "no transformer found for override \"{0}\"; overrides apply to imported transformers, edit the entry in 'transformers' instead"
    )]
    OverridesOwn(String),
    #[error("no transformer found for override \"{id}\"{}", imported_suffix(near))]
    OverridesNothing { id: String, near: Vec<String> },
    #[error("override \"{0}\": unknown patch strategy '{1}'")]
    UnknownStrategy(String, String),
    #[error("list contains multiple \"{0}\" transformers")]
    OrderRepeats(String),
    #[error("transformer order list contains too many entries; unknown: {}", quoted(.0))]
    OrderTooLong(Vec<String>),
    #[error("transformer order list contains too few entries; missing: {}", quoted(.0))]
    OrderTooShort(Vec<String>),
    #[error(
        "transformerOrder[{index}]: multiple entries matched: {}; add kind or apiVersion",
        quoted(ids)
    )]
    OrderAmbiguous { index: usize, ids: Vec<String> },
    #[error("unable to find position for transformer \"{0}\": multiple entries matched")]
    SeveralPositions(String),
    #[error(
        "transformerOrder[{index}]: no match found for \"{item}\"{}",
        did_you_mean(near.as_deref(), "\"")
    )]
    OrderUnknown { index: usize, item: String, near: Option<String> },
    #[error("{0}[{1}]: no configuration in it")]
    NoConfiguration(&'static str, usize),
    #[error("transformers[{0}]: '{1}' holds a Composition; import it with transformersFrom")]
    ListedComposition(usize, String),
    #[error(
        "transformersFrom[{0}]: '{1}' is not a Composition file; expected a directory or a file named composition.yaml"
    )]
    NotACompositionFile(usize, String),
    #[error(
        "cannot import transformers from a Kustomization; use a ResourceAccumulator or an inline Kustomization"
    )]
    ImportedKustomization,
    #[error("unable to find one of 'composition.yaml' or 'composition.yml' in directory '{0}'")]
    NoComposition(String),
    #[error("Found multiple kustomization files under: {directory} ({})", names.join(", "))]
    SeveralFiles { directory: String, names: Vec<String> },
    #[error("'{0}' holds a Kustomization; only a Composition is consolidated")]
    NotAComposition(String),
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    names.join(", ")
}

fn imported_suffix(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; imported: {}", names.join(", ")) }
}
