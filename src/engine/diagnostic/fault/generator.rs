//! What is wrong with a generator.

/// Which sources of keys and values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairSources {
    /// `envs`
    #[error("env source files:")]
    Envs,
    /// `literals`
    #[error("literal sources")]
    Literals,
    /// `files`
    #[error("file sources:")]
    Files,
}

/// Why a generator cannot make what it is for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeneratorFault {
    /// It has no name.
    #[error("a configmap must have a name")]
    NoName,
    /// A key comes twice: the name of the generator, and the key.
    #[error("configmap {0} illegally repeats the key `{1}`")]
    RepeatedKey(String, String),
    /// A line of a file with variables is not UTF-8: its bytes.
    #[error(
        "line [{}] has invalid utf8 bytes : {}",
        .0.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
        String::from_utf8_lossy(.0)
    )]
    NotUtf8(Vec<u8>),
    /// A literal has no `=`.
    #[error("invalid literal source {0}, expected key=value")]
    NoPair(String),
    /// The value of a literal is a single quote, at which some releases crash.
    #[error("slice bounds out of range: the value of {0} is a single quote")]
    LoneQuote(String),
    /// A file's entry has no key before its `=`: the path, and the entry.
    #[error("missing key name for file path {0:?} in source {1:?}")]
    NoKey(String, String),
    /// A file's entry has no path behind its `=`: the key, and the entry.
    #[error("missing file path for key name {0:?} in source {1:?}")]
    NoPath(String, String),
    /// A file's entry has more than one `=`.
    #[error("source {0:?} key name or file path contains '='")]
    SeveralEquals(String),
    /// The generator of IAM policies knows one cloud: this is another.
    #[error("cloud provider {0} not supported yet")]
    UnknownCloud(String),
    /// Nothing is there to be merged with, or replaced: the id.
    #[error("id {0} does not exist; cannot merge or replace")]
    NothingToMerge(String),
    /// The resource is there, and the behavior is another than to merge or replace.
    #[error(
        "id {id} exists; can not use behavior: '{behavior}', behavior must be merge or replace"
    )]
    Exists {
        /// The id.
        id: String,
        /// The behavior.
        behavior: &'static str,
    },
    /// Several resources could be merged with: the id.
    #[error("found multiple objects that could accept merge of {0}")]
    SeveralToMerge(String),
}
