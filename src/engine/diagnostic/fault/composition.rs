//! What is wrong with a Composition.

use super::composition_problem::CompositionProblem;

/// Why a Composition cannot be consolidated. An *id* is that of one of its transformers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionFault {
    /// Nothing is in it.
    #[error("composition.yaml is empty")]
    Empty,
    /// A file with its name is something else: the directory, and the kind.
    #[error(
        "invalid Composition at path {0}: kind should be Composition, got '{1}'; a {1} must be in kustomization.yaml"
    )]
    Kind(String, String),
    /// What is wrong in one file, a line each.
    #[error("invalid Composition at path {directory}{}", problems.iter().map(ToString::to_string).collect::<String>())]
    Invalid {
        /// Its directory.
        directory: String,
        /// All that is wrong.
        problems: Vec<CompositionProblem>,
    },
    /// One and the same entry comes along two ways: its id, and both ways.
    #[error(
        "\"{id}\" is imported twice: {first} and {second}; render the shared Composition with a ResourceAccumulator, or name the instances differently"
    )]
    ImportedTwice {
        /// The id.
        id: String,
        /// One way.
        first: String,
        /// The other.
        second: String,
    },
    /// An imported entry has the id of another one.
    #[error(
        "importing composition \"{path}\" resulted in duplicate \"{id}\" transformer; it is also defined by {other}"
    )]
    DuplicateImport {
        /// What is imported.
        path: String,
        /// The id.
        id: String,
        /// Where the other one is listed.
        other: String,
    },
    /// Two of the Composition's own entries have one id.
    #[error(
        "transformers field is invalid: list contains multiple \"{0}\" transformers; set metadata.name on one of them"
    )]
    Duplicate(String),
    /// An override is of something that the Composition lists itself.
    #[error(
        "no transformer found for override \"{0}\"; overrides apply to imported transformers, edit the entry in 'transformers' instead"
    )]
    OverridesOwn(String),
    /// An override is of nothing that is imported.
    #[error("no transformer found for override \"{id}\"{}", imported(near))]
    OverridesNothing {
        /// The id.
        id: String,
        /// Ids of imported entries that look like it.
        near: Vec<String>,
    },
    /// An override says `$patch:` with another word: the id, and the word.
    #[error("override \"{0}\": unknown patch strategy '{1}'")]
    UnknownStrategy(String, String),
    /// The order names an entry twice.
    #[error("list contains multiple \"{0}\" transformers")]
    OrderRepeats(String),
    /// The order names more entries than there are: those that it does not know.
    #[error("transformer order list contains too many entries; unknown: {}", quoted(.0))]
    OrderTooLong(Vec<String>),
    /// Entries have no place in the order.
    #[error("transformer order list contains too few entries; missing: {}", quoted(.0))]
    OrderTooShort(Vec<String>),
    /// An item of the order could be several entries.
    #[error(
        "transformerOrder[{index}]: multiple entries matched: {}; add kind or apiVersion",
        quoted(ids)
    )]
    OrderAmbiguous {
        /// Its number.
        index: usize,
        /// Their ids.
        ids: Vec<String>,
    },
    /// Several items of the order could be one entry: its id.
    #[error("unable to find position for transformer \"{0}\": multiple entries matched")]
    SeveralPositions(String),
    /// An item of the order is no entry.
    #[error(
        "transformerOrder[{index}]: no match found for \"{item}\"{}",
        near.as_ref().map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default()
    )]
    OrderUnknown {
        /// Its number.
        index: usize,
        /// The item.
        item: String,
        /// What may have been meant.
        near: Option<String>,
    },
    /// A file that is listed has nothing in it: the field, and the number of the entry.
    #[error("{0}[{1}]: no configuration in it")]
    NoConfiguration(&'static str, usize),
    /// A Composition is listed where it would have to be imported: the number of the entry, and its text.
    #[error("transformers[{0}]: '{1}' holds a Composition; import it with transformersFrom")]
    ListedComposition(usize, String),
    /// A file that is no Composition is imported: the number of the entry, and its path.
    #[error(
        "transformersFrom[{0}]: '{1}' is not a Composition file; expected a directory or a file named composition.yaml"
    )]
    ImportedFile(usize, String),
    /// A Kustomization is imported.
    #[error(
        "cannot import transformers from a Kustomization; use a ResourceAccumulator or an inline Kustomization"
    )]
    ImportedKustomization,
    /// A directory without a Composition is imported.
    #[error("unable to find one of 'composition.yaml' or 'composition.yml' in directory '{0}'")]
    NoComposition(String),
    /// A directory has several files that can be built.
    #[error("Found multiple kustomization files under: {directory} ({})", names.join(", "))]
    SeveralFiles {
        /// The directory.
        directory: String,
        /// The files.
        names: Vec<String>,
    },
    /// What is to be consolidated is a Kustomization.
    #[error("'{0}' holds a Kustomization; only a Composition is consolidated")]
    NotAComposition(String),
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    names.join(", ")
}

fn imported(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; imported: {}", names.join(", ")) }
}
