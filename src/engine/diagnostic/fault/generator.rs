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

super::faults! {
    /// The error of a generator.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum GeneratorFault {
        KZ062 #[error("a configmap must have a name")]
        #[remedy = "add a `name` to the entry"]
        NoName,
        KZ062 #[error("configmap {0} illegally repeats the key `{1}`")]
        RepeatedKey(String, String),
        KZ062 #[error(
            "line [{}] has invalid utf8 bytes : {}",
            .0.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
            String::from_utf8_lossy(.0)
        )]
        NotUtf8(Vec<u8>),
        KZ062 #[error("invalid literal source {0}, expected key=value")]
        #[remedy = "write the literal as KEY=VALUE"]
        BadLiteral(String),
        KZ062 #[error("slice bounds out of range: the value of {0} is a single quote")]
        LoneQuote(String),
        KZ062 #[error("missing key name for file path {0:?} in source {1:?}")]
        #[remedy = "write the file as KEY=PATH, or as PATH alone"]
        NoKey(String, String),
        KZ062 #[error("missing file path for key name {0:?} in source {1:?}")]
        #[remedy = "write the file as KEY=PATH, or as PATH alone"]
        NoPath(String, String),
        KZ062 #[error("source {0:?} key name or file path contains '='")]
        SeveralEquals(String),
        KZ062 #[error("cloud provider {0} not supported yet")]
        #[remedy = "write `cloud: gke`, the only supported one"]
        UnknownCloud(String),
        KZ061 #[error("id {0} does not exist; cannot merge or replace")]
        NothingToMerge(String),
        KZ061 #[error(
            "id {id} exists; can not use behavior: '{behavior}', behavior must be merge or replace"
        )]
        Exists { id: String, behavior: &'static str },
        KZ061 #[error("found multiple objects that could accept merge of {0}")]
        SeveralToMerge(String),
    }
}
