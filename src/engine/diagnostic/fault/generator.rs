//! Errors of generators.

/// The sources of keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairSources {
    #[error("env source files:")]
    Envs,
    #[error("literal sources")]
    Literals,
    #[error("file sources:")]
    Files,
}

/// The error of a generator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeneratorFault {
    #[error("a configmap must have a name")]
    NoName,
    #[error("configmap {0} illegally repeats the key `{1}`")]
    RepeatedKey(String, String),
    #[error(
        "line [{}] has invalid utf8 bytes : {}",
        .0.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
        String::from_utf8_lossy(.0)
    )]
    NotUtf8(Vec<u8>),
    #[error("invalid literal source {0}, expected key=value")]
    BadLiteral(String),
    #[error("slice bounds out of range: the value of {0} is a single quote")]
    LoneQuote(String),
    #[error("missing key name for file path {0:?} in source {1:?}")]
    NoKey(String, String),
    #[error("missing file path for key name {0:?} in source {1:?}")]
    NoPath(String, String),
    #[error("source {0:?} key name or file path contains '='")]
    SeveralEquals(String),
    #[error("cloud provider {0} not supported yet")]
    UnknownCloud(String),
    #[error("id {0} does not exist; cannot merge or replace")]
    NothingToMerge(String),
    #[error(
        "id {id} exists; can not use behavior: '{behavior}', behavior must be merge or replace"
    )]
    Exists { id: String, behavior: &'static str },
    #[error("found multiple objects that could accept merge of {0}")]
    SeveralToMerge(String),
}
